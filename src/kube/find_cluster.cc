#include <algorithm>
#include <cstdlib>

#include "kube/access.h"

namespace ebb::kube {
namespace {

std::string FromEnvironment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// As in PATH; empty parts are none.
std::vector<std::string> Split(const std::string& list) {
  std::vector<std::string> paths;
  for (std::size_t begin = 0; begin < list.size();) {
    const std::size_t end = std::min(list.find(':', begin), list.size());
    if (end > begin) paths.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return paths;
}

}  // namespace

base::Result<Access> InCluster(const std::string& directory) {
  std::string host = FromEnvironment("KUBERNETES_SERVICE_HOST");
  const std::string port = FromEnvironment("KUBERNETES_SERVICE_PORT");
  if (host.empty() || port.empty()) {
    return base::Error{base::ErrorCode::kNotFound,
                       "KUBERNETES_SERVICE_HOST is not set: this is no pod of a cluster"};
  }
  if (host.find(':') != std::string::npos) host = "[" + host + "]";
  return Access{.server = "https://" + host + ":" + port,
                .ca = {.file = directory + "/ca.crt"},
                .token = {.file = directory + "/token"}};
}

base::Result<Access> FindCluster(const std::string& path, const std::string& context) {
  if (!path.empty()) return LoadKubeconfigs({path}, context);
  const auto named = Split(FromEnvironment("KUBECONFIG"));
  if (!named.empty()) return LoadKubeconfigs(named, context);
  const std::string usual = FromEnvironment("HOME") + "/.kube/config";
  auto access = LoadKubeconfigs({usual}, context);
  if (access.ok() || access.error().code != base::ErrorCode::kNotFound) return access;
  if (context.empty()) {
    if (auto inside = InCluster(); inside.ok()) return inside;
  }
  return base::Error{base::ErrorCode::kUsage,
                     "which cluster? There is no " + usual +
                         ", and KUBECONFIG is not set: name a file with --kubeconfig, or read "
                         "what kubectl wrote with --from FILE"};
}

}  // namespace ebb::kube
