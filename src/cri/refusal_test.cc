#include "cri/refusal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ebb::cri {
namespace {

using image::Outcome;

const rpc::Endpoint kEndpoint{"unix:///nowhere/cri.sock", "/nowhere/cri.sock"};

engine::RemovalResult Removal(grpc::StatusCode code, const std::string& text) {
  return ToRemoval(grpc::Status(code, text),
                   {"RemoveImage", kEndpoint, std::chrono::minutes(5), {}});
}

TEST(Refusal, IsRecognisedInTheWordsOfEveryRuntime) {
  for (const char* text : {
           "delete image: image used by 4a6f: image is in use by a container",
           "the image is in use by 4a6f7f",
           "image is in use by a container",
           "Error response from daemon: conflict: unable to delete 0123 (cannot be forced) - image "
           "is being used by running container 4567",
           "Error response from daemon: conflict: unable to delete 0123 (must be forced) - image "
           "is being used by stopped container 4567",
           "conflict: unable to delete 0123 (cannot be forced) - image has dependent child images",
           "conflict: unable to remove repository reference \"a:1\" (must force) - container 4567 "
           "is using its referenced image 0123",
           "Image Is In Use By A Container",
       }) {
    const auto removal = Removal(grpc::StatusCode::UNKNOWN, text);
    EXPECT_EQ(removal.outcome, Outcome::kHeld) << text;
    EXPECT_EQ(removal.detail, text);
  }
}

TEST(Refusal, IsNotReadIntoOtherErrors) {
  for (const char* text : {
           "listen tcp 127.0.0.1:0: address already in use",
           "unlinkat /var/lib/x: device or resource busy",
           "database is locked",
           "open /var/lib/in-use: permission denied",
           "",
       }) {
    const auto removal = Removal(grpc::StatusCode::UNKNOWN, text);
    EXPECT_EQ(removal.outcome, Outcome::kFailed) << text;
    EXPECT_THAT(
        removal.detail,
        testing::AllOf(testing::HasSubstr("UNKNOWN"), testing::HasSubstr(text),
                       testing::HasSubstr("RemoveImage"), testing::HasSubstr(kEndpoint.text)));
  }
}

TEST(Removal, TellsAFullDiskFromOtherFailures) {
  const auto full = Removal(grpc::StatusCode::UNKNOWN,
                            "failed to delete image reference \"a:1\": write meta.db: no space "
                            "left on device: unknown");
  EXPECT_EQ(full.outcome, Outcome::kFailed);
  EXPECT_TRUE(full.no_room);
  EXPECT_FALSE(Removal(grpc::StatusCode::UNKNOWN, "write meta.db: input/output error").no_room);
}

TEST(Refusal, IsNeverWhatABrokenConnectionSays) {
  EXPECT_EQ(Removal(grpc::StatusCode::UNAVAILABLE, "image is in use by a container").outcome,
            Outcome::kFailed);
}

TEST(Removal, OfAnAbsentImageIsDone) {
  EXPECT_EQ(Removal(grpc::StatusCode::NOT_FOUND, "no such image").outcome, Outcome::kGone);
  EXPECT_EQ(Removal(grpc::StatusCode::OK, "").outcome, Outcome::kRemoved);
}

}  // namespace
}  // namespace ebb::cri
