// An API server of Kubernetes, as far as it is read, over real TLS: the model server behind HTTP.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "graph/sim_server.h"
#include "web/server.h"

namespace ebb::web {

struct ApiKind {
  std::string api_version;
  std::string kind;
  std::string resource;  // in URLs
  bool namespaced = true;
  bool lists = true;
};

// What it can do and what it holds, before it starts.
struct ApiState {
  ApiState();
  void Serve(const ApiKind& kind);
  void Put(graph::Object object);

  std::vector<ApiKind> kinds;
  std::vector<std::string> stale;  // apiVersions whose server is down
  graph::SimServer server;
  bool aggregated = true;  // discovery in two requests
  bool protobuf = true;    // else JSON
  std::size_t page = 500;  // objects in one answer, whatever is asked for
  // An answer in the place of the right one, for a target such as "/api/v1/pods?limit=500"; empty
  // text: the connection is closed.
  std::function<std::optional<std::string>(const std::string& target)> fault;
};

class ApiServer {
 public:
  ApiServer(std::shared_ptr<ApiState> state, const Authority& authority);

  // A kubeconfig that leads here.
  std::string Kubeconfig() const;
  const TestServer& http() const { return http_; }
  std::string url() const { return http_.url(); }

 private:
  std::string ca_;
  TestServer http_;
};

// The answer that says that something is wrong, as API servers write it.
std::string StatusAnswer(int code, const std::string& reason, const std::string& message,
                         const std::string& headers = "");

}  // namespace ebb::web
