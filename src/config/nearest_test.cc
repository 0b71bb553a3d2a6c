#include "config/nearest.h"

#include <gtest/gtest.h>

#include <array>

namespace ebb::config {
namespace {

constexpr std::array<std::string_view, 3> kKnown = {"imageGCHigh", "imageGCLow", "mode"};

TEST(Nearest, FindsTheMisspeltName) {
  EXPECT_EQ(Nearest("imageGCHihg", kKnown), "imageGCHigh");
  EXPECT_EQ(Nearest("imageGcLow", kKnown), "imageGCLow");
  EXPECT_EQ(Nearest("mod", kKnown), "mode");
  EXPECT_EQ(Nearest("Image_GC-high", kKnown), "imageGCHigh");
}

TEST(Nearest, SaysNothingForAnotherWord) {
  EXPECT_EQ(Nearest("protect", kKnown), "");
  EXPECT_EQ(Nearest("", kKnown), "");
  EXPECT_EQ(Nearest(std::string(100'000, 'a'), kKnown), "");
}

}  // namespace
}  // namespace ebb::config
