#include "image/runtime.h"

#include <gtest/gtest.h>

namespace ebb::image {
namespace {

TEST(RuntimeTraits, OnlyContainerd200To204FreesLate) {
  for (const char* version : {"2.0.0", "v2.0.4", "2.0.3-k3s1"}) {
    EXPECT_TRUE(TraitsOf("containerd", version).frees_late) << version;
  }
  for (const char* version : {"1.6.20~ds1", "1.7.24", "2.0.5", "2.1.0"}) {
    EXPECT_FALSE(TraitsOf("containerd", version).frees_late) << version;
  }
}

TEST(RuntimeTraits, PinsAreReportedFrom1622And173) {
  for (const char* version : {"1.6.20~ds1", "1.6.21", "1.7.0", "1.7.2"}) {
    EXPECT_FALSE(TraitsOf("containerd", version).reports_pinned) << version;
  }
  for (const char* version : {"1.6.22", "1.7.3", "2.1.9"}) {
    EXPECT_TRUE(TraitsOf("containerd", version).reports_pinned) << version;
  }
  EXPECT_FALSE(TraitsOf("cri-o", "1.27.9").reports_pinned);
}

TEST(RuntimeTraits, OnlyCriOAndDockerRefuseImagesInUse) {
  EXPECT_TRUE(TraitsOf("cri-o", "1.30.0").refuses_images_in_use);
  EXPECT_TRUE(TraitsOf("docker", "26.0.0").refuses_images_in_use);
  EXPECT_FALSE(TraitsOf("containerd", "2.1.9").refuses_images_in_use);
}

TEST(RuntimeTraits, AnUnknownRuntimeGetsTheCautiousAnswers) {
  const RuntimeTraits traits = TraitsOf("frakti", "dev");
  EXPECT_FALSE(traits.refuses_images_in_use);
  EXPECT_TRUE(traits.frees_late);
  EXPECT_TRUE(traits.has_image_volumes);
}

}  // namespace
}  // namespace ebb::image
