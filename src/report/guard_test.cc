#include "report/guard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/builders.h"

namespace ebb::report {
namespace {

using ::testing::HasSubstr;
using testing::World;

image::Observation Seen() {
  image::Observation seen = World().Image("pinned", {.pinned = true}).Image("bare").Build();
  seen.guarded = {{{World::IdOf("pinned")}, "pinned:1", image::GuardReason::kSandbox, "pinned:1"},
                  {{World::IdOf("bare")}, "bare:1", image::GuardReason::kRule, "bare"},
                  {{World::IdOf("gone")}, "gone:1", image::GuardReason::kAdded, "gone:1"}};
  return seen;
}

TEST(GuardReport, TellsHowWellEachImageIsOff) {
  image::Observation seen = Seen();
  std::string text = RenderGuard(seen, {});
  EXPECT_THAT(text, ::testing::ContainsRegex("pinned:1 +prevented +sandbox"));
  EXPECT_THAT(text, ::testing::ContainsRegex("bare:1 +exposed +rule"));
  EXPECT_THAT(text, ::testing::ContainsRegex("gone:1 +lost +added"));
  EXPECT_THAT(text, HasSubstr("No daemon stands by"));
  seen.guard_stands_by = true;
  text = RenderGuard(seen, {});
  EXPECT_THAT(text, ::testing::ContainsRegex("bare:1 +repaired +rule"));
}

TEST(GuardReport, HasTheSameAsADocument) {
  const std::string json = RenderGuard(Seen(), {.format = Format::kJson});
  EXPECT_THAT(json, HasSubstr("\"kind\": \"Guard\""));
  EXPECT_THAT(json, HasSubstr("\"state\": \"lost\""));
  EXPECT_EQ(RenderGuard({}, {}), "Nothing is guarded.\n");
}

}  // namespace
}  // namespace ebb::report
