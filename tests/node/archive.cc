#include "node/archive.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "node/digest.h"

namespace ebb::node {
namespace {

TarEntry BlobEntry(const Blob& blob) {
  constexpr std::size_t kAlgorithm = std::string_view("sha256:").size();
  return {.name = "blobs/sha256/" + blob.digest.substr(kAlgorithm), .size = blob.size};
}

}  // namespace

Archive::Archive(int file) : file_(file) {
  AddFile("oci-layout", R"({"imageLayoutVersion":"1.0.0"})");
}

void Archive::Append(std::string_view data) {
  while (!data.empty() && error_ == 0) {
    const ssize_t written = ::pwrite(file_, data.data(), data.size(), end_);
    if (written < 0 && errno != EINTR) error_ = errno;
    if (written <= 0) continue;
    end_ += written;
    data.remove_prefix(static_cast<std::size_t>(written));
  }
}

void Archive::AddFile(const std::string& name, std::string_view content) {
  WriteTarFile({.name = name, .size = static_cast<std::int64_t>(content.size())}, content,
               [this](std::string_view data) { Append(data); });
}

Blob Archive::AddBlob(std::string_view content) {
  return AddStream([content](const Sink& out) { out(content); });
}

Blob Archive::AddStream(const std::function<void(const Sink&)>& produce) {
  const off_t start = end_;
  // Name and size are known only at the end: the header's place is kept until then.
  Append(TarHeader({}));
  Blob blob;
  Sha256 hash;
  produce([&](std::string_view data) {
    hash.Add(data);
    Append(data);
    blob.size += static_cast<std::int64_t>(data.size());
  });
  Append(TarPadding(blob.size));
  blob.digest = hash.Digest();
  const off_t end = end_;
  end_ = start;
  if (digests_.insert(blob.digest).second) {
    Append(TarHeader(BlobEntry(blob)));
    end_ = end;
  }
  return blob;
}

base::Status Archive::Finish(const std::string& index_json) {
  AddFile("index.json", index_json);
  Append(TarEnd());
  if (error_ == 0 && ::ftruncate(file_, end_) != 0) error_ = errno;
  if (error_ == 0) return base::Done{};
  return base::Error{base::ErrorCode::kInternal,
                     std::string("write an image archive: ") + std::strerror(error_)};
}

}  // namespace ebb::node
