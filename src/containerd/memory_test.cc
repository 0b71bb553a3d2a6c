#include "containerd/memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "containerd/labels.h"

namespace ebb::containerd {
namespace {

held::Held Many(int images) {
  held::Held held;
  for (int i = 0; i < images; ++i) {
    auto& image = *held.add_images();
    image.set_id("sha256:" + std::to_string(i));
    auto& record = *image.add_records();
    record.set_name("registry.example/büro:" + std::to_string(i));
    record.mutable_target()->set_digest("sha256:" + std::string(64, 'a'));
    record.mutable_target()->set_size(i);
    auto& label = *record.add_labels();
    label.set_key("io.cri-containerd.image");
    label.set_value("managed");
  }
  return held;
}

WireLabels LabelsOf(const held::Held& held) {
  WireLabels labels;
  Remember(held, labels);
  return labels;
}

TEST(Memory, ComesBackAsItWas) {
  for (const int images : {0, 1, 64}) {
    const held::Held held = Many(images);
    const auto recalled = Recall(LabelsOf(held));
    ASSERT_TRUE(recalled.has_value()) << images;
    EXPECT_EQ(recalled->SerializeAsString(), held.SerializeAsString());
  }
}

TEST(Memory, StandsInLabelsThatContainerdTakes) {
  const WireLabels labels = LabelsOf(Many(64));
  EXPECT_GT(labels.size(), 2);
  for (const auto& label : labels) EXPECT_LE(label.key().size() + label.value().size(), 4096);
}

TEST(Memory, DoesNotDependOnTheOrderOfLabels) {
  WireLabels labels = LabelsOf(Many(64));
  labels.SwapElements(0, labels.size() - 1);
  EXPECT_TRUE(Recall(labels).has_value());
}

TEST(Memory, KeepsWhatANewerContainerdWouldAddToARecord) {
  held::Held held = Many(1);
  // Field 15 of a record, a string: nobody here knows it.
  ASSERT_TRUE(held.mutable_images(0)->mutable_records(0)->MergeFromString("\x7a\x03new"));
  EXPECT_THAT(Recall(LabelsOf(held))->SerializeAsString(), ::testing::HasSubstr("new"));
}

TEST(Memory, ThatIsNotWholeOrNotOursIsNone) {
  WireLabels none;
  EXPECT_FALSE(Recall(none).has_value());
  for (const char* version : {"", "v2.1", "v1.", "v1.x", "v1.1x", "v1.-1", "1"}) {
    WireLabels labels = LabelsOf(Many(1));
    for (auto& label : labels) {
      if (label.key() == kHoldLabel) label.set_value(version);
    }
    EXPECT_FALSE(Recall(labels).has_value()) << version;
  }
  WireLabels missing = LabelsOf(Many(64));
  missing.DeleteSubrange(1, 1);
  EXPECT_FALSE(Recall(missing).has_value());
  WireLabels garbled = LabelsOf(Many(1));
  garbled[0].set_value("zz" + garbled[0].value());
  EXPECT_FALSE(Recall(garbled).has_value());
  WireLabels cut = LabelsOf(Many(1));
  cut[0].set_value(cut[0].value().substr(0, 20));
  EXPECT_FALSE(Recall(cut).has_value());
}

}  // namespace
}  // namespace ebb::containerd
