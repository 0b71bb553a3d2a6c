// A CRI runtime on a unix socket: a FakeNode that answers as its profile's runtime would.
#pragma once

#include <grpcpp/server.h>
#include <grpcpp/support/status.h>

#include <atomic>
#include <memory>
#include <string>

#include "base/result.h"
#include "testing/fake_node.h"
#include "wire/faults.h"
#include "wire/listener.h"

namespace ebb::wire {

// What the services of one server share.
struct CriState {
  testing::FakeNode& node;
  Faults faults;
  std::function<void()> cut;
  std::atomic<std::size_t> padding = 0;
};

class CriServer {
 public:
  struct Options {
    std::string path;         // of the socket
    int max_send_bytes = -1;  // a runtime's own limit (containerd: 16 MiB); -1: none
  };

  static base::Result<std::unique_ptr<CriServer>> Start(testing::FakeNode& node,
                                                        const Options& options);
  // Breaks all connections first, as a killed runtime does.
  ~CriServer();
  CriServer(const CriServer&) = delete;
  CriServer& operator=(const CriServer&) = delete;

  // Methods are called "ListImages" or "/runtime.v1.ImageService/ListImages".
  Faults& faults() { return state_.faults; }
  void CutAll() { listener_->CutAll(); }
  // Every listed image and container gets so many bytes heavier, to make lists of any size.
  void SetPadding(std::size_t bytes_per_item) { state_.padding = bytes_per_item; }
  std::string endpoint() const { return "unix://" + path_; }

 private:
  CriServer(testing::FakeNode& node, std::string path);

  const std::string path_;
  CriState state_;
  std::unique_ptr<grpc::Service> images_;
  std::unique_ptr<grpc::Service> containers_;
  std::unique_ptr<grpc::Server> server_;
  std::unique_ptr<Listener> listener_;
};

}  // namespace ebb::wire
