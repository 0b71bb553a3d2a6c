// Opens and removes below a directory in which others may create links and mounts, and never leaves
// it: every step is taken by descriptor.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"

namespace ebb::host {

// How one step down is taken.
enum class Step {
  kKernel,  // openat2(2), from Linux 5.6; as kByHand where the kernel does not have it
  kByHand,  // O_NOFOLLOW, and a look at the mount afterwards
};

class Beneath {
 public:
  explicit Beneath(Step step = Step::kKernel) : step_(step) {}

  // The directory `name` in `parent`. A name is one component. kNotFound if there is none,
  // kRefused for a link, another mount and what is no directory.
  base::Result<base::UniqueFd> Open(int parent, const std::string& name) const;
  // The same over several components, "a/b/c", none of which may be ".", ".." or empty.
  base::Result<base::UniqueFd> OpenPath(int root, std::string_view path) const;
  // Removes the directory with all that is in it; links are removed and not followed. What cannot
  // be removed stays, with the directories above it, and the first reason is the error.
  base::Status RemoveTree(int parent, const std::string& name) const;

 private:
  base::Status RemoveAny(int parent, const std::string& name, int depth) const;
  base::Status RemoveContent(int directory, int depth) const;
  base::Status RemoveTree(int parent, const std::string& name, int depth) const;

  Step step_;
};

// Names in a directory without "." and "..", in no order.
base::Result<std::vector<std::string>> NamesIn(int directory);

// What errno means for a path; kNotFound for ENOENT.
base::Error PathError(const std::string& name, int error);

}  // namespace ebb::host
