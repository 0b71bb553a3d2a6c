// The connection behind cri/connect.h: channels and stubs. For the .cc files of this folder.
#pragma once

#include <atomic>
#include <memory>

#include "cri.grpc.pb.h"
#include "cri/connect.h"
#include "rpc/call.h"
#include "rpc/endpoint.h"

namespace ebb::cri {

namespace api = ::runtime::v1;

// Who is spoken to. Stubs may be used from several threads.
template <class Service>
struct Peer {
  rpc::Endpoint endpoint;
  std::unique_ptr<typename Service::Stub> stub;

  rpc::Method To(std::string_view name, base::Duration timeout) const {
    return {name, endpoint, timeout, {}};
  }
};

class Connection {
 public:
  Connection(rpc::Endpoint runtime, rpc::Endpoint image, const Options& options);

  const Peer<api::RuntimeService>& runtime() const { return runtime_; }
  const Peer<api::ImageService>& images() const { return images_; }
  const Options& options() const { return options_; }

  // Whether lists are worth asking for as streams; off until a runtime is known to have them.
  bool streams() const { return streams_.load(std::memory_order_relaxed); }
  void set_streams(bool on) { streams_.store(on && !refused_.load(), std::memory_order_relaxed); }
  // A runtime that once answered UNIMPLEMENTED is not asked again.
  void RefuseStreams() {
    refused_.store(true);
    set_streams(false);
  }

  // Who answers, for at most Options::connect_timeout. See Probe() for the errors.
  base::Result<image::Runtime> AskVersion() const;

 private:
  Options options_;
  Peer<api::RuntimeService> runtime_;
  Peer<api::ImageService> images_;
  std::atomic<bool> streams_ = false;
  std::atomic<bool> refused_ = false;
};

}  // namespace ebb::cri
