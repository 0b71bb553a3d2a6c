// One call over gRPC: a deadline on everything, and errors in our words.
#pragma once

#include <grpcpp/client_context.h>
#include <grpcpp/support/status.h>
#include <grpcpp/support/sync_stream.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "rpc/endpoint.h"

namespace ebb::rpc {

// What is called, where, and how long we wait.
struct Method {
  std::string_view name;
  const Endpoint& endpoint;
  base::Duration timeout;
  std::vector<std::pair<std::string, std::string>> headers;  // sent along as metadata
};

// True if the status says that nobody answers, whatever was asked.
bool Unanswered(const grpc::Status& status);

// UNAVAILABLE and DEADLINE_EXCEEDED: kUnavailable, with what the socket itself says if that
// explains it. NOT_FOUND: kNotFound. UNIMPLEMENTED: kUnsupported. Else kInternal. The message
// names method and endpoint. `status` must not be OK.
base::Error ToError(const grpc::Status& status, const Method& method);

// Sets deadline and headers of a context that was not used yet.
void Prepare(grpc::ClientContext& context, const Method& method);

template <class Stub, class Request, class Response>
base::Result<Response> Call(const Method& method, Stub& stub,
                            grpc::Status (Stub::*call)(grpc::ClientContext*, const Request&,
                                                       Response*),
                            const Request& request) {
  grpc::ClientContext context;
  Prepare(context, method);
  Response response;
  const grpc::Status status = (stub.*call)(&context, request, &response);
  if (!status.ok()) return ToError(status, method);
  return response;
}

// Reads a stream to its end and hands every message to take(Response&). A stream that breaks is
// an error, however much of it came.
template <class Stub, class Request, class Response, class Take>
base::Status ReadStream(const Method& method, Stub& stub,
                        std::unique_ptr<grpc::ClientReader<Response>> (Stub::*open)(
                            grpc::ClientContext*, const Request&),
                        const Request& request, Take take) {
  grpc::ClientContext context;
  Prepare(context, method);
  const auto stream = (stub.*open)(&context, request);
  Response response;
  while (stream->Read(&response)) take(response);
  const grpc::Status status = stream->Finish();
  if (!status.ok()) return ToError(status, method);
  return base::Done{};
}

}  // namespace ebb::rpc
