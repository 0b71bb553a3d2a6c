#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <fstream>

#include "kube/pod_sources.h"
#include "testing/manual_clock.h"
#include "testing/temp_dir.h"
#include "web/server.h"

namespace ebb::kube {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using web::Authority;
using web::Identity;
using web::TestServer;

constexpr const char* kNames = "IP:127.0.0.1";

std::string ListOf(const std::vector<std::string>& names, const std::string& next = "") {
  std::string items;
  for (const std::string& name : names) {
    items += std::string(items.empty() ? "" : ",") + R"({"metadata":{"uid":"u-)" + name +
             R"(","namespace":"s","name":")" + name + R"("},"spec":{"containers":[{"image":"r/)" +
             name + R"("}]}})";
  }
  return R"({"kind":"PodList","metadata":{"continue":")" + next + R"("},"items":[)" + items + "]}";
}

web::Talk Says(const std::string& answer) {
  return [answer](const std::string&) { return answer; };
}

// The names of the pods, or the error.
std::vector<std::string> NamesOf(engine::PodSource& source) {
  const auto pods = source.Read();
  if (!pods.ok()) return {pods.error().message};
  std::vector<std::string> names;
  names.reserve(pods->size());
  for (const image::Pod& pod : *pods) names.push_back(pod.name);
  return names;
}

class Pods : public ::testing::Test {
 protected:
  std::string File(const std::string& name, const std::string& content) const {
    std::ofstream(dir_ / name) << content;
    return dir_ / name;
  }
  Access To(const TestServer& server) const {
    return {.server = server.url(), .ca = {.data = authority_.certificate()}};
  }

  testing::TempDir dir_;
  testing::ManualClock clock_;
  Authority authority_;
};

TEST_F(Pods, ComeFromTheKubeletByClientCertificate) {
  const TestServer server(Says(web::Ok(ListOf({"a", "b"}))), authority_.Issue(kNames),
                          authority_.certificate());
  const Identity me = authority_.Issue("DNS:node");
  Access access = To(server);
  access.certificate.file = File("node.crt", me.certificate);
  access.key.file = File("node.key", me.key);
  const auto source = KubeletPods(access, clock_);
  EXPECT_EQ(source->Name(), "kubelet at " + server.url());
  EXPECT_THAT(NamesOf(*source), ElementsAre("a", "b"));
  EXPECT_THAT(NamesOf(*source), ElementsAre("a", "b"));
  EXPECT_EQ(server.connections(), 1);
  EXPECT_THAT(server.heard().front(), HasSubstr("GET /pods HTTP/1.1"));
  const Identity renewed = authority_.Issue("DNS:node");
  File("node.crt", renewed.certificate);
  EXPECT_THAT(NamesOf(*source), ElementsAre(HasSubstr("client key cannot be used")));
  File("node.key", renewed.key);
  EXPECT_THAT(NamesOf(*source), ElementsAre("a", "b"));
  EXPECT_EQ(server.connections(), 2);
}

TEST_F(Pods, ComeFromTheKubeletsReadOnlyPort) {
  const TestServer server(Says(web::Ok(ListOf({"a"}))));
  EXPECT_THAT(NamesOf(*KubeletPods({.server = server.url()}, clock_)), ElementsAre("a"));
}

TEST_F(Pods, AreReadWithTheTokenAsItIsInItsFile) {
  const TestServer server(Says(web::Ok(ListOf({"a"}))), authority_.Issue(kNames));
  Access access = To(server);
  access.token.file = File("token", "first\n");
  const auto source = KubeletPods(access, clock_);
  EXPECT_THAT(NamesOf(*source), ElementsAre("a"));
  File("token", "second");
  EXPECT_THAT(NamesOf(*source), ElementsAre("a"));
  ASSERT_THAT(server.heard(), SizeIs(2));
  EXPECT_THAT(server.heard()[0], HasSubstr("Authorization: Bearer first\r\n"));
  EXPECT_THAT(server.heard()[1], HasSubstr("Authorization: Bearer second\r\n"));
  std::filesystem::remove(access.token.file);
  EXPECT_THAT(NamesOf(*source), ElementsAre(HasSubstr("No such file")));
}

TEST_F(Pods, AreNotTakenFromAnAnswerThatIsNone) {
  for (const auto& [answer, error] : std::vector<std::pair<std::string, std::string>>{
           {web::Ok(""), "it is no JSON"},
           {web::Ok(ListOf({"a"}).substr(0, 60)), "it is no JSON"},
           {web::Ok(ListOf({"a"}, "more")), "only a part"},
           {web::Ok(R"({"kind":"Status"})"), "no PodList but 'Status'"},
           {web::Status(302), "it answers 302"},
           {web::Status(401, "Unauthorized"),
            "our credentials are not accepted (401): Unauthorized"},
           {web::Status(403, R"({"kind":"Status","message":"nodes \"n\" is forbidden"})"),
            "we may not read this (403): nodes \"n\" is forbidden"},
           {web::Status(503), "it answers 503"}}) {
    const TestServer server(Says(answer));
    EXPECT_THAT(NamesOf(*KubeletPods({.server = server.url()}, clock_)),
                ElementsAre(HasSubstr(error)));
  }
}

