#include "wire/proxy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <thread>

#include "wire/wire_rig.h"

namespace ebb::wire {
namespace {

using ::testing::HasSubstr;

struct ProxyRig : WireRig {
  explicit ProxyRig(testing::Profile profile,
                    std::function<void(const Call&)> before_forward = nullptr)
      : WireRig(std::move(profile)),
        proxy(std::move(*Proxy::Start({front, socket, std::move(before_forward)}))),
        through(front) {}

  std::string front = dir / "proxy.sock";
  std::unique_ptr<Proxy> proxy;
  Client through;
};

TEST(Proxy, PassesCallsThroughAndRecordsThem) {
  ProxyRig rig(testing::Containerd17());
  const image::ImageId id = rig.node.AddImage("a.example/a:1", {100});
  v1::ListImagesResponse listed;
  ASSERT_TRUE(rig.through.List(listed).ok());
  ASSERT_EQ(listed.images_size(), 1);
  EXPECT_EQ(listed.images(0).id(), id.value);
  EXPECT_TRUE(rig.through.Remove(id.value).ok());
  EXPECT_FALSE(rig.node.Has(id));
  const std::vector<Call> calls = rig.proxy->calls();
  ASSERT_EQ(calls.size(), 2);
  EXPECT_EQ(calls[0].method, "/runtime.v1.ImageService/ListImages");
  EXPECT_EQ(calls[1].method, "/runtime.v1.ImageService/RemoveImage");
  EXPECT_EQ(calls[1].object, id.value);
  EXPECT_LE(calls[0].time, calls[1].time);
}

TEST(Proxy, PassesErrorsThrough) {
  ProxyRig rig(testing::CriO136());
  const image::ImageId id = rig.node.AddImage("a.example/a:1", {100});
  rig.node.AddContainer(id.value);
  const grpc::Status refused = rig.through.Remove(id.value);
  EXPECT_EQ(refused.error_code(), grpc::StatusCode::UNKNOWN);
  EXPECT_THAT(refused.error_message(), HasSubstr("image is in use by a container"));
}

TEST(Proxy, PassesStreamsThroughMessageByMessage) {
  ProxyRig rig(testing::CriO136());
  for (int i = 0; i < 5; ++i) rig.node.AddImage("a.example/a:" + std::to_string(i), {1});
  grpc::ClientContext context;
  const auto reader = rig.through.images->StreamImages(&context, {});
  int messages = 0;
  for (v1::StreamImagesResponse response; reader->Read(&response);) ++messages;
  EXPECT_TRUE(reader->Finish().ok());
  EXPECT_EQ(messages, 5);
}

TEST(Proxy, PassesListsOfAnySizeThrough) {
  ProxyRig rig(testing::Containerd17());
  for (int i = 0; i < 17; ++i) rig.node.AddImage("a.example/a:" + std::to_string(i), {1});
  rig.server->SetPadding(1 << 20);
  v1::ListImagesResponse listed;
  EXPECT_TRUE(rig.through.List(listed).ok());
  EXPECT_EQ(listed.images_size(), 17);
}

TEST(Proxy, ForwardsMetadata) {
  WireRig rig(testing::Containerd17());
  const std::string middle = rig.dir / "middle.sock";
  const std::string front = rig.dir / "front.sock";
  const auto inner = Proxy::Start({middle, rig.socket, nullptr});
  ASSERT_TRUE(inner.ok());
  const auto outer = Proxy::Start({front, middle, nullptr});
  ASSERT_TRUE(outer.ok());
  const Client client(front);
  grpc::ClientContext context;
  context.AddMetadata("containerd-namespace", "k8s.io");
  EXPECT_TRUE(client.Remove("sha256:absent", context).ok());
  ASSERT_EQ((*inner)->calls().size(), 1);
  EXPECT_EQ((*inner)->calls().front().space, "k8s.io");
}

TEST(Proxy, RunsAHookBeforeTheUpstreamHearsOfTheCall) {
  ProxyRig* the_rig = nullptr;
  ProxyRig rig(testing::CriO136(), [&](const Call& call) {
    if (Removes(call.method)) the_rig->node.AddContainer(call.object);
  });
  the_rig = &rig;
  const image::ImageId id = rig.node.AddImage("a.example/a:1", {100});
  EXPECT_FALSE(rig.through.Remove(id.value).ok());
  EXPECT_TRUE(rig.node.Has(id));
}

TEST(Proxy, AFailedCallNeverReachesTheUpstream) {
  ProxyRig rig(testing::Containerd17());
  const image::ImageId id = rig.node.AddImage("a.example/a:1", {100});
  rig.proxy->faults().Set("/runtime.v1.ImageService/RemoveImage",
                          {.code = grpc::StatusCode::INTERNAL, .message = "no"});
  const grpc::Status failed = rig.through.Remove(id.value);
  EXPECT_EQ(failed.error_code(), grpc::StatusCode::INTERNAL);
  EXPECT_EQ(failed.error_message(), "no");
  EXPECT_TRUE(rig.node.asked().empty());
  EXPECT_EQ(rig.proxy->calls().size(), 1);
}

TEST(Proxy, ADroppedCallIsNeverAnswered) {
  ProxyRig rig(testing::Containerd17());
  rig.proxy->faults().Set("RemoveImage", {.kind = Fault::Kind::kDrop});
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::milliseconds(50));
  EXPECT_EQ(rig.through.Remove("sha256:a", context).error_code(),
            grpc::StatusCode::DEADLINE_EXCEEDED);
  EXPECT_TRUE(rig.node.asked().empty());
}

TEST(Proxy, ADelayedCallGoesOnAfterwards) {
  ProxyRig rig(testing::Containerd17());
  rig.proxy->faults().Set("RemoveImage",
                          {.kind = Fault::Kind::kDelay, .delay = std::chrono::milliseconds(30)});
  const auto before = std::chrono::steady_clock::now();
  EXPECT_TRUE(rig.through.Remove("sha256:a").ok());
  EXPECT_GE(std::chrono::steady_clock::now() - before, std::chrono::milliseconds(30));
  EXPECT_EQ(rig.node.asked().size(), 1);
}

TEST(Proxy, ACutBreaksTheConnection) {
  ProxyRig rig(testing::Containerd17());
  rig.proxy->faults().Set("RemoveImage", {.kind = Fault::Kind::kCut, .times = 1});
  const grpc::Status cut = rig.through.Remove("sha256:a");
  EXPECT_EQ(cut.error_code(), grpc::StatusCode::UNAVAILABLE) << cut.error_message();
  EXPECT_TRUE(rig.node.asked().empty());
}

TEST(Proxy, SaysSoWhenTheUpstreamIsGone) {
  ProxyRig rig(testing::Containerd17());
  rig.server.reset();
  EXPECT_EQ(rig.through.Remove("sha256:a").error_code(), grpc::StatusCode::UNAVAILABLE);
}

// Waits for another thread, for at most ten seconds.
bool Eventually(const std::function<bool()>& happened) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (!happened() && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  return happened();
}

TEST(Proxy, CancelsUpstreamWhenTheClientGivesUp) {
  ProxyRig rig(testing::Containerd17());
  rig.server->faults().Set("RemoveImage", {.kind = Fault::Kind::kDrop});
  grpc::ClientContext context;
  std::thread client([&] {
    EXPECT_EQ(rig.through.Remove("sha256:a", context).error_code(), grpc::StatusCode::CANCELLED);
  });
  EXPECT_TRUE(Eventually([&] { return rig.proxy->calls().size() == 1; }));
  context.TryCancel();
  client.join();
  // The server never answers, so only a cancelled call ends.
  EXPECT_TRUE(Eventually([&] { return rig.proxy->calls().front().code >= 0; }));
}

TEST(Proxy, CarriesManyCallsAtOnce) {
  ProxyRig rig(testing::Containerd17());
  std::vector<std::thread> clients;
  for (int i = 0; i < 16; ++i) {
    clients.emplace_back([&, i] {
      for (int n = 0; n < 10; ++n) {
        EXPECT_TRUE(rig.through.Remove("sha256:" + std::to_string(100 * i + n)).ok());
      }
    });
  }
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(rig.proxy->calls().size(), 160);
  EXPECT_EQ(rig.node.asked().size(), 160);
}

TEST(Record, NamesTheObjectOfARemoval) {
  v1::RemoveImageRequest request;
  (*request.mutable_image()->mutable_annotations())["a"] = "b";
  request.mutable_image()->set_image("sha256:abc");
  request.mutable_image()->set_runtime_handler("kata");
  EXPECT_EQ(ObjectOf("/runtime.v1.ImageService/RemoveImage", request.SerializeAsString()),
            "sha256:abc");
  EXPECT_EQ(ObjectOf("/containerd.services.images.v1.Images/Delete",
                     "\x0a\x03"
                     "a:1\x10\x01"),
            "a:1");
  EXPECT_EQ(ObjectOf("/containerd.services.snapshots.v1.Snapshots/Remove", "\x0a\x01o\x12\x02k1"),
            "k1");
}

TEST(Record, BrokenBytesNameNothing) {
  constexpr std::string_view kDelete = "/containerd.services.images.v1.Images/Delete";
  EXPECT_EQ(ObjectOf(kDelete, "\x0a\x7fshort"), "");
  EXPECT_EQ(ObjectOf(kDelete, "\xff\xff\xff"), "");
  EXPECT_EQ(ObjectOf(kDelete, "\x0f"), "");
}

TEST(Record, WritesOneJsonLine) {
  const std::string line = JsonLine({.method = "/a.B/C", .object = "x\ny", .space = "k8s.io"});
  EXPECT_EQ(line.find('\n'), std::string::npos);
  EXPECT_THAT(line, HasSubstr(R"("object":"x\ny")"));
  EXPECT_THAT(line, HasSubstr(R"("namespace":"k8s.io")"));
}

}  // namespace
}  // namespace ebb::wire
