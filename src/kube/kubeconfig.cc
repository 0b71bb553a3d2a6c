#include <cstdlib>
#include <filesystem>

#include "base/text.h"
#include "kube/access.h"
#include "kube/base64.h"
#include "kube/files.h"
#include "kube/json.h"

namespace ebb::kube {
namespace {

constexpr const char* kExecVersion = "client.authentication.k8s.io/v1";

// Reads one kubeconfig; remembers the first thing that is wrong with it.
class Reader {
 public:
  Reader(const Json& document, const std::string& path)
      : root_(document, ""), directory_(std::filesystem::path(path).parent_path()) {}

  base::Result<Access> Read(std::string context) {
    if (context.empty()) context = root_.Text("current-context");
    std::string cluster;
    std::string user;
    Named("contexts", context, "context", [&](Fields& named) {
      cluster = named.Text("cluster");
      user = named.Text("user");
    });
    Named("clusters", cluster, "cluster", [&](Fields& named) { ReadCluster(named); });
    if (!user.empty()) Named("users", user, "user", [&](Fields& named) { ReadUser(named); });
    if (problem_.empty()) problem_ = root_.problem();
    if (!problem_.empty()) return base::Error{base::ErrorCode::kUsage, base::OneLine(problem_)};
    return access_;
  }

 private:
  void Fail(const std::string& problem) {
    if (problem_.empty()) problem_ = problem;
  }

  // read(Fields) of the entry of that name in a list of {name, KIND}.
  template <class Read>
  void Named(std::string_view list, const std::string& name, std::string_view kind, Read read) {
    bool found = false;
    root_.ForEach(list, [&](Fields& entry) {
      if (entry.Text("name") != name || found) return;
      found = true;
      Fields named = entry.Object(kind);
      read(named);
      entry.Adopt(named);
    });
    if (!found && root_.problem().empty())
      Fail("there is no " + std::string(kind) + " '" + name + "'");
  }

  // KEY-data stands before KEY, as for kubectl.
  Material Either(Fields& from, const std::string& key) {
    const std::string encoded = from.Text(key + "-data");
    if (encoded.empty()) return {.file = Path(from.Text(key))};
    auto data = DecodeBase64(encoded);
    if (!data) Fail(key + "-data is no base64");
    return {.data = data.value_or("")};
  }

  std::string Path(const std::string& path) const {
    return path.empty() ? path : (directory_ / path).string();
  }

  void Unsupported(const Fields& from, std::string_view key) {
    if (from.Has(key)) Fail(std::string(key) + " is not supported");
  }

  void ReadCluster(Fields& cluster) {
    access_.server = cluster.Text("server");
    access_.ca = Either(cluster, "certificate-authority");
    access_.insecure = cluster.Flag("insecure-skip-tls-verify");
    access_.server_name = cluster.Text("tls-server-name");
    Unsupported(cluster, "proxy-url");
    if (access_.server.empty()) Fail("the cluster has no server");
  }

  void ReadUser(Fields& user) {
    access_.certificate = Either(user, "client-certificate");
    access_.key = Either(user, "client-key");
    access_.token.file = Path(user.Text("tokenFile"));
    if (access_.token.file.empty()) access_.token.data = user.Text("token");
    for (const auto key : {"username", "auth-provider", "as"}) Unsupported(user, key);
    if (!user.Has("exec")) return;
    Fields exec = user.Object("exec");
    ReadPlugin(exec);
    user.Adopt(exec);
  }

  void ReadPlugin(Fields& exec) {
    ExecPlugin plugin;
    std::string program = exec.Text("command");
    // A path is the kubeconfig's own matter; a bare word is looked for in PATH.
    if (program.find('/') != std::string::npos) program = Path(program);
    plugin.command = exec.Texts("args");
    plugin.command.insert(plugin.command.begin(), program);
    exec.ForEach("env", [&](Fields& pair) {
      plugin.environment.emplace_back(pair.Text("name"), pair.Text("value"));
    });
    plugin.wants_cluster = exec.Flag("provideClusterInfo");
    const std::string version = exec.Text("apiVersion");
    if (exec.problem().empty() && version != kExecVersion) {
      Fail("exec: apiVersion '" + version + "' is not supported: only " + kExecVersion + " is");
    }
    if (program.empty()) Fail("exec: there is no command");
    access_.plugin = std::move(plugin);
  }

  Fields root_;
  std::filesystem::path directory_;
  Access access_;
  std::string problem_;
};

std::string FromEnvironment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

base::Result<Access> LoadKubeconfig(const std::string& path, const std::string& context) {
  const auto text = ReadFile(path);
  if (!text.ok()) return text.error();
  const auto document = ReadYaml(*text);
  if (!document.ok()) return document.error().In(path);
  auto access = Reader(*document, path).Read(context);
  if (!access.ok()) return access.error().In(path);
  return access;
}

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

}  // namespace ebb::kube
