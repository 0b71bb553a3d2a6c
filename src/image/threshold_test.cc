#include "image/threshold.h"

#include <gtest/gtest.h>

namespace ebb::image {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

constexpr std::int64_t kGi = 1LL << 30;
constexpr std::int64_t kMi = 1LL << 20;

Limit Bytes(std::int64_t count) {
  return {.count = count};
}
Limit Share(double percent) {
  return {.percent = percent};
}

Readings Left(std::int64_t left, std::int64_t capacity = 100 * kGi) {
  return {{Signal::kImagefsAvailable, {.left = left, .capacity = capacity}}};
}

// A hard one below 1 Gi and a soft one below 2 Gi that may last two minutes.
ThresholdWatch HardAndSoft() {
  return ThresholdWatch(
      {{.signal = Signal::kImagefsAvailable, .value = Bytes(kGi)},
       {.signal = Signal::kImagefsAvailable, .value = Bytes(2 * kGi), .grace = minutes(2)}});
}

// K-V1, K-V2: what the kubelet does to pods, we do to images.
TEST(Threshold, KV1ASoftOneIsNotDueBeforeItsGraceHasPassed) {
  auto watch = HardAndSoft();
  watch.Read(Left(3 * kGi / 2), minutes(10));
  watch.Read(Left(3 * kGi / 2), minutes(11));
  EXPECT_TRUE(watch.Due(minutes(11)).empty());
}

TEST(Threshold, KV2ASoftOneIsDueWhenItHasBeenMetForItsGrace) {
  auto watch = HardAndSoft();
  watch.Read(Left(3 * kGi / 2), minutes(10));
  watch.Read(Left(3 * kGi / 2), minutes(13));
  ASSERT_EQ(watch.Due(minutes(13)).size(), 1U);
  EXPECT_EQ(watch.Due(minutes(13))[0].grace, minutes(2));
}

TEST(Threshold, KV3ReliefStartsTheGraceAnew) {
  auto watch = HardAndSoft();
  watch.Read(Left(3 * kGi / 2), minutes(10));
  watch.Read(Left(16 * kGi), minutes(11));
  watch.Read(Left(3 * kGi / 2), minutes(12));
  EXPECT_TRUE(watch.Due(minutes(13)).empty());
}

TEST(Threshold, KV4AHardOneIsDueAtOnce) {
  auto watch = HardAndSoft();
  watch.Read(Left(750 * kMi), minutes(1));
  ASSERT_EQ(watch.Due(minutes(1)).size(), 1U);
  EXPECT_EQ(watch.Due(minutes(1))[0].grace, base::Duration{});
}

TEST(Threshold, KV10InodesAreWatchedAsBytesAre) {
  ThresholdWatch watch({{.signal = Signal::kImagefsInodesFree, .value = Bytes(kMi)}});
  watch.Read({{Signal::kImagefsInodesFree, {.left = kMi / 2, .capacity = 10 * kMi}}}, seconds(1));
  EXPECT_EQ(watch.Due(seconds(1)).size(), 1U);
}

TEST(Threshold, KV11OnceMetItIsMetUntilTheMinimumIsReclaimedToo) {
  ThresholdWatch watch(
      {{.signal = Signal::kImagefsAvailable, .value = Bytes(kGi), .reclaim = Bytes(500 * kMi)}});
  watch.Read(Left(500 * kMi), seconds(1));
  EXPECT_EQ(watch.Due(seconds(1)).size(), 1U);
  watch.Read(Left(12 * kGi / 10), seconds(2));
  EXPECT_EQ(watch.Due(seconds(2)).size(), 1U);
  watch.Read(Left(2 * kGi), seconds(3));
  EXPECT_TRUE(watch.Due(seconds(3)).empty());
  watch.Read(Left(12 * kGi / 10), seconds(4));
  EXPECT_TRUE(watch.Due(seconds(4)).empty()) << "it has to be met anew first";
}

TEST(Threshold, DuringTheGraceOfASoftOneTheMinimumDoesNotCount) {
  ThresholdWatch watch({{.signal = Signal::kImagefsAvailable,
                         .value = Bytes(kGi),
                         .reclaim = Bytes(500 * kMi),
                         .grace = seconds(30)}});
  watch.Read(Left(500 * kMi), seconds(1));
  watch.Read(Left(12 * kGi / 10), seconds(31));
  EXPECT_TRUE(watch.Due(seconds(61)).empty());
  watch.Read(Left(500 * kMi), seconds(70));
  watch.Read(Left(500 * kMi), seconds(100));
  watch.Read(Left(12 * kGi / 10), seconds(101));
  EXPECT_EQ(watch.Due(seconds(101)).size(), 1U) << "it was due";
}

TEST(Threshold, KV17ReadsSharesAndQuantitiesOfBytesAndInodes) {
  EXPECT_EQ(*ParseLimit("1Gi"), Bytes(kGi));
  EXPECT_EQ(*ParseLimit("10%"), Share(10));
  EXPECT_EQ(*ParseLimit("10.5%"), Share(10.5));
  EXPECT_EQ(*ParseLimit("2Mi"), Bytes(2 * kMi));
  for (const Signal signal : AllSignals()) EXPECT_EQ(ParseSignal(Code(signal)), signal);
}

TEST(Threshold, KV18RefusesWhatIsNoLimit) {
  for (const char* const text : {"-1Gi", "-5%", "101%", "%", "", "1e2%", "10 %", "much", "nan%"}) {
    const auto limit = ParseLimit(text);
    ASSERT_FALSE(limit.ok()) << text;
    EXPECT_EQ(limit.error().code, base::ErrorCode::kUsage);
  }
  EXPECT_FALSE(ParseSignal("memory.available")) << "not ours to reclaim";
}

TEST(Threshold, KV19IsMetBelowItsValueAndWithTheMinimumIfItWasMetBefore) {
  const Threshold threshold{.value = Bytes(kGi), .reclaim = Bytes(500 * kMi)};
  const auto met = [&](std::int64_t left, bool before) {
    return Met(threshold, {.left = left, .capacity = 100 * kGi}, before);
  };
  EXPECT_TRUE(met(500 * kMi, false));
  EXPECT_FALSE(met(2 * kGi, false));
  EXPECT_FALSE(met(kGi, false)) << "less than, not as little as";
  EXPECT_TRUE(met(105 * kGi / 100, true));
  EXPECT_FALSE(met(2 * kGi, true));
}

TEST(Threshold, KV20SharesAreOfTheCapacityAndRoundedDown) {
  const Threshold threshold{.value = Share(20), .reclaim = Share(5)};
  const auto met = [&](std::int64_t left, bool before) {
    return Met(threshold, {.left = left, .capacity = 1000}, before);
  };
  EXPECT_TRUE(met(100, false));
  EXPECT_FALSE(met(300, false));
  EXPECT_TRUE(met(225, true));
  EXPECT_FALSE(met(250, true));
  EXPECT_EQ(Share(10.5).Of(1009), 105);
}

TEST(Threshold, KV21WhatCannotBeMeasuredStaysAsItWas) {
  auto watch = HardAndSoft();
  watch.Read(Left(750 * kMi), seconds(1));
  watch.Read({}, seconds(2));
  EXPECT_EQ(watch.Due(seconds(2)).size(), 1U);
}

TEST(Threshold, KV23ContainersAreWatchedWhereTheyLie) {
  const Filesystem images{.holds_images = true, .capacity = {100}, .available = {10}};
  const Filesystem node{
      .holds_containers = true, .holds_node = true, .capacity = {100}, .available = {70}};
  const auto split = ReadSignals(std::vector{images, node});
  EXPECT_EQ(split.at(Signal::kImagefsAvailable).left, 10);
  EXPECT_EQ(split.at(Signal::kContainerfsAvailable).left, 70);
  EXPECT_EQ(split.at(Signal::kNodefsAvailable).left, 70);
  EXPECT_EQ(split.at(Signal::kContainerfsAvailable).filesystem, 1U);
}

TEST(Threshold, AFilesystemThatCountsNoInodesHasNoReadingOfThem) {
  const Filesystem btrfs{.holds_images = true, .capacity = {100}, .available = {10}};
  EXPECT_FALSE(ReadSignals(std::vector{btrfs}).contains(Signal::kImagefsInodesFree));
}

TEST(Threshold, OfTwoImageFilesystemsTheFullerOneCounts) {
  const Filesystem small{.holds_images = true, .capacity = {100}, .available = {50}};
  const Filesystem large{.holds_images = true, .capacity = {10000}, .available = {1000}};
  EXPECT_EQ(ReadSignals(std::vector{small, large}).at(Signal::kImagefsAvailable).left, 1000);
}

}  // namespace
}  // namespace ebb::image
