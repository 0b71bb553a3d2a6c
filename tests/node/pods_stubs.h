// What the parts of Pods share; for those files only, since it shows gRPC.
#pragma once

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <memory>
#include <string>

#include "base/result.h"
#include "cri.grpc.pb.h"
#include "node/pods.h"

namespace ebb::node {

namespace cri = runtime::v1;

struct Pods::Stubs {
  std::unique_ptr<cri::RuntimeService::Stub> runtime;
  std::unique_ptr<cri::ImageService::Stub> image;
};

// One unary call: `Call(runtime.get(), &Stub::Version, request)`.
template <class Stub, class Request, class Answer>
base::Result<Answer> Call(Stub* stub,
                          grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&,
                                                       Answer*),
                          const Request& request) {
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::minutes(1));
  Answer answer;
  const grpc::Status status = (stub->*method)(&context, request, &answer);
  if (status.ok()) return answer;
  base::ErrorCode code = base::ErrorCode::kInternal;
  if (status.error_code() == grpc::StatusCode::NOT_FOUND) code = base::ErrorCode::kNotFound;
  if (status.error_code() == grpc::StatusCode::UNAVAILABLE) code = base::ErrorCode::kUnavailable;
  return base::Error{code, request.GetTypeName() + ": " + status.error_message()};
}

template <class T>
base::Status WithoutValue(const base::Result<T>& result) {
  if (!result.ok()) return result.error();
  return base::Done{};
}

}  // namespace ebb::node
