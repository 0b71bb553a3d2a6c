#include "report/collect.h"

#include <gtest/gtest.h>

#include "report/golden.h"
#include "report/world.h"

namespace ebb::report {
namespace {

const image::Target kAll{.kind = image::Target::Kind::kAllUnused};

std::string Render(const World& world, const image::Report& report, const Style& style = {}) {
  return RenderReport(world.seen, report, style);
}

TEST(Collect, LooksAsItShould) {
  const World world = MakeWorld();
  const image::Report report = MakeReport(world, world.Plan(kAll));
  ExpectGolden("report.txt", Render(world, report));
  ExpectGolden("report_wide.txt", Render(world, report, {.format = Format::kWide}));
  ExpectGolden("report.json", Render(world, report, {.format = Format::kJson}));
}

TEST(Collect, TellsAReasonOnceHoweverManyImagesItConcerns) {
  const World world = MakeWorld();
  image::Report report = MakeReport(world, world.Plan(kAll));
  for (image::Removal& removal : report.removals) {
    removal.outcome = image::Outcome::kFailed;
    removal.detail = "read-only file system";
  }
  const std::string text = Render(world, report);
  const auto first = text.find("read-only file system");
  ASSERT_NE(first, std::string::npos);
  EXPECT_EQ(text.find("read-only file system", first + 1), std::string::npos);
  EXPECT_NE(text.find("5 images, read-only file system: "), std::string::npos) << text;
}

TEST(Collect, TellsARaceAmongTheRemovedAndAgainWithItsDetail) {
  const World world = MakeWorld();
  image::Report report = MakeReport(world, world.Plan(kAll));
  report.removals[0].outcome = image::Outcome::kRaced;
  report.removals[0].detail = "shop/web-3 started meanwhile";
  const std::string text = Render(world, report);
  EXPECT_NE(text.find("raced:       1 image, shop/web-3 started meanwhile: "), std::string::npos)
      << text;
}

TEST(Collect, SaysWhyItStopped) {
  const World world = MakeWorld();
  image::Report report = MakeReport(world, world.Plan(kAll));
  report.ending = image::Ending::kStopped;
  report.problem = "the runtime does not answer any more";
  EXPECT_NE(Render(world, report).find("stopped: the runtime does not answer any more"),
            std::string::npos);
}

TEST(Collect, SaysThatTheDiskWasNotMeasured) {
  const World world = MakeWorld();
  image::Report report = MakeReport(world, world.Plan(kAll));
  report.after.problem = "statfs hangs";
  EXPECT_NE(Render(world, report).find("disk:        not measured"), std::string::npos);
}

TEST(Collect, GivesIdsOfWhatWasRemovedAsNames) {
  const World world = MakeWorld();
  const image::Report report = MakeReport(world, world.Plan(kAll));
  EXPECT_EQ(Render(world, report, {.format = Format::kName}),
            world.seen.images[report.removals[0].image].id.value + "\n");
}

TEST(Report, NamesAShortfallOfExactBytesOnly) {
  image::Observation seen;
  image::Report report;
  report.predicted = {std::int64_t{100} << 20};
  report.measured = {std::int64_t{60} << 20};
  EXPECT_EQ(RenderReport(seen, report, {}).find("shortfall"), std::string::npos);
  seen.store = image::StoreGraph(image::Accounting::kExact, {}, {});
  EXPECT_NE(RenderReport(seen, report, {}).find("40.0 MiB less than predicted"), std::string::npos);
  report.measured = report.predicted - base::Bytes{4096};
  EXPECT_EQ(RenderReport(seen, report, {}).find("shortfall"), std::string::npos);
}

}  // namespace
}  // namespace ebb::report
