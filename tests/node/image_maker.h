// Images made from a description, deterministic to the byte.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "node/layer.h"

namespace ebb::node {

struct ImageSpec {
  // Full names with a tag, for example "localhost/app:1".
  std::vector<std::string> tags;
  // Repositories it seems to have been pulled from: each gives a name REPOSITORY@DIGEST. With
  // such names alone the image is dangling.
  std::vector<std::string> repositories;
  std::vector<LayerSpec> layers;
  std::vector<std::string> entrypoint;
  std::vector<std::string> environment;
  std::map<std::string, std::string> labels;
  // More platforms, for example "s390x": the names then point at an index.
  std::vector<std::string> other_architectures;
  bool gzip = false;
};

struct MadeImage {
  std::string id;      // digest of this machine's configuration, which is CRI's image id
  std::string digest;  // of the manifest, or of the index
  std::vector<std::string> names;
};

// Writes all images to the open, empty file, in OCI layout; equal layers stand in it once.
// Results are in the order of `specs`.
base::Result<std::vector<MadeImage>> WriteImages(int file, std::span<const ImageSpec> specs);

}  // namespace ebb::node
