// The layers of the bench's images.
#pragma once

#include <compare>
#include <string>

#include "base/bytes.h"
#include "node/tar.h"

namespace ebb::node {

// Equal specs make equal layers, which images share as any two images of one base do.
struct LayerSpec {
  std::string name;   // the seed of the content, and the folder that it stands in
  base::Bytes bytes;  // incompressible content, spread over the files
  int files = 1;
  bool programs = false;  // /bin with a static busybox as sh, sleep, true

  auto operator<=>(const LayerSpec&) const = default;
};

// Writes the layer's uncompressed tar.
void WriteLayer(const LayerSpec& spec, const Sink& out);

}  // namespace ebb::node
