// A node in memory and what a run did to it: the rig of the tests of Collect().
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "engine/collect.h"
#include "testing/collected_log.h"
#include "testing/fake_holder.h"
#include "testing/fake_runtime.h"
#include "testing/manual_clock.h"
#include "testing/memory_history.h"

namespace ebb::engine {

using image::Ending;
using image::ImageId;
using image::Outcome;
using image::Target;

inline const image::Policy kAnyAge{.min_seen_age = {}, .min_idle_age = {}};
inline const Target kAllUnused{.kind = Target::Kind::kAllUnused};

// A node of 10,000 bytes with `idle` images of 100 bytes each, and what a run did to it.
struct CollectRig {
  explicit CollectRig(int idle, testing::Profile profile = testing::Containerd17())
      : world(std::move(profile), clock) {
    world.SetDisk({10000}, {});
    for (int i = 0; i < idle; ++i) {
      clock.Advance(std::chrono::minutes(1));
      ids.push_back(world.AddImage("registry.example/idle:" + std::to_string(i), {100}));
      Look();
    }
  }
  void Look() {
    if (Observe(ports(), {}).ok()) return;
    ADD_FAILURE() << "the node cannot be observed";
  }
  Ports ports() {
    return {.clock = &clock,
            .log = &log,
            .runtime = &runtime,
            .remover = &runtime,
            .filesystems = &disk,
            .history = &history,
            .holder = holds ? &holder : nullptr};
  }
  image::Report Run(const Target& target, const CollectOptions& options = {}) {
    auto observed = Observe(ports(), {});
    EXPECT_TRUE(observed.ok());
    seen = *observed;
    plan = image::Decide(seen, policy, target);
    if (between) between();
    return Collect(ports(), seen, plan, {}, options);
  }
  Outcome OutcomeOf(const image::Report& report, const ImageId& id) const {
    for (const image::Removal& removal : report.removals) {
      if (seen.images[removal.image].id == id) return removal.outcome;
    }
    ADD_FAILURE() << id.value << " was not to be removed";
    return Outcome::kNotTried;
  }
  int Count(const image::Report& report, Outcome outcome) const {
    return static_cast<int>(std::ranges::count(report.removals, outcome, &image::Removal::outcome));
  }
  bool Asked(const ImageId& id) const {
    const auto asked = world.asked();
    return std::ranges::find(asked, id.value) != asked.end();
  }

  testing::ManualClock clock;
  testing::FakeNode world;
  testing::FakeRuntime runtime{world};
  testing::FakeDisk disk{world};
  testing::FakeHolder holder{world};
  bool holds = false;  // whether what is removed can be held
  testing::MemoryHistory history;
  testing::CollectedLog log;
  image::Policy policy = kAnyAge;
  std::vector<ImageId> ids;
  image::Observation seen;
  image::Plan plan;
  std::function<void()> between;  // plan and removal
};

}  // namespace ebb::engine
