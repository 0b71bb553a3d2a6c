#include "report/metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "report/exposition.h"
#include "report/exposition_check_test.h"
#include "report/golden.h"
#include "report/world.h"
#include "testing/temp_dir.h"

namespace ebb::report {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

const image::DeadPlan& LeftBehind() {
  using enum image::DeadVerdict;
  static const image::DeadPlan plan{
      .things = {{.verdict = kWouldGo},
                 {.verdict = kWouldGo},
                 {.kind = image::DeadThing::Kind::kSandbox, .verdict = kAlive},
                 {.kind = image::DeadThing::Kind::kLogLink, .verdict = kStays}}};
  return plan;
}

// A daemon that has worked for a while; `world` and `plan` must outlive it.
NodeMetrics Busy(const World& world, const image::Plan& plan) {
  NodeMetrics metrics{.version = "0.1.0", .enforcing = true, .seen = &world.seen, .plan = &plan};
  metrics.config_time = world.seen.taken_at - hours(3);
  metrics.observation_age = milliseconds(1250);
  metrics.outlooks[world.seen.filesystems.front().mountpoint] = {
      .marks = plan.marks, .until_high = seconds(90), .until_full = hours(7)};
  RunTotals& totals = metrics.totals;
  totals.runs = {{{"high-mark", "reached"}, 12}, {{"age", "nothing-to-do"}, 400}};
  totals.removed = {{image::Reason::kOverMark, 40}};
  totals.failed = {{image::Outcome::kHeld, 2}};
  totals.planned = {5'000'000'000};
  totals.predicted = {4'900'000'000};
  totals.freed = {4'800'000'001};
  metrics.dead = &LeftBehind();
  totals.dead_removed = {{image::DeadThing::Kind::kContainer, 7}};
  totals.dead_freed = {4096};
  totals.regrets = 1;
  totals.observation_errors = 3;
  totals.last_observation = world.seen.taken_at + milliseconds(7);
  totals.last_run = world.seen.taken_at - hours(1);
  totals.prediction_error = base::Bytes{-4096};
  for (const auto took : {milliseconds(5), milliseconds(6), milliseconds(1500)}) {
    totals.observe.Add(took);
  }
  totals.remove.Add(seconds(301));
  return metrics;
}

TEST(Metrics, LookAsTheyShould) {
  const World world = MakeWorld();
  const image::Plan plan = world.Plan();
  ExpectGolden("metrics.txt", NodeMetricsText(Busy(world, plan)));
}

TEST(Metrics, KeepToTheFormatWhateverIsKnown) {
  EXPECT_THAT(ProblemsOf(NodeMetricsText({})), IsEmpty());
  World world = MakeWorld();
  const image::Plan plan = world.Plan();
  EXPECT_THAT(ProblemsOf(NodeMetricsText(Busy(world, plan))), IsEmpty());
  world.seen.filesystems.push_back(world.seen.filesystems.front());  // one mountpoint, twice
  world.seen.filesystems.push_back({.mountpoint = "/hangs", .problem = "no answer"});
  EXPECT_THAT(ProblemsOf(NodeMetricsText(Busy(world, plan))), IsEmpty());
  world.seen.filesystems.front().mountpoint = "/a\"b\\c\nd\xff\xc3\xa9";
  const std::string page = NodeMetricsText(Busy(world, plan));
  EXPECT_THAT(ProblemsOf(page), IsEmpty());
  EXPECT_THAT(page, HasSubstr("size_bytes{mountpoint=\"/a\\\"b\\\\c\\nd?\xc3\xa9\"} "));
}

TEST(Metrics, SayNothingOfWhatWasNeverSeen) {
  const std::string page = NodeMetricsText({.version = "1"});
  for (const char* absent :
       {"\nebb_images{", "\nebb_observation_age_seconds ", "\nebb_store_bytes ",
        "\nebb_dead_things{", "timestamp_seconds 0", "\nebb_prediction_error_bytes "}) {
    EXPECT_THAT(page, Not(HasSubstr(absent)));
  }
  EXPECT_THAT(page, HasSubstr("\nebb_images_removed_total{reason=\"over-mark\"} 0\n"));
}

TEST(Metrics, NameNoImage) {
  const World world = MakeWorld();
  const image::Plan plan = world.Plan();
  const std::string page = NodeMetricsText(Busy(world, plan));
  for (const image::Image& image : world.seen.images) {
    EXPECT_THAT(page, Not(HasSubstr(image.id.value)));
    for (const std::string& tag : image.tags) EXPECT_THAT(page, Not(HasSubstr(tag)));
  }
}

TEST(Metrics, WriteNumbersInPlainDigits) {
  Exposition page;
  page.Begin("x", "gauge", "what");
  page.Number({}, 0.82);
  page.Number({}, 1e-9);
  page.Number({}, 1e21);
  page.Seconds({}, milliseconds(1500));
  page.Time(base::TimePoint(seconds(1'796'000'000) + milliseconds(20)));
  page.Time(base::kNever);
  EXPECT_EQ(page.Take(),
            "# HELP x what\n# TYPE x gauge\nx 0.82\nx 0.000000001\nx 1000000000000000000000\n"
            "x 1.5\nx 1796000000.02\n");
}

TEST(Metrics, CountADurationIntoTheBucketWhoseBoundItReaches) {
  DurationHistogram histogram;
  histogram.Add(milliseconds(5));
  histogram.Add(milliseconds(5) + base::Duration(1));
  histogram.Add(base::Duration(0));
  histogram.Add(hours(1));
  EXPECT_EQ(histogram.in_bucket(0), 2U);
  EXPECT_EQ(histogram.in_bucket(1), 1U);
  EXPECT_EQ(histogram.in_bucket(DurationHistogram::kBounds.size()), 1U);
  EXPECT_EQ(histogram.count(), 4U);
  EXPECT_EQ(histogram.sum(), hours(1) + milliseconds(10) + base::Duration(1));
}

TEST(Metrics, ArePrometheusOwnToolsTaste) {
  if (std::system("command -v promtool >/dev/null 2>&1") != 0) {
    GTEST_SKIP()
        << "promtool is not on PATH; ./dev test fetches it from Debian's package prometheus";
  }
  const World world = MakeWorld();
  const image::Plan plan = world.Plan();
  const testing::TempDir dir;
  std::ofstream(dir / "page") << NodeMetricsText(Busy(world, plan));
  const std::string command = "promtool check metrics <" + (dir / "page").string() + " >" +
                              (dir / "said").string() + " 2>&1";
  const int status = std::system(command.c_str());
  std::ifstream said(dir / "said");
  std::stringstream text;
  text << said.rdbuf();
  EXPECT_EQ(status, 0) << text.str();
  EXPECT_EQ(text.str(), "");
}

// The cells of the table whose first column is headed "metric".
std::vector<std::string> DocumentedRows() {
  std::ifstream document(std::filesystem::path(EBB_DOCS) / "operations.md");
  std::vector<std::string> rows;
  bool inside = false;
  for (std::string line; std::getline(document, line);) {
    if (!line.starts_with('|')) inside = false;
    if (inside && !line.starts_with("|--")) rows.push_back(line);
    if (line.starts_with("| metric ")) inside = true;
  }
  return rows;
}

TEST(OperationsDoc, HasOneRowPerMetricWithNameTypeLabelsAndMeaning) {
  std::vector<std::string> wanted;
  wanted.reserve(Metrics().size());
  for (const MetricDoc& metric : Metrics()) {
    std::string row = "| `" + std::string(metric.name) + "` | " + std::string(metric.type) + " | ";
    row += std::string(metric.labels) + " | " + std::string(metric.meaning) + " |";
    wanted.push_back(std::move(row));
  }
  EXPECT_EQ(DocumentedRows(), wanted);
}

}  // namespace
}  // namespace ebb::report
