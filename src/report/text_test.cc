#include "report/text.h"

#include <gtest/gtest.h>

#include "report/bar.h"
#include "report/table.h"
#include "report/words.h"

namespace ebb::report {
namespace {

TEST(Text, CountsColumnsNotBytes) {
  EXPECT_EQ(Width("█▌x"), 3U);
  EXPECT_EQ(Head("█▌x", 2), "█▌");
  EXPECT_EQ(Tail("a█▌x", 2), "▌x");
  EXPECT_EQ(Tail("ab", 5), "ab");
  EXPECT_EQ(Head("ab", 5), "ab");
}

TEST(Text, ShortensIdsUnlessTold) {
  const std::string id = "sha256:0123456789abcdef0123";
  EXPECT_EQ(ShortId(id, {}), "0123456789abc");
  EXPECT_EQ(ShortId(id, {.no_trunc = true}), id);
  EXPECT_EQ(ShortId("ab", {}), "ab");
}

TEST(Text, ShortensDigestsInNames) {
  const std::string name = "ghcr.io/x/y@sha256:0123456789abcdef0123";
  EXPECT_EQ(ShortName(name, {}), "ghcr.io/x/y@0123456789abc");
  EXPECT_EQ(ShortName(name, {.no_trunc = true}), name);
  EXPECT_EQ(ShortName("sha256:0123456789abcdef0123", {}), "0123456789abc");
  EXPECT_EQ(ShortName("ghcr.io/x/y:1", {}), "ghcr.io/x/y:1");
}

TEST(Text, DoesNotCallAnUnknownTimeLongAgo) {
  const base::TimePoint now = base::TimePoint{} + std::chrono::hours(24 * 365 * 50);
  EXPECT_EQ(Ago(base::kNever, now), "-");
  EXPECT_EQ(Ago(now - std::chrono::hours(26), now), "1d2h");
}

TEST(Text, PaintsOnlyWithColour) {
  EXPECT_EQ(Paint({}, Color::kRed, "x"), "x");
  EXPECT_EQ(Paint({.color = true}, Color::kRed, "x"), "\x1b[31mx\x1b[0m");
}

TEST(Bar, ShowsEveryMarkEvenIfTheyCrowd) {
  const image::Marks marks{.high = {99}, .low = {98}, .critical = {100}, .kubelet_high = {{100}}};
  const std::string bar = UsageBar({50}, marks, {});
  EXPECT_EQ(Width(bar), 52U);
  EXPECT_TRUE(bar.ends_with("█LHCK]") || bar.ends_with("░LHCK]")) << bar;
}

TEST(Bar, FillsAsMuchAsIsUsed) {
  const std::string half = UsageBar({50}, {});
  EXPECT_EQ(Width(half.substr(0, half.find("░"))), 26U);
  EXPECT_EQ(UsageBar({0}, {}).find("█"), std::string::npos);
  EXPECT_EQ(UsageBar({100}, {}).find("░"), std::string::npos);
}

TEST(Bar, NeverShowsSomethingAsNothing) {
  EXPECT_EQ(ShareBar({1}, {1000000}, 10), "▌");
  EXPECT_EQ(ShareBar({0}, {100}, 10), "");
  EXPECT_EQ(ShareBar({1}, {0}, 10), "");
  EXPECT_EQ(Width(ShareBar({500}, {100}, 10)), 10U);
}

TEST(Table, AlignsColumnsAndWritesNoSpacesAtTheEnd) {
  Table table({{"A"}, {"N", Align::kRight}, {"B"}});
  table.Add({{"x"}, {"7"}, {""}});
  table.Add({{"long"}, {"123"}, {"y"}});
  EXPECT_EQ(table.Render({}), "A       N  B\nx       7\nlong  123  y\n");
  EXPECT_EQ(table.Render({.no_headers = true}), "x       7\nlong  123  y\n");
}

TEST(Table, IsEmptyWithoutRows) {
  EXPECT_EQ(Table({{"A"}}).Render({}), "");
}

TEST(Table, IsCutOnlyWhereAWidthIsKnownAndTruncationAllowed) {
  Table table({{"NAME", Align::kLeft, Cut::kKeepTail}, {"SIZE", Align::kRight}});
  const std::string name = "registry.example.org/team/project/image:v1.2.3";
  table.Add({{name}, {"1.0 GiB"}});
  EXPECT_NE(table.Render({}).find(name), std::string::npos);
  EXPECT_NE(table.Render({.no_trunc = true, .width = 30}).find(name), std::string::npos);
  EXPECT_NE(table.Render({.width = 30}).find("…project/image:v1.2.3  1.0 GiB\n"), std::string::npos)
      << table.Render({.width = 30});
}

TEST(Table, DropsWhatItMayBeforeNamesBecomeUnreadable) {
  Table table({{"NAME", Align::kLeft, Cut::kKeepTail}, {"ID", Align::kLeft, Cut::kDrop}, {"N"}});
  table.Add({{"registry.example.org/team/image:v1.2.3"}, {"0123456789abc"}, {"1"}});
  EXPECT_EQ(table.Render({.no_headers = true, .width = 30}), "…mple.org/team/image:v1.2.3  1\n")
      << table.Render({.width = 30});
  EXPECT_NE(table.Render({.width = 60}).find("0123456789abc"), std::string::npos);
}

TEST(Table, MakesControlCharactersHarmless) {
  Table table({{"A"}});
  table.Add({{"x\x1b[31m\n"}});
  EXPECT_EQ(table.Render({.no_headers = true}), "x?[31m?\n");
}

TEST(Words, CallBytesAnEstimateUnlessTheyAreExact) {
  EXPECT_EQ(Approximately({1024}, image::Accounting::kExact), "1.0 KiB");
  EXPECT_EQ(Approximately({1024}, image::Accounting::kLayers), "about 1.0 KiB");
}

TEST(Words, TellEveryMessageOnceAndCountWhatDoesNotFit) {
  image::Observation seen;
  seen.doubts = {"d1"};
  seen.warnings = {"w1", "w2"};
  const auto all = MessageLines(seen, {"nothing is removed: d1", "n1"}, {});
  EXPECT_EQ(all.size(), 4U);
  const auto some = MessageLines(seen, {"nothing is removed: d1", "n1"}, {}, 2);
  ASSERT_EQ(some.size(), 2U);
  EXPECT_NE(some[0].find("d1"), std::string::npos);
  EXPECT_NE(some[1].find("3 more messages"), std::string::npos);
}

}  // namespace
}  // namespace ebb::report
