#include "containerd/labels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ebb::containerd {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

TEST(GcLabels, NameContentWithOrWithoutANameOfTheirOwn) {
  const Labels labels = {{"containerd.io/gc.ref.content", "a"},
                         {"containerd.io/gc.ref.content.l.0", "b"},
                         {"containerd.io/gc.ref.content/x", "c"},
                         {"containerd.io/gc.ref.content.referrer.sha256.12", "d"},
                         {"containerd.io/distribution.source.docker.io", "library/x"}};
  const GcLabels read = ReadGcLabels(labels);
  EXPECT_THAT(read.content, ElementsAre("a", "b", "c", "d"));
  EXPECT_THAT(read.unknown, IsEmpty());
}

TEST(GcLabels, NameSnapshotsByTheirSnapshotter) {
  const Labels labels = {{"containerd.io/gc.ref.snapshot.overlayfs", "top"},
                         {"containerd.io/gc.ref.snapshot.my.own/second", "other"}};
  EXPECT_THAT(ReadGcLabels(labels).snapshots,
              ElementsAre(Pair("overlayfs", "top"), Pair("my.own", "other")));
}

TEST(GcLabels, SayRootAndFlatByBeingThere) {
  EXPECT_TRUE(ReadGcLabels({{"containerd.io/gc.root", ""}}).root);
  EXPECT_TRUE(ReadGcLabels({{"containerd.io/gc.flat", "false"}}).flat);
  EXPECT_FALSE(ReadGcLabels({{"containerd.io/gc.flat", ""}}).root);
}

TEST(GcLabels, ExpireOnlyAtATime) {
  const Labels labels = {{"containerd.io/gc.expire", "2026-11-30T10:00:00+01:00"}};
  EXPECT_EQ(base::FormatTime(*ReadGcLabels(labels).expires), "2026-11-30T09:00:00Z");
  EXPECT_FALSE(ReadGcLabels({{"containerd.io/gc.expire", "tomorrow"}}).expires.has_value());
}

TEST(GcLabels, OfAKindNobodyTaughtUsAreNamedByTheirKind) {
  const Labels labels = {{"containerd.io/gc.bref.content.1", "a"},
                         {"containerd.io/gc.cond.value-usedat", "b"},
                         {"containerd.io/gc.ref.contents", "c"}};
  EXPECT_THAT(
      ReadGcLabels(labels).unknown,
      ElementsAre("containerd.io/gc.bref", "containerd.io/gc.cond", "containerd.io/gc.ref"));
  EXPECT_THAT(ReadGcLabels({{"containerd.io/gc.ref.image.base", "docker.io/x"}}).unknown,
              IsEmpty());
}

TEST(KeepLabel, KeepsWhatSaysWhoKeepsWhat) {
  EXPECT_TRUE(KeepLabel("containerd.io/gc.ref.content.0"));
  EXPECT_TRUE(KeepLabel(kHoldLabel));
  EXPECT_TRUE(KeepLabel(kGuardLabel));
  EXPECT_FALSE(KeepLabel("containerd.io/uncompressed"));
}

}  // namespace
}  // namespace ebb::containerd
