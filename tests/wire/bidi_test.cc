// The proxy under calls that stream both ways, which CRI has none of and containerd has.
#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/server_builder.h>
#include <gtest/gtest.h>

#include <thread>

#include "testing/temp_dir.h"
#include "wire/listener.h"
#include "wire/proxy.h"
#include "wire/wire_rig.h"

namespace ebb::wire {
namespace {

// Waits for the one operation that is under way.
bool Done(grpc::CompletionQueue& queue) {
  void* tag = nullptr;
  bool ok = false;
  return queue.Next(&tag, &ok) && ok;
}

// Answers each message of one call with itself, as soon as it comes.
void Echo(grpc::AsyncGenericService& service, grpc::ServerCompletionQueue& queue) {
  grpc::GenericServerContext context;
  grpc::GenericServerAsyncReaderWriter stream(&context);
  service.RequestCall(&context, &stream, &queue, &queue, nullptr);
  if (!Done(queue)) return;
  grpc::ByteBuffer message;
  while (true) {
    stream.Read(&message, nullptr);
    if (!Done(queue)) break;
    stream.Write(message, nullptr);
    if (!Done(queue)) break;
  }
  stream.Finish(grpc::Status::OK, nullptr);
  (void)Done(queue);
}

// Says something, waits for the answer, and so on; returns the number of answers.
int Converse(const std::shared_ptr<grpc::Channel>& channel, int rounds, grpc::Status& status) {
  grpc::CompletionQueue queue;
  grpc::ClientContext context;
  grpc::GenericStub stub(channel);
  const auto stream = stub.PrepareCall(&context, "/echo.Echo/Talk", &queue);
  stream->StartCall(nullptr);
  (void)Done(queue);
  const grpc::Slice slice("ping");
  const grpc::ByteBuffer ping(&slice, 1);
  grpc::ByteBuffer pong;
  int answers = 0;
  for (; answers < rounds; ++answers) {
    stream->Write(ping, nullptr);
    if (!Done(queue)) break;
    stream->Read(&pong, nullptr);
    if (!Done(queue)) break;
  }
  stream->WritesDone(nullptr);
  (void)Done(queue);
  stream->Finish(&status, nullptr);
  (void)Done(queue);
  queue.Shutdown();
  (void)Done(queue);
  return answers;
}

TEST(Proxy, CarriesAConversationInBothDirections) {
  const testing::TempDir dir;
  const std::string back = dir / "echo.sock";
  const std::string front = dir / "front.sock";
  grpc::AsyncGenericService service;
  grpc::ServerBuilder builder;
  builder.RegisterAsyncGenericService(&service);
  const auto queue = builder.AddCompletionQueue();
  const std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  auto listener = Listener::Open(back, server.get());
  ASSERT_TRUE(listener.ok());
  std::thread echo([&] { Echo(service, *queue); });
  const auto proxy = Proxy::Start({front, back, nullptr});
  ASSERT_TRUE(proxy.ok());

  grpc::Status status;
  EXPECT_EQ(Converse(Client(front).channel, 5, status), 5);
  EXPECT_TRUE(status.ok()) << status.error_message();

  echo.join();
  listener->reset();
  server->Shutdown(std::chrono::system_clock::now());
  queue->Shutdown();
  (void)Done(*queue);
}

}  // namespace
}  // namespace ebb::wire
