// A whole cluster read from an API server, over real TLS.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <fstream>

#include "kube/live.h"
#include "testing/manual_clock.h"
#include "testing/temp_dir.h"
#include "web/api_objects.h"
#include "web/api_server.h"

namespace ebb::kube {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

graph::Object Of(const std::string& api_version, const std::string& kind, const std::string& name,
                 const std::string& ns = "shop") {
  return {.id = {api_version, kind, ns, name, "u-" + name}};
}

graph::OwnerReference To(const graph::Object& owner) {
  return {.api_version = owner.id.api_version,
          .kind = owner.id.kind,
          .name = owner.id.name,
          .uid = owner.id.uid,
          .block = true,
          .controller = true};
}

class Live : public ::testing::Test {
 protected:
  Live() {
    state_->Put(deployment_);
    auto set = Of("apps/v1", "ReplicaSet", "web-1");
    set.owners = {To(deployment_)};
    set.finalizers = {"a/b", "foregroundDeletion"};
    set.deleting = true;
    state_->Put(set);
    state_->Put(Of("v1", "Node", "n1", ""));
  }

  void Start() { server_.emplace(state_, authority_); }
  base::Result<LiveCluster> Read(const std::string& ns = "") {
    if (!server_) Start();
    Session session({.server = server_->url(), .ca = {.data = authority_.certificate()}}, clock_);
    return ReadCluster(session, ns);
  }
  void Fail(const std::string& beginning, const std::string& answer) {
    state_->fault = [=](const std::string& target) {
      return target.starts_with(beginning) ? std::optional(answer) : std::nullopt;
    };
  }
  static std::vector<std::string> NamesIn(const graph::World& world) {
    std::vector<std::string> names;
    for (const auto id : world.graph().All()) {
      names.push_back(graph::NameOf(world.graph().IdentityOf(id)));
    }
    return names;
  }
  std::vector<std::string> Asked() const {
    std::vector<std::string> targets;
    for (const std::string& request : server_->http().heard()) {
      targets.push_back(request.substr(4, request.find(' ', 4) - 4));
    }
    return targets;
  }

