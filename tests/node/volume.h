// A filesystem of the node's own, so that "the disk is 96 % full" is exact and harms nobody.
#pragma once

#include <memory>
#include <string>

#include "base/bytes.h"
#include "base/percent.h"
#include "base/result.h"

namespace ebb::node {

enum class Filesystem { kTmpfs, kExt4 };

struct VolumeSpec {
  base::Bytes size{std::int64_t{1} << 30};
  Filesystem kind = Filesystem::kTmpfs;
  base::Bytes block{4096};  // of ext4
};

class Volume {
 public:
  // Mounts a new filesystem on the folder `directory`, which is made if need be. Ext4 lives on a
  // loop device over a file that has no name any more; where loop devices are refused it becomes
  // tmpfs, and kind() says so.
  static base::Result<std::unique_ptr<Volume>> Mount(const std::string& directory,
                                                     const VolumeSpec& spec);
  // Detaches the filesystem; processes that still use it keep it until they end.
  ~Volume();
  Volume(const Volume&) = delete;
  Volume& operator=(const Volume&) = delete;

  const std::string& directory() const { return directory_; }
  Filesystem kind() const { return kind_; }

 private:
  Volume(std::string directory, Filesystem kind) : directory_(std::move(directory)), kind_(kind) {}

  std::string directory_;
  Filesystem kind_;
};

// How full the filesystem below `path` is, by the kubelet's formula (base::UsedPercent).
base::Result<base::Percent> Used(const std::string& path);

// Makes the filesystem below `directory` exactly `target` full by the kubelet's formula, with the
// file `directory`/filler, which replaces one from an earlier call. kInternal when the rest alone
// is fuller than that. Nothing else may write meanwhile.
base::Status FillTo(const std::string& directory, base::Percent target);

// Removes the file that FillTo made, if there is one.
void RemoveFiller(const std::string& directory);

// Bytes of all blocks below the folder, each file once, but of files that end in `except`: what the
// runtime rewrites by itself, as ".db".
std::int64_t DiskUsage(const std::string& directory, const std::string& except);

}  // namespace ebb::node
