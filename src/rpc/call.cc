#include "rpc/call.h"

#include <array>
#include <chrono>
#include <string>

namespace ebb::rpc {
namespace {

using base::ErrorCode;

std::string_view CodeName(grpc::StatusCode code) {
  static constexpr std::array<std::string_view, 17> kNames = {"OK",
                                                              "CANCELLED",
                                                              "UNKNOWN",
                                                              "INVALID_ARGUMENT",
                                                              "DEADLINE_EXCEEDED",
                                                              "NOT_FOUND",
                                                              "ALREADY_EXISTS",
                                                              "PERMISSION_DENIED",
                                                              "RESOURCE_EXHAUSTED",
                                                              "FAILED_PRECONDITION",
                                                              "ABORTED",
                                                              "OUT_OF_RANGE",
                                                              "UNIMPLEMENTED",
                                                              "INTERNAL",
                                                              "UNAVAILABLE",
                                                              "DATA_LOSS",
                                                              "UNAUTHENTICATED"};
  const auto index = static_cast<std::size_t>(code);
  return index < kNames.size() ? kNames[index] : "UNKNOWN";
}

ErrorCode CodeOf(grpc::StatusCode code) {
  switch (code) {
    case grpc::StatusCode::UNAVAILABLE:
    case grpc::StatusCode::DEADLINE_EXCEEDED: return ErrorCode::kUnavailable;
    case grpc::StatusCode::NOT_FOUND: return ErrorCode::kNotFound;
    case grpc::StatusCode::UNIMPLEMENTED: return ErrorCode::kUnsupported;
    default: return ErrorCode::kInternal;
  }
}

std::string Describe(const grpc::Status& status, const Method& method) {
  if (Unanswered(status)) {
    if (const auto why = WhyUnreachable(method.endpoint)) return *why;
  }
  if (status.error_code() == grpc::StatusCode::DEADLINE_EXCEEDED) {
    return "the socket accepts connections, but there was no answer within " +
           base::FormatDuration(method.timeout) +
           ": the container runtime hangs, or this is not its socket";
  }
  std::string text = Unanswered(status) ? "the container runtime does not answer: " : "";
  text += CodeName(status.error_code());
  if (!status.error_message().empty()) text.append(": ").append(status.error_message());
  return text;
}

}  // namespace

bool Unanswered(const grpc::Status& status) {
  return CodeOf(status.error_code()) == ErrorCode::kUnavailable;
}

base::Error ToError(const grpc::Status& status, const Method& method) {
  const base::Error error{CodeOf(status.error_code()), Describe(status, method)};
  return error.In(std::string(method.name).append(" at ").append(method.endpoint.text));
}

void Prepare(grpc::ClientContext& context, const Method& method) {
  using Clock = std::chrono::system_clock;
  context.set_deadline(Clock::now() + std::chrono::duration_cast<Clock::duration>(method.timeout));
  for (const auto& [key, value] : method.headers) context.AddMetadata(key, value);
}

}  // namespace ebb::rpc
