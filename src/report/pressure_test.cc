#include "report/pressure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/builders.h"

namespace ebb::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::World;

image::Policy WithKubelet() {
  image::Policy policy;
  policy.marks.kubelet = image::KubeletThresholds{
      .image_gc_high = base::Percent{85},
      .evictions = {{.signal = image::Signal::kImagefsAvailable, .value = {.percent = 15}},
                    {.signal = image::Signal::kImagefsInodesFree,
                     .value = {.percent = 5},
                     .grace = std::chrono::minutes(2)}}};
  return policy;
}

TEST(Pressure, SaysHowFarEveryThresholdIsAndWhoseItIs) {
  const auto seen = World().Disk({10LL << 30}, {5LL << 30}).Build();
  const std::string text = RenderPressure(seen, WithKubelet(), {});
  EXPECT_THAT(text, HasSubstr("82% used"));
  EXPECT_THAT(text, HasSubstr("less than 15%"));
  EXPECT_THAT(text, HasSubstr("3.5 GiB (35.0%)"));
  EXPECT_THAT(text, HasSubstr("less than 5% for 2m0s"));
  EXPECT_THAT(text, HasSubstr("evicts pods"));
  EXPECT_THAT(text, HasSubstr("Evicting pods is the kubelet's alone"));
}

TEST(Pressure, TheNearestThresholdComesFirst) {
  const auto seen = World().Disk({1000}, {500}).Build();
  const std::string text = RenderPressure(seen, WithKubelet(), {});
  EXPECT_LT(text.find("82% used"), text.find("85% used"));
  EXPECT_LT(text.find("85% used"), text.find("less than 15%"));
}

TEST(Pressure, AThresholdThatIsMetIsReached) {
  const auto seen = World().Disk({1000}, {100}).Build();
  EXPECT_THAT(RenderPressure(seen, WithKubelet(), {}), HasSubstr("reached"));
  const auto calm = World().Disk({1000}, {500}).Build();
  EXPECT_THAT(RenderPressure(calm, WithKubelet(), {}), Not(HasSubstr("reached")));
}

// Used per cent rounds up: 82 is reached when less than 19 % are available.
TEST(Pressure, AMarkIsReachedExactlyWhenTheDaemonActs) {
  image::Policy policy;
  EXPECT_THAT(RenderPressure(World().Disk({1000}, {190}).Build(), policy, {}),
              Not(HasSubstr("reached")));
  EXPECT_THAT(RenderPressure(World().Disk({1000}, {189}).Build(), policy, {}),
              HasSubstr("reached"));
}

TEST(Pressure, WithoutAKubeletItSaysSo) {
  const auto seen = World().Disk({1000}, {500}).Build();
  EXPECT_THAT(RenderPressure(seen, {}, {}), HasSubstr("could not be read"));
}

TEST(Pressure, AsADocumentItHasNumbers) {
  const auto seen = World().Disk({1000}, {500}).Build();
  const std::string text = RenderPressure(seen, WithKubelet(), {.format = Format::kJson});
  EXPECT_THAT(text, HasSubstr("\"signal\": \"imagefs.available\""));
  EXPECT_THAT(text, HasSubstr("\"limit\": 150"));
}

}  // namespace
}  // namespace ebb::report
