#include "image/runtime.h"

#include <array>
#include <charconv>
#include <compare>

namespace ebb::image {
namespace {

struct Version {
  int major = 0;
  int minor = 0;
  int patch = 0;
  auto operator<=>(const Version&) const = default;
};

// "v1.7.24-k3s1" and "1.6.20~ds1" alike; what is missing counts as 0.
Version ParseVersion(std::string_view text) {
  if (text.starts_with('v')) text.remove_prefix(1);
  std::array<int, 3> parts{};
  for (int& part : parts) {
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), part);
    if (failure != std::errc()) break;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (!text.starts_with('.')) break;
    text.remove_prefix(1);
  }
  return {parts[0], parts[1], parts[2]};
}

RuntimeTraits Containerd(Version v) {
  return {
      .refuses_images_in_use = false,
      .frees_late = v >= Version{2, 0, 0} && v <= Version{2, 0, 4},
      .reports_pinned = v >= Version{1, 7, 3} || (v >= Version{1, 6, 22} && v < Version{1, 7, 0}),
      .has_image_volumes = v >= Version{2, 1, 0},
      .has_list_streams = v >= Version{2, 4, 0},
      .size_meaning = SizeMeaning::kCompressed,
  };
}

RuntimeTraits CriO(Version v) {
  return {
      .refuses_images_in_use = true,
      .frees_late = false,
      .reports_pinned = v >= Version{1, 28, 0},
      .has_image_volumes = v >= Version{1, 31, 0},
      .has_list_streams = v >= Version{1, 36, 0},
      .size_meaning = SizeMeaning::kUncompressed,
  };
}

}  // namespace

RuntimeTraits TraitsOf(std::string_view name, std::string_view version) {
  const Version v = ParseVersion(version);
  if (name == "containerd") return Containerd(v);
  if (name == "cri-o") return CriO(v);
  if (name == "docker") {
    return {.refuses_images_in_use = true, .size_meaning = SizeMeaning::kVirtual};
  }
  return {.refuses_images_in_use = false,
          .frees_late = true,
          .reports_pinned = true,
          .has_image_volumes = true,
          .has_list_streams = false,
          .size_meaning = SizeMeaning::kUncompressed};
}

}  // namespace ebb::image
