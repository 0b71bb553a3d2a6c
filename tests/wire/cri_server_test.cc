#include "wire/cri_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "wire/wire_rig.h"

namespace ebb::wire {
namespace {

using ::testing::HasSubstr;

TEST(CriServer, ShowsImagesAsTheyAre) {
  WireRig rig(testing::Containerd17());
  const image::ImageId id = rig.node.AddImage("a.example/a:1", {100});
  rig.node.Pin(id);
  rig.node.ListTwice(id);
  v1::ListImagesResponse listed;
  ASSERT_TRUE(rig.client.List(listed).ok());
  ASSERT_EQ(listed.images_size(), 2);
  EXPECT_EQ(listed.images(0).id(), id.value);
  EXPECT_EQ(listed.images(0).repo_tags(0), "a.example/a:1");
  EXPECT_TRUE(listed.images(0).pinned());
  EXPECT_FALSE(listed.images(1).pinned());
}

TEST(CriServer, RemovesImagesOfTheNode) {
  WireRig rig(testing::Containerd17());
  const image::ImageId id = rig.node.AddImage("a.example/a:1", {100});
  EXPECT_TRUE(rig.client.Remove(id.value).ok());
  EXPECT_FALSE(rig.node.Has(id));
}

TEST(CriServer, RefusesInTheWordsOfCriO) {
  WireRig rig(testing::CriO136());
  const image::ImageId id = rig.node.AddImage("a.example/a:1", {100});
  rig.node.AddContainer(id.value);
  const grpc::Status refused = rig.client.Remove(id.value);
  EXPECT_EQ(refused.error_code(), grpc::StatusCode::UNKNOWN);
  EXPECT_THAT(refused.error_message(), HasSubstr("image is in use by a container"));
}

TEST(CriServer, NamesTheSandboxImageOnlyWhereTheRuntimeDoes) {
  for (const auto& [profile, names] :
       {std::pair{testing::Containerd17(), true}, std::pair{testing::Containerd21(), false}}) {
    WireRig rig(profile);
    rig.node.SetSandboxImage("a.example/pause:3");
    grpc::ClientContext context;
    v1::StatusRequest request;
    request.set_verbose(true);
    v1::StatusResponse response;
    ASSERT_TRUE(rig.client.runtime->Status(&context, request, &response).ok());
    const std::string& config = response.info().at("config");
    EXPECT_EQ(config.find("a.example/pause:3") != std::string::npos, names) << profile.name;
  }
}

TEST(CriServer, TellsDiffIdsToWhoAsksVerbosely) {
  WireRig rig(testing::Containerd17());
  const image::ImageId id = rig.node.AddImage({.name = "a.example/a:1", .layers = {{"base", {1}}}});
  grpc::ClientContext context;
  v1::ImageStatusRequest request;
  request.mutable_image()->set_image(id.value);
  request.set_verbose(true);
  v1::ImageStatusResponse response;
  ASSERT_TRUE(rig.client.images->ImageStatus(&context, request, &response).ok());
  EXPECT_THAT(response.info().at("info"), HasSubstr(testing::HexDigest("base")));
}

TEST(CriServer, ShowsImageVolumesAmongTheMounts) {
  WireRig rig(testing::Containerd21());
  rig.node.AddImage("a.example/a:1", {1});
  rig.node.AddImage("a.example/data:1", {1});
  const std::string id =
      rig.node.AddContainer({.image = "a.example/a:1", .volumes = {"a.example/data:1"}});
  grpc::ClientContext context;
  v1::ContainerStatusRequest request;
  request.set_container_id(id);
  v1::ContainerStatusResponse response;
  ASSERT_TRUE(rig.client.runtime->ContainerStatus(&context, request, &response).ok());
  ASSERT_EQ(response.status().mounts_size(), 2);
  EXPECT_EQ(response.status().mounts(1).image().image(), "a.example/data:1");
}

TEST(CriServer, AContainerMayBeGoneBetweenListAndStatus) {
  WireRig rig(testing::Containerd21());
  rig.node.AddImage("a.example/a:1", {1});
  const std::string id = rig.node.AddContainer("a.example/a:1");
  rig.node.after_list = [&] { rig.node.RemoveContainer(id); };
  grpc::ClientContext list_context;
  v1::ListContainersResponse listed;
  ASSERT_TRUE(rig.client.runtime->ListContainers(&list_context, {}, &listed).ok());
  ASSERT_EQ(listed.containers_size(), 1);
  grpc::ClientContext context;
  v1::ContainerStatusRequest request;
  request.set_container_id(id);
  v1::ContainerStatusResponse response;
  EXPECT_EQ(rig.client.runtime->ContainerStatus(&context, request, &response).error_code(),
            grpc::StatusCode::NOT_FOUND);
}

TEST(CriServer, StreamsOnlyWhereTheRuntimeDoes) {
  for (const auto& [profile, code] :
       {std::pair{testing::CriO136(), grpc::StatusCode::OK},
        std::pair{testing::Containerd23(), grpc::StatusCode::UNIMPLEMENTED}}) {
    WireRig rig(profile);
    rig.node.AddImage("a.example/a:1", {1});
    rig.node.AddImage("a.example/b:1", {1});
    grpc::ClientContext context;
    const auto reader = rig.client.images->StreamImages(&context, {});
    int messages = 0;
    for (v1::StreamImagesResponse response; reader->Read(&response);) ++messages;
    EXPECT_EQ(reader->Finish().error_code(), code);
    EXPECT_EQ(messages, code == grpc::StatusCode::OK ? 2 : 0);
  }
}

TEST(CriServer, AnswersListsOfAnySizeUnlessTheRuntimeHasALimit) {
  constexpr int kMiB = 1 << 20;
  for (const auto& [limit, code] : {std::pair{-1, grpc::StatusCode::OK},
                                    std::pair{16 * kMiB, grpc::StatusCode::RESOURCE_EXHAUSTED}}) {
    WireRig rig(testing::Containerd17(), limit);
    for (int i = 0; i < 17; ++i) {
      rig.node.AddImage("a.example/a:" + std::to_string(i), {1});
    }
    rig.server->SetPadding(kMiB);
    v1::ListImagesResponse listed;
    EXPECT_EQ(rig.client.List(listed).error_code(), code);
  }
}

TEST(CriServer, FailsAsOftenAsAsked) {
  WireRig rig(testing::Containerd17());
  rig.server->faults().Set("ListImages", {.code = grpc::StatusCode::INTERNAL, .times = 1});
  v1::ListImagesResponse listed;
  EXPECT_EQ(rig.client.List(listed).error_code(), grpc::StatusCode::INTERNAL);
  EXPECT_TRUE(rig.client.List(listed).ok());
}

TEST(CriServer, HangsUntilTheClientGivesUp) {
  WireRig rig(testing::Containerd17());
  const image::ImageId id = rig.node.AddImage("a.example/a:1", {100});
  rig.server->faults().Set("RemoveImage", {.kind = Fault::Kind::kDrop});
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::milliseconds(50));
  EXPECT_EQ(rig.client.Remove(id.value, context).error_code(), grpc::StatusCode::DEADLINE_EXCEEDED);
  EXPECT_TRUE(rig.node.Has(id));
}

TEST(CriServer, CutsTheConnectionInTheMiddleOfACall) {
  WireRig rig(testing::Containerd17());
  rig.server->faults().Set("ListImages", {.kind = Fault::Kind::kCut, .times = 1});
  v1::ListImagesResponse listed;
  const grpc::Status cut = rig.client.List(listed);
  EXPECT_EQ(cut.error_code(), grpc::StatusCode::UNAVAILABLE) << cut.error_message();
}

TEST(CriServer, LeavesNoSocketBehind) {
  WireRig rig(testing::Containerd17());
  ASSERT_TRUE(std::filesystem::exists(rig.socket));
  rig.server.reset();
  EXPECT_FALSE(std::filesystem::exists(rig.socket));
  v1::ListImagesResponse listed;
  EXPECT_EQ(rig.client.List(listed).error_code(), grpc::StatusCode::UNAVAILABLE);
}

}  // namespace
}  // namespace ebb::wire
