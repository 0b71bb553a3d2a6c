// Who has to keep the contract.
#pragma once

#include <memory>
#include <string>

#include "cri/connect.h"
#include "cri/remover.h"
#include "cri/runtime.h"
#include "testing/fake_runtime.h"
#include "testing/manual_clock.h"
#include "testing/temp_dir.h"
#include "wire/cri_server.h"

namespace ebb::contract {

enum class Path {
  kDirect,       // the stand-in itself
  kThroughGrpc,  // cri's client, a socket, and a CRI server that shows the stand-in
};

struct Case {
  Path path = Path::kDirect;
  testing::Profile profile;
};

// A node, and the ports through which it is seen.
class Subject {
 public:
  explicit Subject(const Case& subject) : node(subject.profile, clock_) {
    if (subject.path == Path::kDirect) return;
    const std::string socket = dir_ / "cri.sock";
    server_ = std::move(*wire::CriServer::Start(node, {.path = socket}));
    const auto connection = *cri::Connect({.runtime = server_->endpoint()});
    cri_runtime_ = cri::MakeRuntime(connection);
    cri_remover_ = cri::MakeRemover(connection);
  }

  engine::Runtime& runtime() { return cri_runtime_ ? *cri_runtime_ : fake_; }
  engine::Remover& remover() { return cri_remover_ ? *cri_remover_ : fake_; }

 private:
  testing::ManualClock clock_;

 public:
  testing::FakeNode node;

 private:
  testing::TempDir dir_;
  testing::FakeRuntime fake_{node};
  std::unique_ptr<wire::CriServer> server_;
  std::unique_ptr<engine::Runtime> cri_runtime_;
  std::unique_ptr<engine::Remover> cri_remover_;
};

}  // namespace ebb::contract
