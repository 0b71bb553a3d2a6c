// engine::StoreReader over a store of containers/storage on this host's disk, as CRI-O, podman and
// buildah keep it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/ports.h"

namespace ebb::crio {

struct Options {
  // The first of them that exists counts; if none does, what containers/storage does by default.
  std::vector<std::string> configs = {"/etc/containers/storage.conf",
                                      "/usr/share/containers/storage.conf"};
  // Where the runtime says that it keeps images and containers, as StoragePath::mountpoint of CRI-O
  // has it: "/var/lib/containers/storage/overlay-images", ".../overlay-containers". Empty: it does
  // not say, and the configuration counts.
  std::string image_path;
  std::string container_path;
};

// Only reads, takes no locks, and follows no links. Read() fails for any driver but overlay
// (kUnsupported) and for a store that cannot be read: then bytes have to be estimated. A layer is
// walked once and remembered; a container's own layer and what is read-only is never walked.
std::unique_ptr<engine::StoreReader> MakeStoreReader(const Options& options);

}  // namespace ebb::crio
