// A node, a CRI server that shows it, and a client that speaks to a socket.
#pragma once

#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>

#include "cri.grpc.pb.h"
#include "testing/fake_node.h"
#include "testing/manual_clock.h"
#include "testing/temp_dir.h"
#include "wire/cri_server.h"

namespace ebb::wire {

namespace v1 = runtime::v1;

struct Client {
  explicit Client(const std::string& path) {
    grpc::ChannelArguments arguments;
    arguments.SetMaxReceiveMessageSize(-1);
    // Channels to one address share a connection unless they are told not to.
    arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    // For servers that are still starting.
    arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 100);
    arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 100);
    channel =
        grpc::CreateCustomChannel("unix://" + path, grpc::InsecureChannelCredentials(), arguments);
    images = v1::ImageService::NewStub(channel);
    runtime = v1::RuntimeService::NewStub(channel);
  }

  grpc::Status Remove(const std::string& id, grpc::ClientContext& context) const {
    v1::RemoveImageRequest request;
    request.mutable_image()->set_image(id);
    v1::RemoveImageResponse response;
    return images->RemoveImage(&context, request, &response);
  }
  grpc::Status Remove(const std::string& id) const {
    grpc::ClientContext context;
    return Remove(id, context);
  }
  grpc::Status List(v1::ListImagesResponse& response) const {
    grpc::ClientContext context;
    return images->ListImages(&context, {}, &response);
  }

  std::shared_ptr<grpc::Channel> channel;
  std::unique_ptr<v1::ImageService::Stub> images;
  std::unique_ptr<v1::RuntimeService::Stub> runtime;
};

struct WireRig {
  explicit WireRig(testing::Profile profile, int max_send_bytes = -1)
      : node(std::move(profile), clock),
        server(std::move(*CriServer::Start(node, {socket, max_send_bytes}))),
        client(socket) {}

  testing::ManualClock clock;
  testing::TempDir dir;
  testing::FakeNode node;
  std::string socket = dir / "cri.sock";
  std::unique_ptr<CriServer> server;
  Client client;
};

}  // namespace ebb::wire
