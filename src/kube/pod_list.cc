#include "kube/pod_list.h"

#include <array>
#include <utility>

#include "base/text.h"
#include "kube/json.h"

namespace ebb::kube {
namespace {

constexpr std::string_view kConfigHash = "kubernetes.io/config.hash";

// Every key on the way to a field of image::Pod.
constexpr auto kKeys = std::to_array<std::string_view>(
    {"kind", "items", "metadata", "continue", "uid", "name", "namespace", "deletionTimestamp",
     "annotations", kConfigHash, "spec", "initContainers", "containers", "ephemeralContainers",
     "volumes", "image", "reference", "status", "phase"});

base::Error Wrong(const std::string& what) {
  return {base::ErrorCode::kInternal, base::OneLine(what)};
}

void ReadImages(Fields& spec, std::vector<std::string>& images) {
  const auto add = [&](std::string image) {
    if (!image.empty()) images.push_back(std::move(image));
  };
  for (const auto kind : {"initContainers", "containers", "ephemeralContainers"}) {
    spec.ForEach(kind, [&](Fields& container) { add(container.Text("image")); });
  }
  spec.ForEach("volumes", [&](Fields& volume) {
    Fields image = volume.Object("image");
    add(image.Text("reference"));
    volume.Adopt(image);
  });
}

image::Pod ReadPod(Fields& fields) {
  image::Pod pod;
  Fields metadata = fields.Object("metadata");
  pod.uid = metadata.Text("uid");
  pod.name = metadata.Text("name");
  pod.pod_namespace = metadata.Text("namespace");
  pod.deleted = metadata.Has("deletionTimestamp");
  Fields annotations = metadata.Object("annotations");
  pod.config_hash = annotations.Text(kConfigHash);
  pod.is_static = !pod.config_hash.empty();
  metadata.Adopt(annotations);
  fields.Adopt(metadata);
  Fields spec = fields.Object("spec");
  ReadImages(spec, pod.images);
  fields.Adopt(spec);
  Fields status = fields.Object("status");
  const std::string phase = status.Text("phase");
  pod.terminated = phase == "Succeeded" || phase == "Failed";
  fields.Adopt(status);
  return pod;
}

}  // namespace

base::Result<PodList> ParsePodList(std::string_view json) {
  const auto document = ReadJson(json, kKeys);
  if (!document.ok()) return document.error();
  Fields list(*document, "");
  const std::string kind = list.Text("kind");
  if (!list.problem().empty()) return Wrong(list.problem());
  if (kind != "PodList") return Wrong("it is no PodList but '" + kind + "'");
  if (!document->get_object().contains("items"))
    return Wrong("the list has no items, not even none");
  PodList pods;
  Fields metadata = list.Object("metadata");
  pods.next = metadata.Text("continue");
  list.Adopt(metadata);
  list.ForEach("items", [&](Fields& item) {
    const image::Pod& pod = pods.pods.emplace_back(ReadPod(item));
    const bool named = !pod.uid.empty() && !pod.name.empty() && !pod.pod_namespace.empty();
    if (item.problem().empty() && !named) item.Miss("metadata with uid, name and namespace");
  });
  if (!list.problem().empty()) return Wrong(list.problem());
  return pods;
}

base::Result<image::Pod> ParseManifest(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  const bool json = first != std::string_view::npos && text[first] == '{';
  auto document = json ? ReadJson(text, kKeys) : ReadYaml(text);
  if (!document.ok() && json) document = ReadYaml(text);  // flow style, which looks like JSON
  if (!document.ok()) return document.error();
  Fields fields(*document, "");
  const std::string kind = fields.Text("kind");
  if (fields.problem().empty() && kind != "Pod") return Wrong("it is no Pod but '" + kind + "'");
  image::Pod pod = ReadPod(fields);
  if (pod.name.empty()) fields.Miss("metadata.name");
  if (!fields.problem().empty()) return Wrong(fields.problem());
  if (pod.pod_namespace.empty()) pod.pod_namespace = "default";
  pod.is_static = true;
  return pod;
}

}  // namespace ebb::kube
