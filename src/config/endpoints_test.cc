#include "config/endpoints.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace ebb::config {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A node with sockets, links to them, and a record of what was probed.
struct FakeNode {
  std::set<std::string> listening;           // paths
  std::map<std::string, std::string> links;  // path -> path
  std::vector<std::string> probed;

  std::string RealPath(const std::string& path) const {
    const auto link = links.find(path);
    const std::string target = link == links.end() ? path : link->second;
    return listening.contains(target) ? target : "";
  }

  base::Result<EndpointChoice> Choose(const std::vector<EndpointSource>& sources) {
    return ChooseEndpoints(
        sources, {.probe =
                      [this](const std::string& endpoint) {
                        probed.push_back(endpoint);
                        return !RealPath(endpoint.substr(7)).empty();
                      },
                  .real_path = [this](const std::string& path) { return RealPath(path); }});
  }
};

std::vector<EndpointSource> Sources() {
  return {{.name = "--runtime-endpoint"},
          {.name = "CONTAINER_RUNTIME_ENDPOINT"},
          {.name = "/etc/ebb/config.yaml"},
          {.name = "the kubelet"},
          {.name = "/etc/crictl.yaml"}};
}

TEST(Endpoints, TheFirstThatNamesARuntimeWinsAndNothingIsProbed) {
  FakeNode node{.listening = {"/run/containerd/containerd.sock"}};
  auto sources = Sources();
  for (std::size_t i = sources.size(); i-- > 0;) {
    sources[i].runtime = "/run/" + std::to_string(i) + ".sock";
    const auto choice = node.Choose(sources);
    ASSERT_TRUE(choice.ok()) << choice.error().message;
    EXPECT_EQ(choice->runtime, "unix:///run/" + std::to_string(i) + ".sock");
    EXPECT_EQ(choice->image, choice->runtime);
    EXPECT_EQ(choice->source, sources[i].name);
    EXPECT_THAT(choice->others, IsEmpty());
  }
  EXPECT_THAT(node.probed, IsEmpty());
}

TEST(Endpoints, WithoutANameTheOneThatAnswersIsTaken) {
  for (const char* path :
       {"/run/containerd/containerd.sock", "/run/k3s/containerd/containerd.sock",
        "/run/crio/crio.sock", "/var/run/crio/crio.sock", "/run/cri-dockerd.sock",
        "/var/run/cri-dockerd.sock", "/var/snap/microk8s/common/run/containerd.sock",
        "/run/k0s/containerd.sock"}) {
    FakeNode node{.listening = {path}};
    const auto choice = node.Choose(Sources());
    ASSERT_TRUE(choice.ok()) << path;
    EXPECT_EQ(choice->runtime, std::string("unix://") + path);
    EXPECT_EQ(choice->image, choice->runtime);
    EXPECT_EQ(choice->source, "found by probing");
    EXPECT_THAT(choice->others, IsEmpty());
  }
}

TEST(Endpoints, ASecondThatAnswersIsReported) {
  FakeNode node{.listening = {"/run/crio/crio.sock", "/run/k3s/containerd/containerd.sock"}};
  const auto choice = node.Choose(Sources());
  ASSERT_TRUE(choice.ok());
  EXPECT_EQ(choice->runtime, "unix:///run/k3s/containerd/containerd.sock");
  EXPECT_THAT(choice->others, ElementsAre("unix:///run/crio/crio.sock"));
}

TEST(Endpoints, TwoSpellingsOfOneSocketAreOneRuntime) {
  FakeNode node{.listening = {"/run/crio/crio.sock"},
                .links = {{"/var/run/crio/crio.sock", "/run/crio/crio.sock"}}};
  const auto choice = node.Choose({});
  ASSERT_TRUE(choice.ok());
  EXPECT_THAT(choice->others, IsEmpty());
  EXPECT_THAT(node.probed, ElementsAre("unix:///run/crio/crio.sock"));
}

TEST(Endpoints, ASocketNobodyAnswersIsNoRuntime) {
  const NodeView silent{.probe = [](const std::string&) { return false; },
                        .real_path = [](const std::string& path) { return path; }};
  EXPECT_EQ(ChooseEndpoints({}, silent).error().code, base::ErrorCode::kUnavailable);
}

