// One call over gRPC: a deadline on everything, and errors in our words.
#pragma once

#include <grpcpp/client_context.h>
#include <grpcpp/support/status.h>

#include <chrono>
#include <string_view>

#include "base/result.h"
#include "base/time.h"
#include "cri/endpoint.h"

namespace ebb::cri {

// What is called, where, and how long we wait.
struct Method {
  std::string_view name;
  const Endpoint& endpoint;
  base::Duration timeout;
};

// True if the status says that nobody answers, whatever was asked.
bool Unanswered(const grpc::Status& status);

// UNAVAILABLE and DEADLINE_EXCEEDED: kUnavailable, with what the socket itself says if that
// explains it. NOT_FOUND: kNotFound. UNIMPLEMENTED: kUnsupported. Else kInternal. The message
// names method and endpoint. `status` must not be OK.
base::Error ToError(const grpc::Status& status, const Method& method);

inline void SetDeadline(grpc::ClientContext& context, base::Duration timeout) {
  context.set_deadline(std::chrono::system_clock::now() +
                       std::chrono::duration_cast<std::chrono::system_clock::duration>(timeout));
}

template <class Stub, class Request, class Response>
base::Result<Response> Call(const Method& method, Stub& stub,
                            grpc::Status (Stub::*call)(grpc::ClientContext*, const Request&,
                                                       Response*),
                            const Request& request) {
  grpc::ClientContext context;
  SetDeadline(context, method.timeout);
  Response response;
  const grpc::Status status = (stub.*call)(&context, request, &response);
  if (!status.ok()) return ToError(status, method);
  return response;
}

}  // namespace ebb::cri
