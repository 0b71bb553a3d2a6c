// How a server of Kubernetes is reached, and as whom.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

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
};

// What `context` of a kubeconfig file says, its current context if that is empty. Paths in it begin
// at its own directory. kUsage names the file and what is wrong or not supported in it.
base::Result<Access> LoadKubeconfig(const std::string& path, const std::string& context = {});

// The service account of the pod we run in, from the environment that Kubernetes gives to every
// container. kNotFound outside of a cluster.
base::Result<Access> InCluster(
    const std::string& directory = "/var/run/secrets/kubernetes.io/serviceaccount");

}  // namespace ebb::kube
