#include "kube/exec_plugin.h"

#include <array>
#include <boost/json/serialize.hpp>

#include "kube/files.h"
#include "kube/json.h"
#include "kube/run_program.h"

namespace ebb::kube {
namespace {

constexpr std::string_view kVersion = "client.authentication.k8s.io/v1";
constexpr auto kKeys = std::to_array<std::string_view>({"apiVersion", "kind", "status", "token",
                                                        "clientCertificateData", "clientKeyData",
                                                        "expirationTimestamp"});

base::Error Wrong(const std::string& what) {
  return {base::ErrorCode::kInternal, "the program's answer is not used: " + what};
}

// KUBERNETES_EXEC_INFO: what is asked of the program.
std::string Question(const Access& access) {
  JsonObject spec{{"interactive", false}};
  if (access.plugin->wants_cluster) {
    JsonObject cluster{{"server", access.server}};
    if (access.insecure) cluster["insecure-skip-tls-verify"] = true;
    if (!access.server_name.empty()) cluster["tls-server-name"] = access.server_name;
    spec["cluster"] = std::move(cluster);
  }
  return boost::json::serialize(
      JsonObject{{"apiVersion", kVersion}, {"kind", "ExecCredential"}, {"spec", std::move(spec)}});
}

}  // namespace

base::Result<ExecCredential> ParseExecCredential(std::string_view json) {
  const auto document = ReadJson(json, kKeys);
  if (!document.ok()) return Wrong(document.error().message);
  Fields answer(*document, "");
  const std::string kind = answer.Text("kind");
  const std::string version = answer.Text("apiVersion");
  Fields status = answer.Object("status");
  ExecCredential credential{.token = status.Text("token"),
                            .certificate = status.Text("clientCertificateData"),
                            .key = status.Text("clientKeyData")};
  const std::string expires = status.Text("expirationTimestamp");
  answer.Adopt(status);
  if (!answer.problem().empty()) return Wrong(answer.problem());
  if (kind != "ExecCredential" || version != kVersion) {
    return Wrong("it is no ExecCredential of " + std::string(kVersion));
  }
  if (credential.certificate.empty() != credential.key.empty()) {
    return Wrong("a certificate needs its key");
  }
  if (credential.token.empty() && credential.key.empty()) return Wrong("it holds no credentials");
  if (expires.empty()) return credential;
  const auto time = base::ParseTime(expires);
  if (!time.ok()) return Wrong("status.expirationTimestamp is no time");
  credential.expires = *time;
  return credential;
}

base::Result<ExecCredential> RunPlugin(const Access& access) {
  Program program{.command = access.plugin->command, .environment = access.plugin->environment};
  program.environment.emplace_back("KUBERNETES_EXEC_INFO", Question(access));
  const auto answer = RunProgram(program);
  if (!answer.ok()) return answer.error();
  auto credential = ParseExecCredential(*answer);
  if (!credential.ok()) return credential.error().In(program.command.front());
  return credential;
}

}  // namespace ebb::kube