TEST_F(Pods, OfAHostileServerAreCutOff) {
  const std::string head = "HTTP/1.1 200 OK\r\nContent-Length: 104857600\r\n\r\n";
  const TestServer server(Says(head + std::string(std::size_t{100} << 20U, ' ')));
  EXPECT_THAT(NamesOf(*KubeletPods({.server = server.url()}, clock_)),
              ElementsAre(HasSubstr("larger than allowed")));
}

TEST_F(Pods, ComeFromTheApiServerPageByPage) {
  const TestServer server([](const std::string& request) {
    if (request.find("&continue=2%2F3 ") != std::string::npos) return web::Ok(ListOf({"c"}));
    return web::Ok(ListOf({"a", "b"}, "2/3"));
  });
  const auto source = ApiServerPods({.server = server.url()}, "node-1", clock_);
  EXPECT_THAT(NamesOf(*source), ElementsAre("a", "b", "c"));
  EXPECT_THAT(
      server.heard().front(),
      HasSubstr("GET /api/v1/pods?limit=250&fieldSelector=spec.nodeName%3Dnode-1 HTTP/1.1"));
}

TEST_F(Pods, AreReadAnewWhenThePagesExpire) {
  int expired = 0;
  const TestServer server([&](const std::string& request) {
    if (request.find("continue") == std::string::npos) return web::Ok(ListOf({"a"}, "x"));
    return ++expired == 1 ? web::Status(410, R"({"message":"expired"})") : web::Ok(ListOf({"b"}));
  });
  EXPECT_THAT(NamesOf(*ApiServerPods({.server = server.url()}, "n", clock_)),
              ElementsAre("a", "b"));
  const TestServer always([](const std::string& request) {
    return request.find("continue") == std::string::npos ? web::Ok(ListOf({"a"}, "x"))
                                                         : web::Status(410);
  });
  EXPECT_THAT(NamesOf(*ApiServerPods({.server = always.url()}, "n", clock_)),
              ElementsAre(HasSubstr("410")));
  const TestServer endless(Says(web::Ok(ListOf({"a"}, "again"))));
  EXPECT_THAT(NamesOf(*ApiServerPods({.server = endless.url()}, "n", clock_)),
              ElementsAre(HasSubstr("its list has no end")));
}

TEST_F(Pods, AreReadWithWhatAPluginPrintsUntilItExpires) {
  const std::string count = dir_ / "count";
  const std::string program =
      File("plugin", "#!/bin/sh\necho x >>" + count +
                         "\nprintf '{\"apiVersion\":\"client.authentication"
                         ".k8s.io/v1\",\"kind\":\"ExecCredential\",\"status\":"
                         "{\"token\":\"t%s\",\"expirationTimestamp\":\"%s\"}}'"
                         " $(wc -l <" +
                         count + ") $1\n");
  ASSERT_EQ(::chmod(program.c_str(), 0700), 0);
  std::atomic<bool> revoked = false;
  const TestServer server([&](const std::string& request) {
    const bool known = !revoked || request.find("Bearer t1") == std::string::npos;
    return known ? web::Ok(ListOf({"a"})) : web::Status(401);
  });
  const std::string expires = base::FormatTime(clock_.Now() + std::chrono::hours(1));
  const auto source = KubeletPods(
      {.server = server.url(), .plugin = ExecPlugin{.command = {program, expires}}}, clock_);
  const auto used = [&] {
    EXPECT_THAT(NamesOf(*source), ElementsAre("a"));
    const std::string request = server.heard().back();
    return request.substr(request.find("Bearer ") + 7, 2);
  };
  EXPECT_EQ(used(), "t1");
  EXPECT_EQ(used(), "t1");
  revoked = true;
  EXPECT_EQ(used(), "t2");
  EXPECT_EQ(used(), "t2");
  clock_.Advance(std::chrono::hours(1));
  EXPECT_EQ(used(), "t3");
}

TEST_F(Pods, ComeFromStaticManifestsAsTheKubeletReadsThem) {
  const std::string pod =
      "kind: Pod\nmetadata: {name: NAME, namespace: kube-system}\n"
      "spec: {containers: [{image: r/NAME}]}\n";
  const auto put = [&](const std::string& file, const std::string& name) {
    std::string text = pod;
    for (auto at = text.find("NAME"); at != std::string::npos; at = text.find("NAME")) {
      text.replace(at, 4, name);
    }
    return File(file, text);
  };
  put("b.yaml", "etcd");
  put("a", "api");
  put(".hidden", "hidden");
  std::filesystem::create_directory(dir_ / "below");
  put("below/c.yaml", "below");
  const auto source = StaticPods(dir_.path(), "Node-1");
  EXPECT_EQ(source->Name(), "manifests in " + dir_.path().string());
  EXPECT_THAT(NamesOf(*source), ElementsAre("api-node-1", "etcd-node-1"));
  EXPECT_THAT(NamesOf(*StaticPods(dir_.path(), "")), ElementsAre("api", "etcd"));
  File("broken.yaml", "kind: [");
  EXPECT_THAT(NamesOf(*source),
              ElementsAre(HasSubstr((dir_ / "broken.yaml").string() + ": it is no")));
  EXPECT_THAT(NamesOf(*StaticPods(dir_ / "nowhere", "")), ElementsAre(HasSubstr("No such file")));
}

}  // namespace
}  // namespace ebb::kube
