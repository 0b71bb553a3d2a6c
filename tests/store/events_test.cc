// What containerd tells by itself, heard beside whoever else listens.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

#include "containerd/events.h"
#include "node/image_sets.h"
#include "node/node_fixture.h"

namespace ebb::node {
namespace {

using Kind = engine::RuntimeEvent::Kind;

// What was heard, from the thread that hears it.
class Heard {
 public:
  engine::EventHandlers Handlers() {
    return {.on_event =
                [this](const engine::RuntimeEvent& event) {
                  const std::lock_guard lock(mutex_);
                  events_.push_back(event);
                },
            .on_connected = [this] { ++connections_; },
            .on_broken = [this](const base::Error&) { ++breaks_; }};
  }
  bool Any(const std::function<bool(const engine::RuntimeEvent&)>& matches) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (std::chrono::steady_clock::now() < end) {
      {
        const std::lock_guard lock(mutex_);
        if (std::ranges::any_of(events_, matches)) return true;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return false;
  }
  bool ConnectedTimes(int times) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (connections_ < times && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return connections_ >= times;
  }
  int connections() const { return connections_; }
  int breaks() const { return breaks_; }

 private:
  std::mutex mutex_;
  std::vector<engine::RuntimeEvent> events_;
  std::atomic<int> connections_ = 0;
  std::atomic<int> breaks_ = 0;
};

class Events : public NodeTest {
 protected:
  void SetUp() override {
    NodeTest::SetUp();
    if (HasFatalFailure() || IsSkipped()) return;
    node_ = MakeNode({.volume = {.size = {std::int64_t{400} << 20}}});
    ASSERT_NE(node_, nullptr);
    ASSERT_TRUE(node_->Load(std::vector{AppImage("localhost/job:1")}).ok());
    auto connection = containerd::Connect(node_->endpoint());
    ASSERT_TRUE(connection.ok()) << connection.error().message;
    source_ = containerd::Listen(*connection, heard_.Handlers());
    ASSERT_TRUE(heard_.ConnectedTimes(1));
    // The stream says nothing when it stands: what is told soon after may be missed.
    std::this_thread::sleep_for(std::chrono::seconds(1));
  }

  Heard heard_;
  std::unique_ptr<Node> node_;
  std::unique_ptr<engine::EventSource> source_;
};

TEST_F(Events, AContainerThatIsCreatedIsToldWithItsImage) {
  const auto container = node_->pods().RunToEnd("job", "localhost/job:1");
  ASSERT_TRUE(container.ok()) << container.error().message;
  EXPECT_TRUE(heard_.Any([&](const engine::RuntimeEvent& event) {
    return event.kind == Kind::kContainer && event.container == *container && !event.image.empty();
  }));
  EXPECT_EQ(heard_.connections(), 1) << "one stream is enough";
  EXPECT_EQ(heard_.breaks(), 0);
}

TEST_F(Events, AnImageThatGoesIsTold) {
  ASSERT_TRUE(node_->pods().RemoveImage("localhost/job:1").ok());
  EXPECT_TRUE(
      heard_.Any([](const engine::RuntimeEvent& event) { return event.kind == Kind::kImage; }));
}

TEST_F(Events, AfterARestartOfContainerdItListensAgain) {
  ASSERT_TRUE(node_->KillAndStart().ok());
  ASSERT_TRUE(heard_.ConnectedTimes(2));
  EXPECT_GE(heard_.breaks(), 1);
}

TEST_F(Events, ASourceThatGoesIsSilentAtOnce) {
  source_.reset();
  ASSERT_TRUE(node_->pods().RemoveImage("localhost/job:1").ok());
  EXPECT_EQ(heard_.connections(), 1);
}

}  // namespace
}  // namespace ebb::node
