#include "containerd/disk.h"

#include <sys/stat.h>
#include <sys/statvfs.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

namespace ebb::containerd {
namespace {

namespace fs = std::filesystem;

std::string Doubt(const std::string& path, int error) {
  return "cannot look at " + path + " (" + std::generic_category().message(error) +
         "): what files take there is assumed";
}

std::optional<base::Bytes> Allocated(const fs::path& path) {
  constexpr std::int64_t kSector = 512;  // of st_blocks, whatever the filesystem's blocks are
  struct stat info{};
  if (::stat(path.c_str(), &info) != 0) return std::nullopt;
  return base::Bytes{std::int64_t{info.st_blocks} * kSector};
}

void MeasureBlock(const std::string& root, DiskFacts& facts) {
  struct statvfs info{};
  if (::statvfs(root.c_str(), &info) != 0) {
    facts.doubts.push_back(Doubt(root, errno));
  } else if (info.f_frsize > 0) {
    facts.block.count = static_cast<std::int64_t>(info.f_frsize);
  }
}

// A view has no work folder, and is not a layer.
std::optional<base::Bytes> FoldersOf(const fs::path& layer) {
  const auto outer = Allocated(layer);
  const auto work = Allocated(layer / "work");
  if (!outer || !work) return std::nullopt;
  return *outer + *work;
}

void MeasureFolders(const std::string& root, DiskFacts& facts) {
  std::error_code error;
  fs::directory_iterator entry(fs::path(root) / "snapshots", error);
  for (const fs::directory_iterator end; !error && entry != end; entry.increment(error)) {
    if (const auto folders = FoldersOf(entry->path())) {
      facts.layer_folders = *folders;
      return;
    }
  }
  // Without any layer there is nothing to look at, and nothing to be wrong about.
  if (error && error != std::errc::no_such_file_or_directory) {
    facts.doubts.push_back(Doubt(root, error.value()));
  }
}

// Whether one is on another filesystem than the other, as far as both can be looked at.
bool Apart(const std::string& one, const std::string& other) {
  struct stat first{};
  struct stat second{};
  return ::stat(one.c_str(), &first) == 0 && ::stat(other.c_str(), &second) == 0 &&
         first.st_dev != second.st_dev;
}

}  // namespace

std::optional<base::Bytes> BlobOnDisk(const std::string& content_root, const std::string& digest) {
  const std::size_t colon = digest.find(':');
  if (colon == std::string::npos) return std::nullopt;
  return Allocated(fs::path(content_root) / "blobs" / digest.substr(0, colon) /
                   digest.substr(colon + 1));
}

DiskFacts LookAtDisk(const std::string& content_root, const std::string& overlay_root) {
  DiskFacts facts;
  if (!content_root.empty()) MeasureBlock(content_root, facts);
  if (!overlay_root.empty()) MeasureFolders(overlay_root, facts);
  if (Apart(content_root, overlay_root)) {
    facts.doubts.push_back(content_root + " and " + overlay_root +
                           " lie on different filesystems: bytes of both are added up");
  }
  return facts;
}

}  // namespace ebb::containerd
