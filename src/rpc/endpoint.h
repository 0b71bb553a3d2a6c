// Where a runtime listens, and why nobody can be reached there.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ebb::rpc {

struct Endpoint {
  std::string text;  // for people: "unix:///run/containerd/containerd.sock"
  std::string path;
};

// "unix:///path", "unix:/path" or "/path". Anything else is kUsage.
base::Result<Endpoint> ParseEndpoint(std::string_view text);

// The form in which gRPC takes it: characters that mean something in a URI are escaped.
std::string TargetOf(const Endpoint& endpoint);

// Connects to the socket and hangs up: gRPC hides errno, and errno is what people need. nullopt
// if somebody accepts, else the reason in one sentence. Never waits.
std::optional<std::string> WhyUnreachable(const Endpoint& endpoint);

// The sentence for what connect(2) or stat(2) said about the socket.
std::string SocketProblem(const Endpoint& endpoint, int error);

}  // namespace ebb::rpc
