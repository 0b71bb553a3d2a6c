#include <gtest/gtest.h>

#include "base/bytes.h"
#include "base/percent.h"
#include "base/text.h"
#include "base/time.h"

namespace ebb::base {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

TEST(Bytes, PrintsIecUnitsWithOneDecimal) {
  EXPECT_EQ(FormatBytes({0}), "0 B");
  EXPECT_EQ(FormatBytes({1023}), "1023 B");
  EXPECT_EQ(FormatBytes({1536}), "1.5 KiB");
  EXPECT_EQ(FormatBytes({5LL << 30}), "5.0 GiB");
  EXPECT_EQ(FormatBytes({(1LL << 20) - 1}), "1.0 MiB");
  EXPECT_EQ(FormatBytes({-2048}), "-2.0 KiB");
}

TEST(Bytes, ReadsKubernetesQuantitiesAndWhatPeopleType) {
  EXPECT_EQ(ParseBytes("5Gi")->count, 5LL << 30);
  EXPECT_EQ(ParseBytes("500Mi")->count, 500LL << 20);
  EXPECT_EQ(ParseBytes("1.5k")->count, 1500);
  EXPECT_EQ(ParseBytes("10 GB")->count, 10'000'000'000);
  EXPECT_EQ(ParseBytes("5GiB")->count, 5LL << 30);
  EXPECT_EQ(ParseBytes("1000")->count, 1000);
}

TEST(Bytes, RefusesWhatIsNotASizeAndRepeatsIt) {
  for (const char* text : {"", "five", "-1Gi", "5Qi", "1e30", "nan", "inf"}) {
    const auto parsed = ParseBytes(text);
    ASSERT_FALSE(parsed.ok()) << text;
    EXPECT_EQ(parsed.error().code, ErrorCode::kUsage);
    EXPECT_NE(parsed.error().message.find(text), std::string::npos);
  }
}

TEST(Percent, RoundsUsageUpAsTheKubeletDoes) {
  EXPECT_EQ(UsedPercent({1000}, {159}).value, 85);
  EXPECT_EQ(UsedPercent({1000}, {160}).value, 84);
  EXPECT_EQ(UsedPercent({1000}, {0}).value, 100);
  EXPECT_EQ(UsedPercent({1000}, {2000}).value, 0);
}

TEST(Percent, SurvivesCapacitiesOfManyPetabytes) {
  EXPECT_EQ(UsedPercent({1LL << 62}, {1LL << 61}).value, 50);
  EXPECT_EQ(AvailableAt({1LL << 62}, {50}).count, 1LL << 61);
}

TEST(Duration, ReadsGoDurationsAndDays) {
  EXPECT_EQ(*ParseDuration("168h"), hours(168));
  EXPECT_EQ(*ParseDuration("2m30s"), seconds(150));
  EXPECT_EQ(*ParseDuration("1.5h"), minutes(90));
  EXPECT_EQ(*ParseDuration("4d"), hours(96));
  EXPECT_EQ(*ParseDuration("0s"), seconds(0));
  EXPECT_EQ(*ParseDuration("250ms"), std::chrono::milliseconds(250));
}

TEST(Duration, RefusesNonsense) {
  for (const char* text : {"", "5", "h", "-3h", "3 h", "1y", "1e99h"}) {
    EXPECT_FALSE(ParseDuration(text).ok()) << text;
  }
}

TEST(Duration, PrintsGoFormAndAges) {
  EXPECT_EQ(FormatDuration(hours(168)), "168h0m0s");
  EXPECT_EQ(FormatDuration(minutes(2)), "2m0s");
  EXPECT_EQ(FormatDuration(std::chrono::milliseconds(1500)), "1.5s");
  EXPECT_EQ(FormatDuration({}), "0s");
  EXPECT_EQ(FormatAge(hours(76)), "3d4h");
  EXPECT_EQ(FormatAge(hours(300)), "12d");
  EXPECT_EQ(FormatAge(seconds(12)), "12s");
  EXPECT_EQ(FormatAge(seconds(-5)), "now");
}

TEST(Time, ReadsAndPrintsRfc3339) {
  const auto time = ParseTime("2026-11-30T15:04:05.250+02:00");
  ASSERT_TRUE(time.ok());
  EXPECT_EQ(FormatTime(*time), "2026-11-30T13:04:05Z");
  EXPECT_EQ((*time).time_since_epoch() % seconds(1), std::chrono::milliseconds(250));
  for (const char* text : {"", "2026-11-30", "2026-13-30T15:04:05Z", "2026-11-30T15:04:05"}) {
    EXPECT_FALSE(ParseTime(text).ok()) << text;
  }
}

TEST(Time, TakesNoSignAndNoOtherMarkForAPartOfATime) {
  for (const char* text :
       {"2026-12\r30T15:04:05Z", "2026-12-30T15:04.05Z", "2026-12-30_15:04:05Z",
        "2026-12-30T-1:04:05Z", "2026-12-30T15:-4:05Z", "2026-12-30T15:04:-5Z",
        "2026-12-30T15:04:05+-1:00", "2026-12-30T15:04:05+24:00", "2026-12-30T15:04:05+01:60"}) {
    EXPECT_FALSE(ParseTime(text).ok()) << text;
  }
  EXPECT_TRUE(ParseTime("2026-12-30t15:04:05z").ok());
}

TEST(Time, TheYearOneIsNotKnownRatherThanLongAgo) {
  EXPECT_EQ(*ParseTime("0001-01-01T00:00:00Z"), kNever);
}

TEST(Result, AnErrorGainsContextOncePerHop) {
  const Error error{ErrorCode::kUnavailable, "refused"};
  EXPECT_EQ(error.In("list images").In("observe").message, "observe: list images: refused");
  EXPECT_EQ(error.In("x").code, ErrorCode::kUnavailable);
}

TEST(Text, CountsOneThingAndManyThings) {
  EXPECT_EQ(Count(1, "image"), "1 image");
  EXPECT_EQ(Count(0, "image"), "0 images");
  EXPECT_EQ(Count(5, "more filesystem"), "5 more filesystems");
}

TEST(Text, IsOneLineInASentence) {
  EXPECT_EQ(OneLine("a\nb\r\tc\x7f \xc3\xa9"), "a b  c  \xc3\xa9");
}

}  // namespace
}  // namespace ebb::base
