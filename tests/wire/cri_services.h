// The two services of a CriServer.
#pragma once

#include <grpcpp/impl/service_type.h>
#include <grpcpp/server_context.h>
#include <grpcpp/support/status.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "wire/cri_server.h"

namespace ebb::wire {

std::unique_ptr<grpc::Service> MakeImageService(CriState& state);
std::unique_ptr<grpc::Service> MakeRuntimeService(CriState& state);

// Applies the fault that hits this call, if any. Not OK: answer so.
grpc::Status Enter(CriState& state, const grpc::ServerContext& context, std::string_view method);

// The JSON strings of verbose answers, in the shape of the profile's runtime; empty: it has none.
std::string StatusJson(const testing::FakeNode& node);
std::string ImageStatusJson(const testing::Profile& profile,
                            const std::vector<std::string>& diff_ids);
std::string SandboxStatusJson(std::string_view image_name);

}  // namespace ebb::wire
