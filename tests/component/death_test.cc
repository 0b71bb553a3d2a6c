// The daemon dies at any call of any port, and starts again: the history is right, and nothing that
// is in use goes.
#include <gtest/gtest.h>

#include <functional>
#include <memory>

#include "engine/pass.h"
#include "history/history.h"
#include "testing/collected_log.h"
#include "testing/fake_lock.h"
#include "testing/fake_runtime.h"
#include "testing/manual_clock.h"
#include "testing/temp_dir.h"

namespace ebb::engine {
namespace {

// Stands for SIGKILL: whoever is asked never answers, and nothing after it happens.
struct Killed {};

class MortalRuntime : public Runtime, public Remover {
  // Death before a call, and death between the call and its answer.
  template <class Call>
  std::invoke_result_t<Call> Live(Call call) {
    if (left_-- == 0) throw Killed();
    auto answer = call();
    if (left_-- == 0) throw Killed();
    return answer;
  }

 public:
  MortalRuntime(testing::FakeRuntime& real, int& calls_left) : real_(real), left_(calls_left) {}

  base::Result<RuntimeFacts> Identify() override {
    return Live([&] { return real_.Identify(); });
  }
  base::Result<Inventory> List() override {
    return Live([&] { return real_.List(); });
  }
  base::Result<std::vector<StoragePath>> Storage() override {
    return Live([&] { return real_.Storage(); });
  }
  base::Result<image::ImageId> Resolve(std::string_view name) override {
    return Live([&] { return real_.Resolve(name); });
  }
  base::Result<std::vector<image::LayerChain>> LayersOf(
      std::span<const image::ImageId> ids) override {
    return Live([&] { return real_.LayersOf(ids); });
  }
  base::Result<std::vector<std::string>> ImagesOfSandboxes(
      std::span<const std::string> ids) override {
    return Live([&] { return real_.ImagesOfSandboxes(ids); });
  }
  base::Result<std::vector<std::vector<std::string>>> VolumesOf(
      std::span<const std::string> ids) override {
    return Live([&] { return real_.VolumesOf(ids); });
  }
  std::vector<RemovalResult> Remove(std::span<const Victim> victims) override {
    return Live([&] { return real_.Remove(victims); });
  }

 private:
  testing::FakeRuntime& real_;
  int& left_;
};

TEST(Death, AtAnyCallTheNextRunFindsTheHistoryRightAndNothingInUseIsLost) {
  bool died = true;
  int deaths = 0;
  for (int moment = 0; died; ++moment) {
    const testing::TempDir dir;
    testing::ManualClock clock;
    testing::FakeNode world(testing::Containerd17(), clock);
    world.SetDisk({10'000}, {1000});
    const auto used = world.AddImage("registry.example/used:1", {100});
    world.AddContainer("registry.example/used:1", image::ContainerState::kExited);
    for (int i = 0; i < 20; ++i) {
      (void)world.AddImage("registry.example/idle-" + std::to_string(i) + ":1", {100});
    }
    PassOptions options{.policy = {.min_seen_age = {}, .min_idle_age = {}}, .enforce = true};
    options.policy.radius.max_percent = {100};
    const image::Demand all{.target = {.kind = image::Target::Kind::kAllUnused}};
    const auto run = [&](int calls_left) {
      testing::FakeRuntime real(world);
      testing::FakeDisk disk(world);
      testing::FakeLock lock;
      testing::CollectedLog log;
      MortalRuntime runtime(real, calls_left);
      auto history = history::SqliteHistory::Open({.directory = dir.path()});
      ASSERT_TRUE(history.ok()) << history.error().message;
      const Ports ports{.clock = &clock,
                        .log = &log,
                        .runtime = &runtime,
                        .remover = &runtime,
                        .filesystems = &disk,
                        .history = history->get(),
                        .lock = &lock};
      const auto pass = RunPass(ports, options, std::vector{all});
      ASSERT_TRUE(pass.ok()) << pass.error().message;
      const auto unfinished = (*history)->Unfinished();
      ASSERT_TRUE(unfinished.ok());
      EXPECT_TRUE(unfinished->empty()) << "moment " << moment;
    };
    died = false;
    try {
      run(moment);
    } catch (const Killed&) {
      died = true;
      ++deaths;
    }
    run(1'000'000);
    EXPECT_TRUE(world.Has(used));
    EXPECT_EQ(world.ListImages().size(), 1U) << "moment " << moment;
    const auto asked = world.asked();
    EXPECT_EQ(std::ranges::count(asked, used.value), 0);
  }
  EXPECT_GT(deaths, 20);
}

}  // namespace
}  // namespace ebb::engine
