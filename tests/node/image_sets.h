// The images that tests and the demonstration use.
#pragma once

#include <string>
#include <vector>

#include "node/image_maker.h"

namespace ebb::node {

// An image that can be a pod's sandbox: it sleeps for ever.
ImageSpec PauseImage(const std::string& tag = "localhost/pause:1");

// An image that can be started: it waits until it is told to end. `own` bytes of content differ
// from tag to tag; the programs below them are shared by all such images.
ImageSpec AppImage(const std::string& tag, base::Bytes own = {1000});

// About twenty images of a small shop, with shared bases, several versions and tags, one dangling
// image and one index of platforms. Unpacked they fill 2 GiB of disk a little over 85 %.
std::vector<ImageSpec> DemoImages();

// The sandbox image among them.
inline constexpr const char* kDemoSandboxImage = "registry.k8s.io/pause:3.6";

}  // namespace ebb::node
