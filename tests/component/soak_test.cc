// Passes of the daemon over a node that never stops changing: nothing in use is ever asked for, and
// nothing grows. EBB_SOAK_PASSES says how many; the slow run makes a million.
#include <gtest/gtest.h>
#include <malloc.h>

#include <cstdlib>
#include <filesystem>
#include <random>
#include <set>
#include <string>

#include "engine/pass.h"
#include "engine/schedule.h"
#include "testing/collected_log.h"
#include "testing/fake_holder.h"
#include "testing/fake_lock.h"
#include "testing/fake_runtime.h"
#include "testing/manual_clock.h"
#include "testing/memory_history.h"

#if defined(__SANITIZE_ADDRESS__)
// As the sanitizer's allocator interface has it; its header comes with clang alone.
extern "C" std::size_t __sanitizer_get_current_allocated_bytes();
#endif

namespace ebb::engine {
namespace {

constexpr int kNames = 40;
constexpr const char* kPause = "registry.k8s.io/pause:3.9";

int Passes() {
  const char* const passes = std::getenv("EBB_SOAK_PASSES");
  return passes == nullptr ? 3000 : std::atoi(passes);
}

// Bytes of the heap that are in use. Not what is resident: sanitizers keep what was freed.
std::size_t Allocated() {
#if defined(__SANITIZE_ADDRESS__)
  return __sanitizer_get_current_allocated_bytes();
#else
  return ::mallinfo2().uordblks;
#endif
}

std::size_t Descriptors() {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    ++count;
  }
  return count;
}

class Soak {
 public:
  explicit Soak(unsigned seed) : random_(seed) {
    world_.SetDisk({100'000}, {10'000});
    pause_ = world_.AddImage(kPause, {100});
    world_.SetSandboxImage(kPause);
    options_.policy = {.min_seen_age = std::chrono::minutes(2),
                       .min_idle_age = std::chrono::minutes(10),
                       .long_idle = std::chrono::hours(1)};
    options_.policy.triggers.max_images = 30;
    world_.before_remove = [this](const std::string& asked) { Check(asked); };
  }

  void Pass() {
    for (int change = Upto(4); change >= 0; --change) Change();
    clock_.Advance(std::chrono::seconds(Upto(1200)));
    options_.enforce = Upto(10) > 0;
    const image::Filesystem fs = disk_.Measure(world_.Storage().front().mountpoint);
    image::Filesystem images = fs;
    images.holds_images = true;
    const auto demands =
        image::DemandsOfDisk(std::vector{images}, options_.policy, {}, {500}, clock_.Now());
    const auto pass = RunPass(Ports(), options_, demands);
    if (pass.ok() && pass->report) ++runs_;
    if (!pass.ok() && !world_.dead()) ADD_FAILURE() << pass.error().message;
    EXPECT_TRUE(world_.Has(pause_)) << "the sandbox image is gone";
    world_.Revive();
    history_.batches.clear();
    history_.runs.clear();
    log_.lines.clear();
    world_.ForgetAsked();
  }

  int runs() const { return runs_; }

 private:
  engine::Ports Ports() {
    return {.clock = &clock_,
            .log = &log_,
            .runtime = &runtime_,
            .remover = &runtime_,
            .filesystems = &disk_,
            .history = &history_,
            .lock = &lock_,
            .holder = holds_ ? &holder_ : nullptr};
  }

  int Upto(int most) { return std::uniform_int_distribution<int>(0, most)(random_); }
  std::string Name() { return "registry.example/app-" + std::to_string(Upto(kNames - 1)) + ":1"; }

  void Change() {
    switch (Upto(7)) {
      case 0:
      case 1:
        world_.AddImage({.name = Name(),
                         .layers = {{"base-" + std::to_string(Upto(3)), {1000}},
                                    {"own-" + std::to_string(Upto(kNames)), {2000}}},
                         .pinned = Upto(20) == 0});
        break;
      case 2: {
        const std::string name = Name();
        if (world_.FindImage(name) && containers_.size() < kNames)
          containers_.insert(world_.AddContainer(name));
        break;
      }
      case 3:
        if (!containers_.empty()) {
          world_.RemoveContainer(*containers_.begin());
          containers_.erase(containers_.begin());
        }
        break;
      case 4:
        if (!containers_.empty()) {
          world_.SetState(*containers_.rbegin(), image::ContainerState::kExited);
        }
        break;
      case 5: world_.FillTo({50 + Upto(49)}); break;
      case 6: holds_ = !holds_; break;
      case 7:
        if (Upto(20) == 0) world_.DieAfter(Upto(3));
        break;
    }
  }

  // P1, at the very moment of the call.
  void Check(const std::string& asked) const {
    const auto image = world_.FindImage(asked);
    if (!image) return;
    EXPECT_NE(image->id, pause_);
    EXPECT_FALSE(image->pinned) << asked;
    for (const image::Container& container : world_.ListContainers()) {
      const auto used = world_.FindImage(container.image_name);
      EXPECT_FALSE(used && used->id == image->id) << asked << " is used by " << container.id;
    }
  }

  std::mt19937 random_;
  testing::ManualClock clock_;
  testing::FakeNode world_{testing::Containerd17(), clock_};
  testing::FakeRuntime runtime_{world_};
  testing::FakeDisk disk_{world_};
  testing::FakeHolder holder_{world_};
  testing::FakeLock lock_;
  testing::MemoryHistory history_;
  testing::CollectedLog log_;
  PassOptions options_;
  image::ImageId pause_;
  std::set<std::string> containers_;
  bool holds_ = true;
  int runs_ = 0;
};

TEST(Soak, NothingInUseIsEverAskedForAndNothingGrows) {
  const int passes = Passes();
  Soak soak(1);
  for (int pass = 0; pass < passes / 10; ++pass) soak.Pass();
  const std::size_t memory = Allocated();
  const std::size_t descriptors = Descriptors();
  for (int pass = passes / 10; pass < passes && !::testing::Test::HasFailure(); ++pass) {
    soak.Pass();
  }
  EXPECT_GT(soak.runs(), passes / 50) << "it has to do something";
  EXPECT_LE(Descriptors(), descriptors);
  // A leak of a hundred bytes in each pass would show.
  EXPECT_LE(Allocated(), memory + static_cast<std::size_t>(passes) * 100);
  RecordProperty("passes", passes);
}

}  // namespace
}  // namespace ebb::engine
