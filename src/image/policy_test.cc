#include "image/policy.h"

#include <gtest/gtest.h>

namespace ebb::image {
namespace {

constexpr base::Bytes kDisk{1000};

MarkSettings Kubelet(int high, std::optional<Quantity> eviction) {
  return {.kubelet = KubeletThresholds{.image_gc_high = base::Percent{high},
                                       .hard_imagefs = eviction,
                                       .source = "/var/lib/kubelet/config.yaml"}};
}

TEST(Marks, WithoutAKubeletTheyAre82And80) {
  const Marks marks = ResolveMarks({}, kDisk);
  EXPECT_EQ(marks.high.value, 82);
  EXPECT_EQ(marks.low.value, 80);
  EXPECT_EQ(marks.critical.value, 84);
  EXPECT_FALSE(marks.kubelet_high.has_value());
}

TEST(Marks, AreThreePointsBelowTheLowestOfTheKubeletsTriggers) {
  EXPECT_EQ(ResolveMarks(Kubelet(75, base::Percent{5}), kDisk).high.value, 72);
  EXPECT_EQ(ResolveMarks(Kubelet(85, base::Percent{20}), kDisk).high.value, 77);
  EXPECT_EQ(ResolveMarks(Kubelet(100, base::Percent{5}), kDisk).high.value, 82);
  EXPECT_EQ(ResolveMarks(Kubelet(85, base::Percent{20}), kDisk).critical.value, 79);
}

TEST(Marks, ByteQuantitiesBecomePerCentOfCapacityOnTheEarlySide) {
  EXPECT_EQ(ResolveMarks(Kubelet(85, base::Bytes{300}), kDisk).high.value, 66);
  EXPECT_EQ(ResolveMarks(Kubelet(85, base::Bytes{300}), kDisk).critical.value, 68);
}

TEST(Marks, AnEvictionThresholdThatIsOffCountsForNothing) {
  EXPECT_EQ(ResolveMarks(Kubelet(85, base::Percent{0}), kDisk).critical.value, 99);
  EXPECT_EQ(ResolveMarks(Kubelet(85, std::nullopt), kDisk).critical.value, 99);
}

TEST(Marks, TheOperatorsOwnWinAndStayInOrder) {
  MarkSettings settings = Kubelet(85, base::Percent{15});
  settings.high = base::Percent{95};
  const Marks marks = ResolveMarks(settings, kDisk);
  EXPECT_EQ(marks.high.value, 95);
  EXPECT_EQ(marks.low.value, 93);
  EXPECT_GE(marks.critical, marks.high);
  EXPECT_EQ(marks.source, "configuration");
}

TEST(Marks, LowIsAlwaysBelowHigh) {
  MarkSettings settings;
  settings.low = base::Percent{90};
  const Marks marks = ResolveMarks(settings, kDisk);
  EXPECT_LT(marks.low, marks.high);
}

TEST(Marks, SayWhereTheyComeFrom) {
  EXPECT_NE(ResolveMarks(Kubelet(85, {}), kDisk).source.find("/var/lib/kubelet/config.yaml"),
            std::string::npos);
  EXPECT_NE(ResolveMarks({}, kDisk).source.find("kubelet not found"), std::string::npos);
}

}  // namespace
}  // namespace ebb::image