  testing::ManualClock clock_;
  web::Authority authority_;
  graph::Object deployment_ = Of("apps/v1", "Deployment", "web");
  std::shared_ptr<web::ApiState> state_ = std::make_shared<web::ApiState>();
  std::optional<web::ApiServer> server_;
};

TEST_F(Live, AClusterIsItsObjectsWithTheirOwnersAndFinalizers) {
  for (const bool protobuf : {true, false}) {
    for (const bool aggregated : {true, false}) {
      state_->protobuf = protobuf;
      state_->aggregated = aggregated;
      server_.reset();
      const auto live = Read();
      ASSERT_TRUE(live.ok()) << live.error().message;
      EXPECT_THAT(live->unread, IsEmpty());
      EXPECT_THAT(NamesIn(live->world),
                  UnorderedElementsAre("Node n1", "Deployment shop/web", "ReplicaSet shop/web-1"));
      const graph::Object set = live->world.At(live->world.Find("u-web-1"));
      EXPECT_EQ(set.id.api_version, "apps/v1");
      EXPECT_THAT(set.owners, ElementsAre(To(deployment_)));
      EXPECT_THAT(set.finalizers, ElementsAre("a/b", "foregroundDeletion"));
      EXPECT_TRUE(set.deleting);
      EXPECT_EQ(live->world.kinds.IsNamespaced("v1", "Node"), false);
      EXPECT_EQ(live->world.kinds.IsNamespaced("v1", "Event"), true);
    }
  }
}

TEST_F(Live, EventsAndWhatCannotBeListedAreNotAskedFor) {
  ASSERT_TRUE(Read().ok());
  EXPECT_THAT(Asked(), Contains("/api/v1/pods?limit=500"));
  EXPECT_THAT(Asked(), Not(Contains(HasSubstr("events"))));
  EXPECT_THAT(Asked(), Not(Contains(HasSubstr("bindings"))));
}

TEST_F(Live, AVersionThatIsNotTheFirstOfItsGroupIsServedButNotRead) {
  state_->Serve({"apps/v1beta2", "Deployment", "deployments"});
  const auto live = Read();
  ASSERT_TRUE(live.ok());
  EXPECT_EQ(live->world.kinds.IsNamespaced("apps/v1beta2", "Deployment"), true);
  EXPECT_THAT(Asked(), Not(Contains(HasSubstr("v1beta2"))));
}

TEST_F(Live, AKindThatTwoGroupsServeIsOneObjectAndNoDuplicate) {
  state_->Serve({"old/v1", "Deployment", "deployments"});
  Fail("/apis/old/v1/deployments", web::Ok(web::ListAsJson(std::vector{deployment_}, "")));
  const auto live = Read();
  ASSERT_TRUE(live.ok());
  EXPECT_THAT(live->world.duplicates(), IsEmpty());
}

TEST_F(Live, ListsAreReadPageByPage) {
  for (int i = 0; i < 7; ++i) state_->Put(Of("v1", "Pod", "p" + std::to_string(i)));
  state_->page = 3;
  const auto live = Read();
  ASSERT_TRUE(live.ok());
  EXPECT_EQ(live->world.size(), 10U);
  EXPECT_THAT(Asked(), Contains("/api/v1/pods?limit=500&continue=6"));
}

TEST_F(Live, AListWhoseTokenExpiredIsBegunAnew) {
  for (int i = 0; i < 7; ++i) state_->Put(Of("v1", "Pod", "p" + std::to_string(i)));
  state_->page = 3;
  std::atomic<int> expired = 0;
  state_->fault = [&](const std::string& target) -> std::optional<std::string> {
    if (target != "/api/v1/pods?limit=500&continue=3" || expired++ > 0) return std::nullopt;
    return web::StatusAnswer(410, "Expired", "too old");
  };
  const auto live = Read();
  ASSERT_TRUE(live.ok());
  EXPECT_EQ(live->world.size(), 10U);
  EXPECT_THAT(live->unread, IsEmpty());
  EXPECT_THAT(live->world.duplicates(), IsEmpty());
}

TEST_F(Live, AListThatExpiresAgainAndAgainGoesOnWhereTheServerOffersIt) {
  for (int i = 0; i < 7; ++i) state_->Put(Of("v1", "Pod", "p" + std::to_string(i)));
  state_->page = 3;
  Fail("/api/v1/pods?limit=500&continue=3",
       web::Status(410, R"({"kind":"Status","reason":"Expired","metadata":{"continue":"4"}})"));
  const auto live = Read();
  ASSERT_TRUE(live.ok());
  EXPECT_EQ(live->world.size(), 9U);  // the fourth pod is of a state that is lost
  EXPECT_THAT(live->unread, IsEmpty());
}

TEST_F(Live, WhatMayNotBeReadIsNamedAndTheRestGoesOn) {
  auto pod = Of("v1", "Pod", "a");
  pod.owners = {To(Of("v1", "Secret", "s"))};
  state_->Put(pod);
  Fail("/api/v1/secrets", web::StatusAnswer(403, "Forbidden", "no right to list secrets"));
  const auto live = Read();
  ASSERT_TRUE(live.ok());
  EXPECT_THAT(live->unread, ElementsAre(HasSubstr("secrets: " + server_->url() +
                                                  ": we may not read this (403): no right")));
  EXPECT_EQ(live->world.size(), 4U);
  // An owner among them may be there: nobody may take it for absent.
  EXPECT_EQ(live->world.kinds.IsNamespaced("v1", "Secret"), std::nullopt);
  EXPECT_FALSE(live->world.kinds.complete());
  EXPECT_TRUE(live->world.kinds.IsNamespaced("v1", "Pod").has_value());
}

TEST_F(Live, WhatMayBeReadInOneNamespaceAloneIsReadThere) {
  state_->Put(Of("v1", "Pod", "a", "shop"));
  state_->Put(Of("v1", "Pod", "b", "other"));
  Fail("/api/v1/pods", web::StatusAnswer(403, "Forbidden", "not in all namespaces"));
  const auto live = Read("shop");
  ASSERT_TRUE(live.ok());
  EXPECT_THAT(NamesIn(live->world), Contains("Pod shop/a"));
  EXPECT_THAT(NamesIn(live->world), Not(Contains("Pod other/b")));
  EXPECT_THAT(live->unread, ElementsAre(HasSubstr("pods: only of namespace shop")));
}

TEST_F(Live, AGroupWhoseServerIsDownIsNamedAndNotTakenForAbsent) {
  state_->stale = {"metrics.k8s.io/v1beta1"};
  for (const bool aggregated : {true, false}) {
    state_->aggregated = aggregated;
    server_.reset();
    const auto live = Read();
    ASSERT_TRUE(live.ok()) << live.error().message;
    EXPECT_THAT(live->unread, ElementsAre(HasSubstr("metrics.k8s.io/v1beta1: ")));
    EXPECT_TRUE(live->world.kinds.IsUnread("metrics.k8s.io/v1", "NodeMetrics"));
  }
}

TEST_F(Live, AnOwnerThatNoListHasIsAskedForByName) {
  auto pod = Of("v1", "Pod", "late-pod");
  const auto late = Of("apps/v1", "ReplicaSet", "late");
  pod.owners = {To(late), To(Of("apps/v1", "ReplicaSet", "never"))};
  state_->Put(pod);
  Fail("/apis/apps/v1/namespaces/shop/replicasets/late", web::Ok(web::ObjectAsJson(late)));
  const auto live = Read();
  ASSERT_TRUE(live.ok());
  EXPECT_THAT(live->unread, IsEmpty());
  EXPECT_NE(live->world.Find("u-late"), graph::Graph::kNone);
  EXPECT_EQ(live->world.Find("u-never"), graph::Graph::kNone);
  EXPECT_THAT(Asked(), Contains("/apis/apps/v1/namespaces/shop/replicasets/never"));
}

TEST_F(Live, A404ThatNamesNobodyProvesNothing) {
  auto pod = Of("v1", "Pod", "a");
  pod.owners = {To(Of("apps/v1", "ReplicaSet", "gone"))};
  state_->Put(pod);
  const std::string path = "/apis/apps/v1/namespaces/shop/replicasets/gone";
  for (const std::string& answer :
       {web::Status(404, "404 page not found\n"),
        web::Status(404, R"({"kind":"Status","reason":"NotFound","details":{"name":"other"}})"),
        web::Status(404, R"({"kind":"Status","reason":"Other","details":{"name":"gone"}})")}) {
    Fail(path, answer);
    server_.reset();
    const auto live = Read();
    ASSERT_TRUE(live.ok());
    EXPECT_EQ(live->world.kinds.IsNamespaced("apps/v1", "ReplicaSet"), std::nullopt) << answer;
    EXPECT_THAT(live->unread, ElementsAre(HasSubstr("replicasets.apps: "))) << answer;
  }
}

TEST_F(Live, AServerThatIsBusyIsAskedAgainWhenItSays) {
  std::atomic<int> busy = 0;
  state_->fault = [&](const std::string& target) -> std::optional<std::string> {
    if (!target.starts_with("/api/v1/pods") || ++busy > 2) return std::nullopt;
    return web::StatusAnswer(429, "TooManyRequests", "later", "Retry-After: 3\r\n");
  };
  const auto began = clock_.Elapsed();
  const auto live = Read();
  ASSERT_TRUE(live.ok());
  EXPECT_THAT(live->unread, IsEmpty());
  EXPECT_EQ(clock_.Elapsed() - began, std::chrono::seconds(6));
  Fail("/api/v1/pods", web::StatusAnswer(429, "TooManyRequests", "later", "Retry-After: 9000\r\n"));
  EXPECT_THAT(Read()->unread, ElementsAre(HasSubstr("pods: ")));
  EXPECT_LE(clock_.Elapsed() - began, std::chrono::seconds(60));
}

TEST_F(Live, AnswersThatAreNoneLeaveTheirKindUnread) {
  const std::string whole = web::ListAsProtobuf(std::vector{deployment_}, "");
  const auto protobuf = [](const std::string& body) {
    return "HTTP/1.1 200 OK\r\nContent-Type: application/vnd.kubernetes.protobuf\r\n"
           "Content-Length: " +
           std::to_string(body.size()) + "\r\n\r\n" + body;
  };
  for (const std::string& answer :
       {web::Ok(""), web::Ok(R"({"kind":"Status"})"), web::Ok(R"({"kind":"PodList","items":7})"),
        web::Status(500), std::string("no HTTP"), std::string(), protobuf(""), protobuf("k8s"),
        protobuf(whole.substr(0, whole.size() - 3))}) {
    Fail("/api/v1/pods", answer);
    server_.reset();
    const auto live = Read();
    ASSERT_TRUE(live.ok()) << live.error().message;
    EXPECT_THAT(live->unread, ElementsAre(HasSubstr("pods: "))) << answer;
    EXPECT_EQ(live->world.size(), 3U);
  }
}

TEST_F(Live, AServerThatKnowsNoMetadataListsGivesWholeObjects) {
  Fail("/api/v1/pods", web::Ok(R"({"kind":"PodList","apiVersion":"v1","metadata":{},"items":[
    {"metadata":{"name":"a","namespace":"shop","uid":"u-a"},"spec":{"x":[{"kind":"y"}]}},
    {"metadata":{"name":"without-uid"}}]})"));
  const auto live = Read();
  ASSERT_TRUE(live.ok());
  EXPECT_THAT(live->unread, IsEmpty());
  EXPECT_EQ(live->world.At(live->world.Find("u-a")).id.kind, "Pod");
  EXPECT_EQ(live->world.size(), 4U);
}

