// The daemon dies at any call of any port, and starts again: the history is right, and nothing that
// is in use goes.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include "engine/pass.h"
#include "history/history.h"
#include "mortal.h"
#include "testing/collected_log.h"
#include "testing/fake_holder.h"
#include "testing/fake_lock.h"
#include "testing/fake_runtime.h"
#include "testing/manual_clock.h"
#include "testing/temp_dir.h"

namespace ebb::engine {
namespace {

constexpr int kIdle = 20;

std::string Idle(int number) {
  return "registry.example/idle-" + std::to_string(number) + ":1";
}

// A node whose daemon lives as often and as long as it is let.
class Node {
 public:
  explicit Node(bool holds) : holds_(holds) {
    world_.SetDisk({10'000}, {1000});
    used_ = world_.AddImage("registry.example/used:1", {100});
    world_.AddContainer("registry.example/used:1", image::ContainerState::kExited);
    for (int i = 0; i < kIdle; ++i) (void)world_.AddImage(Idle(i), {100});
    options_.policy = {.min_seen_age = {}, .min_idle_age = {}};
    options_.policy.radius.max_percent = {100};
    options_.enforce = true;
  }

  // One pass that is to remove everything unused; false if it died.
  bool Live(int moments) {
    try {
      Pass(moments);
      return true;
    } catch (const Killed&) {
      return false;
    }
  }
  // Between two lives an image that is still there comes into use.
  void UseOne() {
    for (int i = kIdle - 1; i >= 0 && !late_; --i) {
      late_ =
          world_.FindImage(Idle(i)) ? std::optional(world_.FindImage(Idle(i))->id) : std::nullopt;
      if (late_) world_.AddContainer(Idle(i));
    }
  }
  // Everything unused has gone, and nothing else.
  void ExpectRight(int moment) const {
    EXPECT_TRUE(world_.Has(used_)) << "moment " << moment;
    EXPECT_TRUE(!late_ || world_.Has(*late_)) << "moment " << moment;
    EXPECT_EQ(world_.ListImages().size(), late_ ? 2U : 1U) << "moment " << moment;
    EXPECT_TRUE(world_.holds().empty()) << "moment " << moment;
    EXPECT_EQ(std::ranges::count(world_.asked(), used_.value), 0);
  }

 private:
  void Pass(int moments) {
    Mortality fate(moments);
    testing::FakeRuntime real(world_);
    testing::FakeDisk real_disk(world_);
    testing::FakeHolder real_holder(world_);
    testing::FakeLock real_lock;
    auto real_history = history::SqliteHistory::Open({.directory = dir_.path()});
    ASSERT_TRUE(real_history.ok()) << real_history.error().message;
    MortalRuntime runtime(real, fate);
    MortalDisk disk(real_disk, fate);
    MortalHolder holder(real_holder, fate);
    MortalLock lock(real_lock, fate);
    MortalHistory history(**real_history, fate);
    const Ports ports{.clock = &clock_,
                      .log = &log_,
                      .runtime = &runtime,
                      .remover = &runtime,
                      .filesystems = &disk,
                      .history = &history,
                      .lock = &lock,
                      .holder = holds_ ? &holder : nullptr};
    const image::Demand all{.target = {.kind = image::Target::Kind::kAllUnused}};
    const auto pass = RunPass(ports, options_, std::vector{all});
    ASSERT_TRUE(pass.ok()) << pass.error().message;
    const auto unfinished = (*real_history)->Unfinished();
    ASSERT_TRUE(unfinished.ok());
    EXPECT_TRUE(unfinished->empty());
  }

  const bool holds_;
  testing::TempDir dir_;
  testing::ManualClock clock_;
  testing::FakeNode world_{testing::Containerd17(), clock_};
  testing::CollectedLog log_;
  PassOptions options_;
  image::ImageId used_;
  std::optional<image::ImageId> late_;
};

class Death : public ::testing::TestWithParam<bool> {};

TEST_P(Death, AtAnyCallOfAnyPortTheNextRunFindsTheHistoryRightAndNothingInUseIsLost) {
  int deaths = 0;
  for (bool died = true; died; deaths += died ? 1 : 0) {
    Node node(GetParam());
    died = !node.Live(deaths);
    node.UseOne();
    EXPECT_TRUE(node.Live(1'000'000));
    if (died) node.ExpectRight(deaths);
  }
  EXPECT_GT(deaths, 50);
}

INSTANTIATE_TEST_SUITE_P(, Death, ::testing::Bool(), [](const auto& holds) {
  return holds.param ? std::string("WhereRemovalsAreHeld") : std::string("WhereTheyAreNot");
});

}  // namespace
}  // namespace ebb::engine
