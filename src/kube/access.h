// How a server of Kubernetes is reached, and as whom.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "http/message.h"

namespace ebb::kube {

// Text that is given, or a file that holds it and is read for every use, so that a new one counts
// at once. Neither: there is none.
struct Material {
  std::string data = {};
  std::string file = {};
};

// A program that prints credentials (client.authentication.k8s.io/v1).
struct ExecPlugin {
  std::vector<std::string> command;  // with its arguments
  std::vector<std::pair<std::string, std::string>> environment;
  bool wants_cluster = false;  // it is told about the server
};

struct Access {
  std::string server;  // "https://127.0.0.1:10250"
  Material ca = {};    // PEM; none: whom the system trusts
  Material certificate = {};
  Material key = {};
  Material token = {};
  std::string server_name = {};  // what the server's certificate must name, if not its address
  bool insecure = false;         // the server is not verified
  std::optional<ExecPlugin> plugin = {};
  http::Headers headers = {};  // sent with every request: who we are, or whom we stand for
};

// What `context` of a kubeconfig file says, its current context if that is empty. Paths in it begin
// at its own directory. kUsage names the file and what is wrong or not supported in it.
base::Result<Access> LoadKubeconfig(const std::string& path, const std::string& context = {});

// The same of several files read as one: of what two of them name, the first counts. Those that are
// missing are left out, unless all are.
base::Result<Access> LoadKubeconfigs(const std::vector<std::string>& paths,
                                     const std::string& context = {});

// The cluster that kubectl would talk to: that of `path`; if that is empty, of the files in
// $KUBECONFIG, or of ~/.kube/config; if there is none and no context is named, the cluster we run
// in. kUsage if there is none of these.
base::Result<Access> FindCluster(const std::string& path, const std::string& context);

// The service account of the pod we run in, from the environment that Kubernetes gives to every
// container. kNotFound outside of a cluster.
base::Result<Access> InCluster(
    const std::string& directory = "/var/run/secrets/kubernetes.io/serviceaccount");

}  // namespace ebb::kube
