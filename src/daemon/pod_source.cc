#include "daemon/pod_source.h"

#include <unistd.h>

#include <array>
#include <string>
#include <utility>

#include "kube/access.h"
#include "kube/pod_sources.h"

namespace ebb::daemon {
namespace {

constexpr const char* kKubeletCertificate = "/var/lib/kubelet/pki/kubelet-client-current.pem";

// What the kubelet calls the node unless it is told otherwise.
std::string NodeName() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0) return "";
  return name.data();
}

kube::Access ToKubelet(const std::string& url) {
  kube::Access access{.server = url};
  if (!url.starts_with("https://")) return access;
  access.certificate.file = kKubeletCertificate;
  access.key.file = kKubeletCertificate;
  access.insecure = url.starts_with("https://127.") || url.starts_with("https://localhost") ||
                    url.starts_with("https://[::1]");
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
                                                 engine::Clock& clock) {
  using Kind = config::PodSourceConfig::Kind;
  switch (source.kind) {
    case Kind::kKubelet: return kube::KubeletPods(ToKubelet(source.place), clock);
    case Kind::kManifests: return kube::StaticPods(source.place, NodeName());
    case Kind::kKubeconfig: break;
  }
  auto access = kube::LoadKubeconfig(source.place);
  if (!access.ok()) return std::make_unique<Unusable>("kubeconfig " + source.place, access.error());
  return kube::ApiServerPods(std::move(*access), NodeName(), clock);
}

}  // namespace ebb::daemon