TEST_F(Live, FewConnectionsAreUsedAndUsedAgain) {
  for (int i = 0; i < 40; ++i) {
    state_->Serve({"g" + std::to_string(i) + ".example/v1", "Thing", "things"});
  }
  ASSERT_TRUE(Read().ok());
  EXPECT_LE(server_->http().connections(), 6);
  EXPECT_GE(Asked().size(), 46U);
}

TEST_F(Live, NothingIsReadFromAServerThatRefusesOrIsNone) {
  Fail("/api", web::StatusAnswer(401, "Unauthorized", "who are you"));
  const auto refused = Read();
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message, HasSubstr("our credentials are not accepted (401)"));
  Fail("/", web::Status(404, "404 page not found"));
  EXPECT_FALSE(Read().ok());
  Fail("/api/v1/", web::StatusAnswer(403, "Forbidden", "x"));
  EXPECT_TRUE(Read().ok());
  Fail("/", web::StatusAnswer(503, "x", "x"));
  EXPECT_FALSE(Read().ok());
}

TEST_F(Live, AServerThatGoesAwayInBetweenIsAnErrorAndNoSmallerCluster) {
  for (int i = 0; i < 40; ++i) {
    state_->Serve({"g" + std::to_string(i) + ".example/v1", "Thing", "things"});
  }
  Fail("/apis/g", "");
  const auto live = Read();
  ASSERT_FALSE(live.ok());
  EXPECT_EQ(live.error().code, base::ErrorCode::kUnavailable);
}

}  // namespace
}  // namespace ebb::kube
