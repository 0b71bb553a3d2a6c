#include "image/fill_rate.h"

#include <gtest/gtest.h>

#include <vector>

namespace ebb::image {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

FillRate Filled(double bytes_per_second, base::Duration time) {
  FillRate rate;
  for (base::Duration at{}; at <= time; at += seconds(1)) {
    rate.Add(at, {static_cast<std::int64_t>(1e9 + bytes_per_second *
                                                      std::chrono::duration<double>(at).count())});
  }
  return rate;
}

TEST(FillRate, IsNotKnownBeforeTwoMinutesHaveBeenSeen) {
  EXPECT_FALSE(Filled(100, minutes(2) - seconds(10)).BytesPerSecond());
  EXPECT_TRUE(Filled(100, minutes(2)).BytesPerSecond());
}

TEST(FillRate, IsTheSlopeOfWhatIsUsed) {
  EXPECT_NEAR(*Filled(5000, minutes(10)).BytesPerSecond(), 5000, 1);
  EXPECT_NEAR(*Filled(-5000, minutes(10)).BytesPerSecond(), -5000, 1);
}

TEST(FillRate, OnlyTheLastHalfHourCounts) {
  FillRate rate;
  for (base::Duration at{}; at < hours(1); at += seconds(10)) rate.Add(at, {0});
  for (base::Duration at = hours(1); at < hours(2); at += seconds(10)) {
    rate.Add(at, {100 * std::chrono::duration_cast<seconds>(at).count()});
  }
  EXPECT_NEAR(*rate.BytesPerSecond(), 100, 1);
}

TEST(FillRate, ForgetsWhatWasBeforeARemoval) {
  FillRate rate = Filled(5000, minutes(10));
  rate.Forget();
  EXPECT_FALSE(rate.BytesPerSecond());
}

TEST(FillRate, ADiskThatDoesNotFillIsNeverFull) {
  EXPECT_FALSE(TimeToFill({100}, 0.0));
  EXPECT_FALSE(TimeToFill({100}, -5.0));
  EXPECT_FALSE(TimeToFill({100}, std::nullopt));
  EXPECT_FALSE(TimeToFill({1LL << 60}, 1.0)) << "a year is as good as never";
}

TEST(FillRate, TellsWhenTheDiskIsFull) {
  EXPECT_EQ(TimeToFill({3600}, 1.0), hours(1));
  EXPECT_EQ(TimeToFill({0}, 1.0), base::Duration{});
  EXPECT_EQ(TimeToFill({-5}, std::nullopt), base::Duration{}) << "it is there already";
}

// One sample a minute; `used` of 1000 bytes, ending now.
std::vector<Sample> Recorded(const std::vector<int>& used, base::TimePoint now) {
  std::vector<Sample> samples;
  samples.reserve(used.size());
  for (std::size_t i = 0; i < used.size(); ++i) {
    samples.push_back({.time = now - minutes(used.size() - 1 - i),
                       .capacity = {1000},
                       .available = {1000 - used[i]}});
  }
  return samples;
}

const base::TimePoint kNow{hours(24 * 365 * 50)};

TEST(RecordedRate, IsTheSlopeOfWhatWasRecorded) {
  EXPECT_NEAR(*RecordedRate(Recorded({100, 106, 112, 118}, kNow), kNow), 0.1, 0.001);
  EXPECT_FALSE(RecordedRate({}, kNow));
  EXPECT_FALSE(RecordedRate(Recorded({100, 106}, kNow), kNow)) << "one minute tells too little";
}

TEST(RecordedRate, BeginsAnewWhereMuchCameFreeAtOnce) {
  EXPECT_NEAR(*RecordedRate(Recorded({500, 900, 100, 106, 112}, kNow), kNow), 0.1, 0.001);
  EXPECT_LT(*RecordedRate(Recorded({109, 106, 103, 100}, kNow), kNow), 0) << "slowly it counts";
}

TEST(RecordedRate, OfLongAgoSaysNothing) {
  EXPECT_FALSE(RecordedRate(Recorded({100, 106, 112}, kNow - minutes(31)), kNow));
}

}  // namespace
}  // namespace ebb::image
