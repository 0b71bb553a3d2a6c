// The bytes of a file of any size.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ebb::kube {

class Input {
 public:
  // "-" is standard input. kNotFound if there is no such file.
  static base::Result<Input> Open(const std::string& path);

  // The next part, unpacked if the file is gzip; empty at the end, valid until the next call. A
  // file that cannot be read or is cut off: kInternal.
  base::Result<std::string_view> Next();

 private:
  struct Close {
    void operator()(void* file) const;
  };
  explicit Input(void* file) : file_(file) {}

  std::unique_ptr<void, Close> file_;
  std::vector<char> part_;
};

}  // namespace ebb::kube
