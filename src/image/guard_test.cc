#include "image/guard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "testing/builders.h"

namespace ebb::image {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::World;

constexpr base::Duration kDay = std::chrono::hours(24);

Pattern Rule(std::string_view text) {
  return *Pattern::Parse(text);
}

GuardedImage Guarded(std::string_view word, GuardReason reason, base::TimePoint wanted_at) {
  return {{World::IdOf(word)},
          reason,
          World::TagOf(word),
          wanted_at,
          {{World::TagOf(word), {"index", "sha256:t" + std::string(word), 1, {}}, {}},
           {World::IdOf(word), {"index", "sha256:t" + std::string(word), 1, {}}, {}}}};
}

std::vector<std::string> Claimed(const GuardChoice& choice) {
  std::vector<std::string> claims;
  claims.reserve(choice.claims.size());
  for (const GuardClaim& claim : choice.claims) {
    claims.push_back(claim.image.id.value.substr(7) + " " + std::string(Code(claim.reason)));
  }
  return claims;
}

class GuardTest : public ::testing::Test {
 protected:
  GuardTest() { world_.Disk({100'000}, {50'000}); }

  std::vector<std::string> Choose() {
    choice_ = ChooseGuarded(seen_ ? *seen_ : world_.Build(), policy_, before_);
    return Claimed(choice_);
  }
  base::TimePoint Now() const { return world_.Build().taken_at; }
  void Change(const std::function<void(Observation&)>& change) {
    if (!seen_) seen_ = world_.Build();
    change(*seen_);
  }

