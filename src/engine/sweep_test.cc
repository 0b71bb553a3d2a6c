#include "engine/sweep.h"

#include <gtest/gtest.h>

#include "engine/collect_test.h"

namespace ebb::engine {
namespace {

using std::chrono::minutes;

// A store in which one blob of 70 bytes is kept by nothing.
image::Observation Leaky() {
  image::Observation seen;
  seen.objects.objects = {{.name = "kept", .disk = {30}}, {.name = "leaked", .disk = {70}}};
  seen.objects.roots = {{.name = "record", .keeps = {0}}};
  return seen;
}

struct SweepRig : CollectRig {
  SweepRig() : CollectRig(0) { holds = true; }
  base::Bytes Run(const image::Observation& leaky) {
    const auto swept = Sweep(ports(), leaky);
    EXPECT_TRUE(swept.ok());
    return swept.ok() ? *swept : base::Bytes{-1};
  }
};

TEST(Sweep, WhatNobodyKeepsIsCollected) {
  SweepRig node;
  EXPECT_EQ(node.Run(Leaky()), base::Bytes{70});
  EXPECT_EQ(node.holder.sweeps, 1);
}

TEST(Sweep, WithoutLeaksNobodyIsKeptWaiting) {
  SweepRig node;
  image::Observation tight = Leaky();
  tight.objects.roots[0].keeps = {0, 1};
  EXPECT_EQ(node.Run(tight), base::Bytes{0});
  EXPECT_EQ(node.Run({}), base::Bytes{0}) << "a store that cannot be read";
  EXPECT_EQ(node.holder.sweeps, 0);
}

TEST(Sweep, HappensAtMostOnceAnHourAlsoAcrossRestarts) {
  SweepRig node;
  (void)node.Run(Leaky());
  node.clock.Advance(minutes(59));
  EXPECT_EQ(node.Run(Leaky()), base::Bytes{0});
  node.clock.Advance(minutes(1));
  EXPECT_EQ(node.Run(Leaky()), base::Bytes{70});
}

TEST(Sweep, AClockThatWasAheadKeepsNobodyFromIt) {
  SweepRig node;
  (void)node.Run(Leaky());
  node.clock.Set(node.clock.Now() - std::chrono::hours(24 * 365));
  EXPECT_EQ(node.Run(Leaky()), base::Bytes{70});
}

TEST(Sweep, WhereNothingCanBeForcedNothingIsDone) {
  SweepRig node;
  node.holds = false;
  EXPECT_EQ(node.Run(Leaky()), base::Bytes{0});
}

}  // namespace
}  // namespace ebb::engine
