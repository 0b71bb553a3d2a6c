// Which runtime answers, and the one table of how runtimes differ.
#pragma once

#include <string>
#include <string_view>

namespace ebb::image {

enum class SizeMeaning {
  kCompressed,    // containerd: manifest, config and compressed layers, as the manifest says
  kUncompressed,  // CRI-O: every layer unpacked, shared ones counted in each image
  kVirtual,       // docker
};

// Facts of one runtime version that decisions depend on (docs/image-gc.md has the table).
struct RuntimeTraits {
  bool refuses_images_in_use = false;  // CRI-O and docker refuse; containerd removes and says OK
  bool frees_late = false;             // containerd 2.0.0-2.0.4: bytes come back after the call
  bool reports_pinned = true;          // containerd from 1.6.22 and 1.7.3
  bool has_image_volumes = false;      // containerd from 2.1, CRI-O from 1.31
  bool has_list_streams = false;       // CRI-O from 1.36, containerd from 2.4
  SizeMeaning size_meaning = SizeMeaning::kCompressed;
};

struct Runtime {
  std::string name;      // "containerd", "cri-o", "docker"
  std::string version;   // "1.6.20~ds1", "v2.1.9"
  std::string endpoint;  // where it answered
  RuntimeTraits traits;
};

// A runtime nobody has described gets the cautious answer to every question.
RuntimeTraits TraitsOf(std::string_view name, std::string_view version);

}  // namespace ebb::image