TEST(Endpoints, NothingFoundListsEveryPlaceAndSaysWhatToDo) {
  FakeNode node;
  const auto choice = node.Choose(Sources());
  ASSERT_FALSE(choice.ok());
  EXPECT_EQ(choice.error().code, base::ErrorCode::kUnavailable);
  EXPECT_EQ(choice.error().message,
            "no container runtime found: none is named by --runtime-endpoint, "
            "CONTAINER_RUNTIME_ENDPOINT, /etc/ebb/config.yaml, the kubelet, /etc/crictl.yaml; none "
            "answers at /run/containerd/containerd.sock, /run/k3s/containerd/containerd.sock, "
            "/run/crio/crio.sock, /var/run/crio/crio.sock, /run/cri-dockerd.sock, "
            "/var/run/cri-dockerd.sock, /var/snap/microk8s/common/run/containerd.sock, "
            "/run/k0s/containerd.sock; pass --runtime-endpoint unix:///path/to/socket, as root");
}

TEST(Endpoints, TheImageEndpointIsItsOwnChoice) {
  FakeNode node;
  auto sources = Sources();
  sources[3].runtime = "/run/a.sock";
  sources[0].image = "/run/b.sock";
  const auto choice = node.Choose(sources);
  ASSERT_TRUE(choice.ok());
  EXPECT_EQ(choice->runtime, "unix:///run/a.sock");
  EXPECT_EQ(choice->image, "unix:///run/b.sock");
}

TEST(Endpoints, AnImageEndpointOfAnotherRuntimeIsNotMixedIn) {
  FakeNode node;
  auto sources = Sources();
  sources[0].runtime = "/run/a.sock";
  sources[3].runtime = "/run/other.sock";
  sources[3].image = "/run/other-images.sock";
  sources[4].image = "/run/crictl-images.sock";
  EXPECT_EQ(node.Choose(sources)->image, "unix:///run/a.sock");
}

TEST(Endpoints, AnImageEndpointNamedForTheSameRuntimeCounts) {
  FakeNode node{.listening = {"/run/a.sock"}, .links = {{"/var/run/a.sock", "/run/a.sock"}}};
  auto sources = Sources();
  sources[0].runtime = "/run/a.sock";
  sources[3].runtime = "unix:///var/run/a.sock";
  sources[3].image = "/run/images.sock";
  EXPECT_EQ(node.Choose(sources)->image, "unix:///run/images.sock");
}

TEST(Endpoints, ANamedEndpointThatIsNoSocketIsAnErrorOfItsSource) {
  FakeNode node;
  auto sources = Sources();
  sources[1].runtime = "tcp://10.0.0.1:1234";
  const auto choice = node.Choose(sources);
  ASSERT_FALSE(choice.ok());
  EXPECT_EQ(choice.error().code, base::ErrorCode::kUsage);
  EXPECT_EQ(choice.error().message,
            "CONTAINER_RUNTIME_ENDPOINT: 'tcp://10.0.0.1:1234' is not an endpoint: write it like "
            "unix:///run/containerd/containerd.sock");
  sources[1] = {.name = "x", .runtime = "/run/a.sock", .image = "images"};
  EXPECT_THAT(node.Choose(sources).error().message, HasSubstr("x: 'images' is not an endpoint"));
}

TEST(Endpoints, CandidatesAreNamedOnesFirstThenTheKnownSockets) {
  auto sources = Sources();
  sources[4].runtime = "unix:///run/a.sock";
  const auto candidates = EndpointCandidates(sources);
  ASSERT_EQ(candidates.size(), 9U);
  EXPECT_EQ(candidates[0].source, "/etc/crictl.yaml");
  EXPECT_TRUE(candidates[0].named);
  EXPECT_EQ(candidates[1].endpoint, "unix:///run/containerd/containerd.sock");
  EXPECT_EQ(candidates[1].source, "socket of containerd");
  EXPECT_FALSE(candidates[1].named);
}

TEST(Endpoints, AreReadInThreeSpellings) {
  for (const char* text : {"unix:///run/x.sock", "unix:/run/x.sock", "/run/x.sock"}) {
    EXPECT_EQ(*ParseEndpoint(text), "unix:///run/x.sock") << text;
  }
  for (const char* text : {"", "/", "unix://", "unix://run/x", "run/x", "http:///x", "npipe:////x",
                           "//x", "unix:////x", "/a b", "unix:///a\n"}) {
    EXPECT_FALSE(ParseEndpoint(text).ok()) << text;
  }
}

}  // namespace
}  // namespace ebb::config
