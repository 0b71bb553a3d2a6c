// Lists of pods, manifests, kubeconfigs' values and what credential programs print.
#include "kube/pod_list.h"
#include "input.h"
#include "kube/base64.h"
#include "kube/exec_plugin.h"

namespace {

using ebb::fuzz::Require;

// Every pod of a list that is taken must be one that containers can be told apart by.
void RequireNamed(const ebb::image::Pod& pod) {
  Require(!pod.uid.empty() && !pod.name.empty() && !pod.pod_namespace.empty(), "a pod has names");
  for (const auto& image : pod.images) Require(!image.empty(), "an image has a name");
}

}  // namespace

// The same bytes are read by each parser in turn.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = ebb::fuzz::Text(data, size);
  if (const auto list = ebb::kube::ParsePodList(text); list.ok()) {
    for (const auto& pod : list->pods) RequireNamed(pod);
    // A list that lacks its end is never a list.
    const auto whole = text.substr(0, text.rfind('}'));
    Require(!ebb::kube::ParsePodList(whole).ok(), "a list is whole or none", text);
  }
  if (const auto pod = ebb::kube::ParseManifest(text); pod.ok()) {
    Require(!pod->name.empty() && !pod->pod_namespace.empty(), "a manifest names its pod", text);
  }
  if (const auto got = ebb::kube::ParseExecCredential(text); got.ok()) {
    Require(!got->token.empty() || !got->key.empty(), "credentials are some", text);
  }
  if (const auto decoded = ebb::kube::DecodeBase64(text)) {
    Require(decoded->size() <= text.size() / 4 * 3, "base64 gets shorter", text);
  }
  return 0;
}
