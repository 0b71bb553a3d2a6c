#include "node/image_sets.h"

#include <algorithm>
#include <utility>

namespace ebb::node {
namespace {

constexpr base::Bytes MB(std::int64_t count) {
  return {count * 1'000'000};
}

const LayerSpec kPrograms{.programs = true};

// Ends at once on SIGTERM; a bare sleep as process 1 would ignore it.
const std::vector<std::string> kWait{"/bin/sh", "-c",
                                     "trap 'exit 0' TERM; while :; do sleep 3600 & wait; done"};

// How the demonstration names an image: what it stands for, its version, what it is built on.
struct Build {
  std::string repository;
  std::vector<std::string> versions;
  std::vector<LayerSpec> base;
  base::Bytes own;
};

ImageSpec Built(const Build& build, const std::string& version) {
  ImageSpec image{
      .repositories = {build.repository}, .layers = {kPrograms}, .entrypoint = kWait, .gzip = true};
  image.layers.insert(image.layers.end(), build.base.begin(), build.base.end());
  std::string folder = build.repository.substr(build.repository.rfind('/') + 1) + "-" + version;
  image.layers.push_back({.name = std::move(folder), .bytes = build.own, .files = 8});
  return image;
}

void AddVersions(std::vector<ImageSpec>& images, const Build& build) {
  for (const std::string& version : build.versions) {
    ImageSpec image = Built(build, version);
    image.tags = {build.repository + ":" + version};
    images.push_back(std::move(image));
  }
}

void AddShop(std::vector<ImageSpec>& images) {
  const LayerSpec os{"os", MB(36), 200};
  const LayerSpec node{"node", MB(60), 50};
  const LayerSpec java{"java", MB(90), 50};
  const LayerSpec python{"python", MB(70), 50};
  const LayerSpec model{"model", MB(60)};
  const std::string shop = "registry.shop.example/";
  AddVersions(images, {shop + "web", {"1.4.0", "1.5.0", "1.6.0"}, {os, node}, MB(22)});
  AddVersions(images, {shop + "api", {"2.0.1", "2.1.0", "2.2.0"}, {os, java}, MB(25)});
  AddVersions(images, {shop + "worker", {"0.9", "1.0", "1.1"}, {os, python}, MB(18)});
  AddVersions(images, {shop + "mailer", {"7", "8", "9"}, {os, python}, MB(12)});
  AddVersions(images, {shop + "search", {"5.1", "5.2"}, {os, java}, MB(40)});
  AddVersions(images, {shop + "recommend", {"r41", "r42"}, {os, python, model}, MB(55)});
}

// Several tags, several platforms, and an image whose tag has moved on.
void AddOddOnes(std::vector<ImageSpec>& images) {
  const LayerSpec os{"os", MB(36), 200};
  ImageSpec toolbox = Built({"registry.shop.example/toolbox", {}, {os}, MB(30)}, "1.0");
  toolbox.tags = {"registry.shop.example/toolbox:1.0", "registry.shop.example/toolbox:stable",
                  "registry.shop.example/toolbox:latest"};
  images.push_back(std::move(toolbox));
  ImageSpec proxy = Built({"registry.shop.example/proxy", {}, {}, MB(16)}, "3.2");
  proxy.tags = {"registry.shop.example/proxy:3.2"};
  proxy.other_architectures = {"s390x"};
  images.push_back(std::move(proxy));
  images.push_back(Built({"registry.shop.example/nightly", {}, {os}, MB(65)}, "old"));
  AddVersions(images, {"registry.k8s.io/coredns/coredns", {"v1.9.3"}, {}, MB(15)});
}

}  // namespace

ImageSpec PauseImage(const std::string& tag) {
  return {.tags = {tag}, .layers = {kPrograms}, .entrypoint = {"/bin/sleep", "2000000000"}};
}

ImageSpec AppImage(const std::string& tag, base::Bytes own) {
  std::string folder = tag;
  std::replace(folder.begin(), folder.end(), '/', '-');
  return {.tags = {tag},
          .layers = {kPrograms, {.name = std::move(folder), .bytes = own}},
          .entrypoint = kWait};
}

std::vector<ImageSpec> DemoImages() {
  std::vector<ImageSpec> images{PauseImage(kDemoSandboxImage)};
  AddShop(images);
  AddOddOnes(images);
  return images;
}

}  // namespace ebb::node
