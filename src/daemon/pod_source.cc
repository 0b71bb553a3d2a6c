#include "daemon/pod_source.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <string>
#include <utility>

#include "http/url.h"
#include "kube/access.h"
#include "kube/pod_sources.h"

namespace ebb::daemon {
namespace {

constexpr const char* kKubeletCertificate = "/var/lib/kubelet/pki/kubelet-client-current.pem";

kube::Access ToKubelet(const config::PodSourceConfig& source) {
  kube::Access access{.server = source.place};
  if (!source.place.starts_with("https://")) return access;
  access.token.file = source.token_file;
  access.ca.file = source.ca_file;
  if (source.token_file.empty()) {
    access.certificate.file = kKubeletCertificate;
    access.key.file = kKubeletCertificate;
  }
  access.insecure = source.ca_file.empty() && http::IsLoopback(source.place);
  return access;
}

class Unusable final : public engine::PodSource {
 public:
  Unusable(std::string name, base::Error why) : name_(std::move(name)), why_(std::move(why)) {}
  std::string Name() const override { return name_; }
  base::Result<std::vector<image::Pod>> Read() override { return why_; }

 private:
  std::string name_;
  base::Error why_;
};

}  // namespace

std::unique_ptr<engine::PodSource> MakePodSource(const config::PodSourceConfig& source,
                                                 const std::string& node, engine::Clock& clock) {
  using Kind = config::PodSourceConfig::Kind;
  switch (source.kind) {
    case Kind::kKubelet: return kube::KubeletPods(ToKubelet(source), clock);
    case Kind::kManifests: return kube::StaticPods(source.place, node);
    case Kind::kKubeconfig:
    case Kind::kServiceAccount: break;
  }
  const bool by_file = source.kind == Kind::kKubeconfig;
  auto access = by_file ? kube::LoadKubeconfig(source.place) : kube::InCluster(source.place);
  if (access.ok()) return kube::ApiServerPods(std::move(*access), node, clock);
  const std::string name = (by_file ? "kubeconfig " : "service account ") + source.place;
  return std::make_unique<Unusable>(name, access.error());
}

std::string FindNodeName(const std::string& configured, const std::string& of_kubelet) {
  if (!configured.empty()) return configured;
  const char* const told = std::getenv("NODE_NAME");
  std::string name = told != nullptr ? told : of_kubelet;
  if (name.empty()) {
    std::array<char, 256> host{};
    if (::gethostname(host.data(), host.size() - 1) == 0) name = host.data();
  }
  std::ranges::transform(name, name.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return name;
}

}  // namespace ebb::daemon
