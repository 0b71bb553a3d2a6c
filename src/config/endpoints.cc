#include "config/endpoints.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "config/values.h"

namespace ebb::config {
namespace {

constexpr std::string_view kScheme = "unix://";

struct KnownSocket {
  std::string_view path;
  std::string_view runtime;
};

// The old /var/run spellings stand for nodes on which /var/run is no link to /run.
constexpr std::array kKnownSockets = {
    KnownSocket{"/run/containerd/containerd.sock", "containerd"},
    KnownSocket{"/run/k3s/containerd/containerd.sock", "K3s or RKE2"},
    KnownSocket{"/run/crio/crio.sock", "CRI-O"},
    KnownSocket{"/var/run/crio/crio.sock", "CRI-O"},
    KnownSocket{"/run/cri-dockerd.sock", "cri-dockerd"},
    KnownSocket{"/var/run/cri-dockerd.sock", "cri-dockerd"},
    KnownSocket{"/var/snap/microk8s/common/run/containerd.sock", "MicroK8s"},
    KnownSocket{"/run/k0s/containerd.sock", "k0s"},
};

void Append(std::string& list, std::string_view word) {
  list.append(list.empty() ? "" : ", ").append(word);
}

base::Error NothingFound(std::span<const EndpointSource> sources) {
  std::string named;
  for (const EndpointSource& source : sources) Append(named, source.name);
  std::string probed;
  for (const KnownSocket& socket : kKnownSockets) Append(probed, socket.path);
  std::string message = "no container runtime found: ";
  if (!named.empty()) message += "none is named by " + named + "; ";
  message +=
      "none answers at " + probed + "; pass --runtime-endpoint unix:///path/to/socket, as root";
  return {base::ErrorCode::kUnavailable, std::move(message)};
}

base::Result<EndpointChoice> Probed(std::span<const EndpointSource> sources, const NodeView& node) {
  std::set<std::string> seen;
  std::vector<std::string> answered;
  for (const EndpointCandidate& candidate : EndpointCandidates({})) {
    const std::string path = node.real_path(std::string(SocketPath(candidate.endpoint)));
    if (path.empty() || !seen.insert(path).second || !node.probe(candidate.endpoint)) continue;
    answered.push_back(candidate.endpoint);
  }
  if (answered.empty()) return NothingFound(sources);
  EndpointChoice choice{.runtime = answered.front(), .source = "found by probing"};
  choice.others.assign(answered.begin() + 1, answered.end());
  return choice;
}

bool SameSocket(const std::string& a, const std::string& b, const NodeView& node) {
  if (a == b) return true;
  const std::string path = node.real_path(std::string(SocketPath(a)));
  return !path.empty() && path == node.real_path(std::string(SocketPath(b)));
}

base::Result<EndpointChoice> Named(const EndpointSource& source) {
  const auto endpoint = ParseEndpoint(source.runtime);
  if (!endpoint.ok()) return endpoint.error().In(source.name);
  return EndpointChoice{.runtime = *endpoint, .source = source.name};
}

// Whether the image endpoint of `source`, which ranks below the one that decided, counts.
bool MeansSameRuntime(const EndpointSource& source, const std::string& runtime,
                      const NodeView& node) {
  const auto endpoint = ParseEndpoint(source.runtime);
  return endpoint.ok() && SameSocket(*endpoint, runtime, node);
}

base::Result<std::string> ImageEndpoint(std::span<const EndpointSource> sources,
                                        std::size_t decided, const std::string& runtime,
                                        const NodeView& node) {
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (sources[i].image.empty()) continue;
    if (i > decided && !MeansSameRuntime(sources[i], runtime, node)) continue;
    const auto endpoint = ParseEndpoint(sources[i].image);
    if (!endpoint.ok()) return endpoint.error().In(sources[i].name);
    return *endpoint;
  }
  return runtime;
}

}  // namespace

base::Result<std::string> ParseEndpoint(std::string_view text) {
  std::string_view path = text;
  if (path.starts_with(kScheme)) {
    path.remove_prefix(kScheme.size());
  } else if (path.starts_with("unix:")) {
    path.remove_prefix(5);
  }
  const bool blank = path.find_first_of(" \t\r\n") != std::string_view::npos;
  if (path.size() < 2 || path[0] != '/' || path[1] == '/' || blank) {
    return base::Error{base::ErrorCode::kUsage, "'" + Shortened(text) +
                                                    "' is not an endpoint: write it like "
                                                    "unix:///run/containerd/containerd.sock"};
  }
  return std::string(kScheme).append(path);
}

std::string_view SocketPath(std::string_view endpoint) {
  return endpoint.substr(kScheme.size());
}

std::vector<EndpointCandidate> EndpointCandidates(std::span<const EndpointSource> sources) {
  std::vector<EndpointCandidate> candidates;
  for (const EndpointSource& source : sources) {
    if (source.runtime.empty()) continue;
    candidates.push_back({.endpoint = source.runtime, .source = source.name, .named = true});
  }
  for (const KnownSocket& socket : kKnownSockets) {
    candidates.push_back({.endpoint = std::string(kScheme).append(socket.path),
                          .source = "socket of " + std::string(socket.runtime)});
  }
  return candidates;
}

base::Result<EndpointChoice> ChooseEndpoints(std::span<const EndpointSource> sources,
                                             const NodeView& node) {
  const auto decided = std::ranges::find_if(
      sources, [](const EndpointSource& source) { return !source.runtime.empty(); });
  auto choice = decided == sources.end() ? Probed(sources, node) : Named(*decided);
  if (!choice.ok()) return choice;
  const auto rank = static_cast<std::size_t>(decided - sources.begin());
  const auto image = ImageEndpoint(sources, rank, choice->runtime, node);
  if (!image.ok()) return image.error();
  choice->image = *image;
  return choice;
}

}  // namespace ebb::config
