// An archive in OCI layout, as `ctr images import` takes it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "base/result.h"
#include "node/tar.h"

namespace ebb::node {

struct Blob {
  std::string digest;
  std::int64_t size = 0;
};

// Writes to an open, empty, seekable file. A write that fails is remembered and told by Finish.
class Archive {
 public:
  explicit Archive(int file);

  // Each content stands in the archive once, however often it is added.
  Blob AddBlob(std::string_view content);
  // The same for content that `produce` writes piece by piece, of any size.
  Blob AddStream(const std::function<void(const Sink&)>& produce);
  // Writes index.json and the end.
  base::Status Finish(const std::string& index_json);

 private:
  void Append(std::string_view data);
  void AddFile(const std::string& name, std::string_view content);

  int file_;
  off_t end_ = 0;
  int error_ = 0;
  std::set<std::string> digests_;
};

}  // namespace ebb::node
