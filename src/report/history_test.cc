#include "report/history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "report/golden.h"
#include "report/history_json.h"
#include "report/world.h"

namespace ebb::report {
namespace {

using std::chrono::hours;
using std::chrono::seconds;
using ::testing::HasSubstr;

const base::TimePoint kNow = std::chrono::sys_days(std::chrono::year(2026) / 11 / 30) + hours(3);
constexpr std::int64_t kGiB = std::int64_t{1} << 30;

std::vector<image::PastRun> Runs() {
  image::PastRun daemon{.number = 12,
                        .started = kNow,
                        .finished = kNow + seconds(9),
                        .trigger = "used",
                        .ending = "reached",
                        .problem = "",
                        .mountpoint = "/var/lib/containerd"};
  daemon.capacity = {20 * kGiB};
  daemon.available_before = {3 * kGiB};
  daemon.available_after = {4 * kGiB};
  daemon.need = {kGiB};
  daemon.predicted = {kGiB + 5'000'000};
  daemon.measured = {kGiB};
  daemon.batches = 2;
  daemon.removed = 1;
  image::PastRun stopped{.number = 11,
                         .started = kNow - hours(30),
                         .finished = kNow - hours(30) + std::chrono::milliseconds(1500),
                         .trigger = "collect",
                         .ending = "stopped",
                         .problem = "list images: nobody answers",
                         .mountpoint = ""};
  stopped.batches = 1;
  return {daemon, stopped};
}

std::vector<image::PastRemoval> Removals() {
  image::PastRemoval gone{.run = 12,
                          .run_started = kNow,
                          .time = kNow + seconds(9),
                          .id = {TestId(1)},
                          .name = "registry.example/team/web:1.4.0",
                          .reason = "over-mark",
                          .outcome = "removed",
                          .detail = "",
                          .predicted = {kGiB}};
  gone.size = {kGiB / 3};
  gone.first_seen = kNow - hours(400);
  image::PastRemoval held = gone;
  held.id = {TestId(2)};
  held.name = "registry.example/api@" + TestId(7);
  held.outcome = "held";
  held.detail = "the runtime says it is in use by a container";
  held.predicted = {5'000'000};
  return {gone, held};
}

std::vector<image::Regret> Regrets() {
  image::PastRemoval older = Removals()[0];
  older.run = 7;
  older.time -= hours(100);
  older.size = {};
  return {{.removal = Removals()[0], .back = kNow + hours(2), .back_as = {TestId(1)}},
          {.removal = older, .back = kNow - hours(90), .back_as = {TestId(3)}}};
}

TEST(HistoryReport, LooksAsItShould) {
  ExpectGolden("history.txt", RenderRuns(Runs(), {}));
  ExpectGolden("history_wide.txt", RenderRuns(Runs(), {.format = Format::kWide}));
  ExpectGolden("history.json", RenderRuns(Runs(), {.format = Format::kJson}));
  ExpectGolden("history_run.txt", RenderRun(Runs()[0], Removals(), {}));
  ExpectGolden("history_run.yaml", RenderRun(Runs()[0], Removals(), {.format = Format::kYaml}));
  ExpectGolden("history_stopped.txt", RenderRun(Runs()[1], {}, {}));
  ExpectGolden("history_regrets.txt", RenderRegrets(Regrets(), {}));
  ExpectGolden("history_regrets.json", RenderRegrets(Regrets(), {.format = Format::kJson}));
}

TEST(HistoryReport, GivesNamesToScripts) {
  const Style names{.format = Format::kName};
  EXPECT_EQ(RenderRuns(Runs(), names), "12\n11\n");
  EXPECT_EQ(RenderRun(Runs()[0], Removals(), names), TestId(1) + "\n") << "what was held stays";
  EXPECT_EQ(RenderRegrets(Regrets(), names), TestId(1) + "\n" + TestId(3) + "\n");
}

TEST(HistoryReport, ThatIsEmptyIsStillADocument) {
  EXPECT_EQ(RenderRuns({}, {}), "");
  EXPECT_EQ(RenderRegrets({}, {}), "");
  EXPECT_THAT(RenderRuns({}, {.format = Format::kJson}), HasSubstr("\"items\": []"));
  EXPECT_THAT(RenderRegrets({}, {.format = Format::kYaml}), HasSubstr("items: []"));
}

TEST(HistoryReport, CannotSteerATerminal) {
  auto runs = Runs();
  runs[1].problem = "a\x1b[2J";
  auto removals = Removals();
  removals[0].name = "b\x1b[2J";
  auto regrets = Regrets();
  regrets[0].removal.name = "c\x1b[2J";
  const Style wide{.format = Format::kWide};
  for (const std::string& text :
       {RenderRuns(runs, wide), RenderRun(runs[1], removals, wide), RenderRegrets(regrets, wide)}) {
    EXPECT_EQ(text.find('\x1b'), std::string::npos) << text;
  }
}

TEST(HistoryExport, HasOneVersionedDocumentALine) {
  const image::Sample sample{.time = kNow, .capacity = {100}, .available = {40}, .inodes_free = 7};
  const std::string lines =
      ExportLine(Runs()[0]) + ExportLine(Removals()[1]) + ExportLine("/var/lib/containerd", sample);
  ExpectGolden("history_export.jsonl", lines);
  std::size_t count = 0;
  for (std::size_t at = 0; at < lines.size(); at = lines.find('\n', at) + 1, ++count) {
    const auto line = boost::json::parse(lines.substr(at, lines.find('\n', at) - at));
    EXPECT_EQ(line.at("apiVersion").as_string(), "ebb/v1alpha1");
  }
  EXPECT_EQ(count, 3U);
}

TEST(HistoryExport, ALineStaysOneLineWhateverIsInIt) {
  image::PastRemoval removal = Removals()[0];
  removal.detail = "first\nsecond \"quoted\"";
  const std::string line = ExportLine(removal);
  EXPECT_EQ(line.find('\n'), line.size() - 1);
}

}  // namespace
}  // namespace ebb::report
