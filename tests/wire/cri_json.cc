#include <boost/json.hpp>

#include "wire/cri_services.h"

namespace ebb::wire {

namespace json = boost::json;

std::string StatusJson(const testing::FakeNode& node) {
  json::object config;
  if (const std::string name = node.sandbox_image(); !name.empty()) config["sandboxImage"] = name;
  if (node.profile().runtime_name == "containerd") {
    config["containerdRootDir"] = "/var/lib/containerd";
    config["containerd"] = json::object{{"snapshotter", "overlayfs"}};
  } else if (node.profile().runtime_name == "cri-o") {
    config["crio"] = json::object{};
  }
  return json::serialize(config);
}

std::string ImageStatusJson(const testing::Profile& profile,
                            const std::vector<std::string>& diff_ids) {
  const json::object rootfs = {{"type", "layers"},
                               {"diff_ids", json::array(diff_ids.begin(), diff_ids.end())}};
  json::object info = {
      {"imageSpec", json::object{{"architecture", "amd64"}, {"os", "linux"}, {"rootfs", rootfs}}}};
  if (profile.runtime_name == "containerd") info["chainID"] = "sha256:chain";
  if (profile.runtime_name == "cri-o") info["labels"] = json::object{};
  return json::serialize(info);
}

std::string SandboxStatusJson(std::string_view image_name) {
  json::object info = {{"pid", 4711}, {"runtimeHandler", ""}};
  if (!image_name.empty()) {
    info["image"] = image_name;
    info["snapshotter"] = "overlayfs";
  }
  return json::serialize(info);
}

}  // namespace ebb::wire
