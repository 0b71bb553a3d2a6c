#include "rpc/call.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ebb::rpc {
namespace {

using base::ErrorCode;
using testing::HasSubstr;

// A path that exists and is no socket.
const Endpoint kEndpoint{"unix:///dev/null", "/dev/null"};

base::Error Translate(grpc::StatusCode code, const std::string& text = "text") {
  return ToError(grpc::Status(code, text), {"ListImages", kEndpoint, std::chrono::seconds(90), {}});
}

TEST(CallError, HasTheCodeThatSaysWhatToDoNext) {
  EXPECT_EQ(Translate(grpc::StatusCode::UNAVAILABLE).code, ErrorCode::kUnavailable);
  EXPECT_EQ(Translate(grpc::StatusCode::DEADLINE_EXCEEDED).code, ErrorCode::kUnavailable);
  EXPECT_EQ(Translate(grpc::StatusCode::NOT_FOUND).code, ErrorCode::kNotFound);
  EXPECT_EQ(Translate(grpc::StatusCode::UNIMPLEMENTED).code, ErrorCode::kUnsupported);
  EXPECT_EQ(Translate(grpc::StatusCode::UNKNOWN).code, ErrorCode::kInternal);
  EXPECT_EQ(Translate(grpc::StatusCode::RESOURCE_EXHAUSTED).code, ErrorCode::kInternal);
}

TEST(CallError, NamesMethodEndpointCodeAndText) {
  EXPECT_EQ(Translate(grpc::StatusCode::UNKNOWN, "boom").message,
            "ListImages at unix:///dev/null: UNKNOWN: boom");
  EXPECT_EQ(Translate(grpc::StatusCode::INTERNAL, "").message,
            "ListImages at unix:///dev/null: INTERNAL");
}

TEST(CallError, SaysWhatTheSocketSaysIfNobodyAnswers) {
  EXPECT_THAT(
      Translate(grpc::StatusCode::UNAVAILABLE, "failed to connect to all addresses").message,
      HasSubstr("/dev/null is not a socket"));
}

}  // namespace
}  // namespace ebb::rpc
