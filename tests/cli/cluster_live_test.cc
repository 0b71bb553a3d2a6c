// `ebb cluster` against an API server over TLS, and against a real cluster where one is named.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "cli/program.h"
#include "testing/temp_dir.h"
#include "web/api_server.h"

namespace ebb::cli {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;

class ClusterLive : public ::testing::Test {
 protected:
  ClusterLive() {
    const graph::Object web{.id = {"apps/v1", "Deployment", "shop", "web", "u1"}};
    state_->Put(web);
    graph::Object set{.id = {"apps/v1", "ReplicaSet", "shop", "web-1", "u2"}};
    set.owners = {{.api_version = "apps/v1",
                   .kind = "Deployment",
                   .name = "web",
                   .uid = "u1",
                   .block = {},
                   .controller = true}};
    state_->Put(set);
  }
  Ran Cluster(std::vector<std::string> words) {
    if (!server_) server_.emplace(state_, authority_);
    std::ofstream(directory_ / "config") << server_->Kubeconfig();
    words.insert(words.begin(), "cluster");
    words.insert(words.end(), {"--kubeconfig", directory_ / "config"});
    return Ebb(words);
  }

  testing::TempDir directory_;
  web::Authority authority_;
  std::shared_ptr<web::ApiState> state_ = std::make_shared<web::ApiState>();
  std::optional<web::ApiServer> server_;
};

TEST_F(ClusterLive, APreviewAsksTheClusterAndChangesNothing) {
  const Ran ran = Cluster({"preview", "delete", "deploy/web"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
  EXPECT_THAT(ran.out, HasSubstr("2 objects go: 1 Deployment, 1 ReplicaSet"));
  for (const std::string& request : server_->http().heard()) {
    EXPECT_THAT(request, HasSubstr("GET /"));
    EXPECT_THAT(request, HasSubstr("Authorization: Bearer secret-token\r\n"));
  }
  EXPECT_EQ(Cluster({"lint"}).code, 0);
}

TEST_F(ClusterLive, WhatMayNotBeReadIsSaidAndNobodyIsTakenForAbsent) {
  graph::Object pod{.id = {"v1", "Pod", "shop", "a", "u3"}};
  pod.owners = {{.api_version = "v1", .kind = "Secret", .name = "s", .uid = "u4", .block = {}}};
  state_->Put(pod);
  state_->fault = [](const std::string& target) -> std::optional<std::string> {
    if (target.find("secrets") == std::string::npos) return std::nullopt;
    return web::StatusAnswer(403, "Forbidden", "no");
  };
  const Ran ran = Cluster({"lint"});
  EXPECT_THAT(ran.err, HasSubstr("ebb: warning: not read: secrets: https://127.0.0.1:"));
  EXPECT_THAT(ran.err, HasSubstr("we may not read this (403)"));
  EXPECT_THAT(ran.out, HasSubstr("kind-not-read"));
  EXPECT_THAT(ran.out, Not(HasSubstr("dangling")));
  EXPECT_THAT(Cluster({"preview", "delete", "pod/a", "-o", "json"}).out,
              HasSubstr("\"allKindsRead\": false"));
}

TEST_F(ClusterLive, AnOwnerThatTheServerDoesNotHaveIsDangling) {
  graph::Object pod{.id = {"v1", "Pod", "shop", "a", "u3"}};
  pod.owners = {{.api_version = "v1", .kind = "Secret", .name = "s", .uid = "u4", .block = {}}};
  state_->Put(pod);
  const Ran ran = Cluster({"lint"});
  EXPECT_EQ(ran.code, 7);
  EXPECT_THAT(ran.out, HasSubstr("dangling"));
}

TEST_F(ClusterLive, AServerThatIsNotTrustedOrSilentIsAnErrorWithItsAddress) {
  const web::Authority other;
  server_.emplace(state_, authority_);
  std::string config = server_->Kubeconfig();
  const auto data = config.find("certificate-authority-data");
  config.erase(data, config.find('}', data) - data);
  std::ofstream(directory_ / "stranger") << config;
  const Ran stranger = Ebb({"cluster", "lint", "--kubeconfig", directory_ / "stranger"});
  EXPECT_EQ(stranger.code, 1);
  EXPECT_THAT(stranger.err, HasSubstr("certificate is not trusted"));
  EXPECT_THAT(stranger.err, Not(HasSubstr("secret-token")));
  state_->fault = [](const std::string&) { return std::optional(std::string()); };
  const Ran silent = Cluster({"lint"});
  EXPECT_EQ(silent.code, 4);
  EXPECT_THAT(silent.err, HasSubstr(server_->url()));
}

TEST(RealCluster, IsReadAsItIs) {
  const char* const kubeconfig = std::getenv("EBB_TEST_KUBECONFIG");
  if (kubeconfig == nullptr) GTEST_SKIP() << "EBB_TEST_KUBECONFIG names no cluster";
  const Ran lint = Ebb({"cluster", "lint", "-o", "json", "--kubeconfig", kubeconfig});
  EXPECT_THAT(lint.code, AnyOf(0, 6, 7)) << lint.err;
  const Ran preview =
      Ebb({"cluster", "preview", "delete", "namespace/default", "--kubeconfig", kubeconfig});
  EXPECT_EQ(preview.code, 0) << preview.err;
  EXPECT_THAT(preview.out, HasSubstr("Namespace default"));
}

}  // namespace
}  // namespace ebb::cli
