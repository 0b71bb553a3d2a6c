// Which container runtime to talk to. Pure: whoever calls knows how to look at the node.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ebb::config {

// "unix:///run/x.sock" from that, from "unix:/run/x.sock" or from "/run/x.sock". Anything else,
// other protocols and relative paths among it, is kUsage.
base::Result<std::string> ParseEndpoint(std::string_view text);

// The path of an endpoint that ParseEndpoint gave.
std::string_view SocketPath(std::string_view endpoint);

// Something that may name the endpoints; what it leaves empty it does not name.
struct EndpointSource {
  std::string name;  // for people: "--runtime-endpoint", "/etc/crictl.yaml"
  std::string runtime;
  std::string image;
};

struct EndpointCandidate {
  std::string endpoint;
  std::string source;
  bool named = false;  // somebody asked for it; otherwise it is a guess that must be probed
};

// Every place to look at, in order: first what `sources` name, then the sockets at which
// containerd, K3s and RKE2, CRI-O, cri-dockerd, MicroK8s and k0s listen.
std::vector<EndpointCandidate> EndpointCandidates(std::span<const EndpointSource> sources);

// How to look at the node.
struct NodeView {
  // Whether a container runtime answers there.
  std::function<bool(const std::string& endpoint)> probe;
  // The path without symbolic links; empty if it does not exist.
  std::function<std::string(const std::string& path)> real_path;
};

struct EndpointChoice {
  std::string runtime;
  std::string image;
  std::string source;               // who named the runtime, or "found by probing"
  std::vector<std::string> others;  // answered too and nobody named one: reading commands warn,
                                    // removing ones refuse
};

// `sources` stand in order of their rank: flag, environment, ebb's file, the kubelet's, crictl's.
// The first that names a runtime decides, and nothing is probed. Otherwise the first known socket
// that answers is taken. The image endpoint is the first one named by a source of at least the
// rank of the one that decided, or by a lower one that means the same runtime; else the runtime's.
// kUsage: a named endpoint is no unix socket. kUnavailable: nobody names one and none answers;
// the message lists every place and says what to do.
base::Result<EndpointChoice> ChooseEndpoints(std::span<const EndpointSource> sources,
                                             const NodeView& node);

}  // namespace ebb::config