  World world_;
  std::optional<Observation> seen_;
  GuardPolicy policy_;
  GuardSet before_;
  GuardChoice choice_;
};

TEST_F(GuardTest, IsForTheSandboxImageOurOwnWhatRulesSayAndWhatTheOperatorAdded) {
  world_.Image("other").Image("rule").Image("added").Image("self").Image("pause");
  world_.SandboxImage("pause");
  Change([](Observation& seen) { seen.own_image = {World::IdOf("self")}; });
  policy_.patterns = {Rule("registry.example/rule")};
  before_.added = {World::TagOf("added")};
  EXPECT_THAT(Choose(), ElementsAre("pause sandbox", "self self", "added added", "rule rule"));
  EXPECT_EQ(choice_.claims[3].detail, "registry.example/rule");
}

TEST_F(GuardTest, KnowsASandboxImageThatIsGoneByTheNamesItHad) {
  before_.images = {Guarded("pause", GuardReason::kSandbox, Now())};
  Change([](Observation& seen) {
    seen.sandbox_images = {{World::TagOf("pause"), std::string(kFromRuntime), {}}};
  });
  EXPECT_THAT(Choose(), ElementsAre("pause sandbox"));
}

TEST_F(GuardTest, KeepsAnImageOfARuleThatIsGone) {
  policy_.patterns = {Rule("registry.example/app:1")};
  before_.images = {Guarded("app", GuardReason::kRule, Now())};
  EXPECT_THAT(Choose(), ElementsAre("app rule"));
}

TEST_F(GuardTest, MovesToTheImageThatTheNameStandsForNow) {
  policy_.patterns = {Rule("registry.example/app:1")};
  before_.images = {Guarded("app", GuardReason::kRule, Now())};
  world_.Image("newer");
  Change([](Observation& seen) { seen.images[0].tags = {World::TagOf("app")}; });
  EXPECT_THAT(Choose(), ElementsAre("newer rule"));
}

TEST_F(GuardTest, LeavesAnImageThatNoRuleNamesAnyMore) {
  world_.Image("app");
  before_.images = {Guarded("app", GuardReason::kRule, Now())};
  EXPECT_THAT(Choose(), IsEmpty());
}

TEST_F(GuardTest, LeavesNothingWhileTheObservationIsInDoubt) {
  world_.Image("app").Doubt("sandboxes could not be read");
  before_.images = {Guarded("app", GuardReason::kRule, Now())};
  EXPECT_THAT(Choose(), ElementsAre("app rule"));
}

TEST_F(GuardTest, KeepsTheLastSandboxImageWhileNoOtherIsKnown) {
  before_.images = {Guarded("pause", GuardReason::kSandbox, Now() - 10 * kDay)};
  EXPECT_THAT(Choose(), ElementsAre("pause sandbox"));
}

TEST_F(GuardTest, LeavesASandboxImageThatNobodyConfiguresAnyMoreAfterADay) {
  world_.Image("old").Image("new").SandboxImage("new");
  before_.images = {Guarded("old", GuardReason::kSandbox, Now() - kDay + std::chrono::seconds(1))};
  EXPECT_THAT(Choose(), ElementsAre("new sandbox", "old sandbox"));
  before_.images[0].wanted_at = Now() - kDay;
  EXPECT_THAT(Choose(), ElementsAre("new sandbox"));
}

TEST_F(GuardTest, TakesNoMoreThanAFewPerCentOfTheDiskAndSaysWhoHadNoRoom) {
  world_.Image("a", {.size = {4'000}}).Image("b", {.size = {4'000}});
  policy_.patterns = {Rule("registry.example/*")};
  EXPECT_THAT(Choose(), ElementsAre("a rule"));
  EXPECT_THAT(choice_.left_out, ElementsAre(HasSubstr("registry.example/b:1 is not guarded")));
}

TEST_F(GuardTest, TakesWhatTheOperatorAllows) {
  world_.Image("a", {.size = {4'000}}).Image("b", {.size = {4'000}});
  policy_.patterns = {Rule("registry.example/*")};
  policy_.max_bytes = base::Bytes{8'000};
  EXPECT_THAT(Choose(), ElementsAre("a rule", "b rule"));
  policy_.max_bytes = base::Bytes{};
  EXPECT_THAT(Choose(), IsEmpty());
}

TEST_F(GuardTest, OfASandboxImageAsksForNoRoom) {
  world_.Image("pause", {.size = {90'000}}).SandboxImage("pause");
  EXPECT_THAT(Choose(), ElementsAre("pause sandbox"));
}

TEST_F(GuardTest, OnADiskThatCannotBeMeasuredKeepsWhatItHadAndTakesNothingNew) {
  world_.Image("had").Image("new");
  policy_.patterns = {Rule("registry.example/*")};
  before_.images = {Guarded("had", GuardReason::kRule, Now())};
  Change([](Observation& seen) { seen.filesystems[0].problem = "no answer"; });
  EXPECT_THAT(Choose(), ElementsAre("had rule"));
}

TEST(GuardReasons, HaveCodesThatCanBeReadBack) {
  for (const auto reason :
       {GuardReason::kSandbox, GuardReason::kSelf, GuardReason::kAdded, GuardReason::kRule}) {
    EXPECT_EQ(ParseGuardReason(Code(reason)), reason);
  }
  EXPECT_EQ(ParseGuardReason("whim"), std::nullopt);
}

TEST(RecordsOf, AreThoseItIsListedByItsIdAndWhateverStandsForTheSame) {
  const World world = World().Image("app").Image("other");
  const Observation seen = world.Build();
  const std::vector<Record> all = {{"registry.example/app:1", {"", "sha256:t", 1, {}}, {}},
                                   {World::IdOf("app"), {"", "sha256:t", 1, {}}, {}},
                                   {"odd name", {"", "sha256:t", 1, {}}, {}},
                                   {"registry.example/other:1", {"", "sha256:o", 1, {}}, {}}};
  EXPECT_THAT(RecordsOf(seen.images[0], all), ElementsAre(all[0], all[1], all[2]));
  EXPECT_THAT(RecordsOf({}, all), IsEmpty());
}

}  // namespace
}  // namespace ebb::image
