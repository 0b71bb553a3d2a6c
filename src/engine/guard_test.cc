#include "engine/guard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/guardian.h"
#include "engine/observe.h"
#include "image/guard_work.h"
#include "testing/collected_log.h"
#include "testing/fake_records.h"
#include "testing/fake_runtime.h"
#include "testing/manual_clock.h"

namespace ebb::engine {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Found = image::GuardWatch::Found;

constexpr const char* kPause = "registry.example/pause:3.6";
constexpr const char* kApp = "registry.example/app:1";

// A node with a sandbox image and another that a rule guards, on one version of a runtime.
class Rig {
 public:
  explicit Rig(testing::Profile profile = testing::Containerd17())
      : node(std::move(profile), clock), runtime(node), disk(node), records(node, clock) {
    node.SetDisk({1'000'000});
    pause = node.AddImage(kPause, {100});
    app = node.AddImage(kApp, {200});
    node.AddImage("registry.example/other:1", {300});
    node.SetSandboxImage(kPause);
    node.AddSandbox(kPause);
    policy.patterns = {*image::Pattern::Parse(kApp)};
  }

  image::Observation Seen() {
    const Ports all{.clock = &clock,
                    .log = &log,
                    .runtime = &runtime,
                    .remover = &runtime,
                    .filesystems = &disk};
    auto seen = Observe(all, {.sandbox_images = {kPause}});
    EXPECT_TRUE(seen.ok());
    return *seen;
  }
  GuardPass Keep() {
    auto pass = KeepGuard(ports, policy, Seen());
    EXPECT_TRUE(pass.ok()) << pass.error().message;
    return pass.ok() ? *pass : GuardPass{};
  }
  // As the kubelet does.
  void Remove(const image::ImageId& id) { ASSERT_TRUE(node.RemoveImage(id.value).ok()); }
  bool Pinned(const image::ImageId& id) const {
    for (const image::Image& image : node.ListImages()) {
      if (image.id == id) return image.pinned;
    }
    return false;
  }
  const image::GuardedImage& Guarded(const image::ImageId& id) const {
    return *std::ranges::find(memory.set.images, id, &image::GuardedImage::id);
  }

  testing::ManualClock clock;
  testing::CollectedLog log;
  testing::FakeNode node;
  testing::FakeRuntime runtime;
  testing::FakeDisk disk;
  testing::FakeRecords records;
  testing::MemoryGuard memory;
  GuardPorts ports{clock, runtime, records, memory};
  image::GuardPolicy policy;
  image::ImageId pause;
  image::ImageId app;
};

TEST(Guard, PinsHoldsAndRemembersAndThenHasNothingToDo) {
  Rig rig;
  const GuardPass pass = rig.Keep();
  EXPECT_THAT(pass.set.images, SizeIs(2));
  EXPECT_THAT(pass.news, ElementsAre(HasSubstr("pause:3.6 is guarded (sandbox"),
                                     HasSubstr("app:1 is guarded (rule")));
  EXPECT_THAT(pass.problems, IsEmpty());
  EXPECT_TRUE(rig.Pinned(rig.pause));
  EXPECT_TRUE(rig.Pinned(rig.app));
  EXPECT_EQ(rig.records.leases(), 1);
  const int changes = rig.records.changes;
  const int saves = rig.memory.saves;
  EXPECT_THAT(rig.Keep().news, IsEmpty());
  EXPECT_EQ(rig.records.changes, changes);
  EXPECT_EQ(rig.memory.saves, saves);
}

TEST(Guard, RenewsItsLeaseAndNeverHasNone) {
  Rig rig;
  rig.Keep();
  for (int day = 0; day < 40; ++day) {
    rig.clock.Advance(hours(24));
    rig.Keep();
    EXPECT_EQ(rig.records.leases(), 1);
  }
  rig.Remove(rig.pause);
  EXPECT_EQ(RestoreImage(rig.ports, rig.Guarded(rig.pause)).found, Found::kRestored);
}

TEST(Guard, PutsEverythingBackThatSomebodyTookAway) {
  Rig rig;
  rig.Keep();
  rig.records.SetLabel(kPause, image::kPinLabel, "");
  rig.records.SetLabel(kPause, image::kMarker, "");
  rig.records.LoseLeases();
  rig.Keep();
  EXPECT_EQ(rig.records.LabelOf(kPause, image::kPinLabel), image::kPinValue);
  EXPECT_EQ(rig.records.LabelOf(kPause, image::kMarker), image::kOurPin);
  EXPECT_EQ(rig.records.leases(), 1);
}

TEST(Guard, GoesOnWhenItCannotSaveOrReadWhatItSaved) {
  Rig rig;
  rig.memory.fail_save = base::Error{base::ErrorCode::kInternal, "no space left on device"};
  EXPECT_THAT(rig.Keep().problems, ElementsAre(HasSubstr("no space left")));
  EXPECT_TRUE(rig.Pinned(rig.pause)) << "all the same";
  rig.memory.fail_save.reset();
  rig.memory.fail_load = base::Error{base::ErrorCode::kInternal, "damaged"};
  EXPECT_THAT(rig.Keep().problems, ElementsAre(HasSubstr("damaged")));
  EXPECT_THAT(rig.memory.set.images, SizeIs(2)) << "written anew";
}

TEST(Guard, CompletesAPassThatWasInterruptedAnywhere) {
  Rig rig;
  rig.records.fail_changing = base::Error{base::ErrorCode::kUnavailable, "nobody answers"};
  EXPECT_THAT(rig.Keep().problems, ::testing::Not(IsEmpty()));
  rig.records.fail_changing.reset();
  EXPECT_THAT(rig.Keep().problems, IsEmpty());
  EXPECT_TRUE(rig.Pinned(rig.pause));
  EXPECT_EQ(rig.records.leases(), 1);
  rig.records.fail_reading = base::Error{base::ErrorCode::kUnavailable, "nobody answers"};
  EXPECT_EQ(KeepGuard(rig.ports, rig.policy, rig.Seen()).error().code,
            base::ErrorCode::kUnavailable);
}

TEST(Guard, LeavesWhatARuleNoLongerNamesAsItWas) {
  Rig rig;
  rig.Keep();
  rig.policy.patterns.clear();
  EXPECT_THAT(rig.Keep().news, ElementsAre(HasSubstr("app:1 is not guarded any more")));
  EXPECT_FALSE(rig.Pinned(rig.app));
  EXPECT_EQ(rig.records.LabelOf(kApp, image::kMarker), "");
  EXPECT_TRUE(rig.Pinned(rig.pause));
  EXPECT_EQ(rig.records.leases(), 1);
}

TEST(Guard, RemovedLeavesNothingOfOursAndTheFormerPin) {
  Rig rig;
  rig.records.SetLabel(kApp, image::kPinLabel, image::kPinValue);
  rig.Keep();
  const auto removed = RemoveGuard(rig.ports, ImageRecords::Whose::kOurs);
  ASSERT_TRUE(removed.ok());
  EXPECT_EQ(*removed, 6) << "two images of a tag, a digest and an ID";
  EXPECT_EQ(rig.records.leases(), 0);
  EXPECT_THAT(rig.memory.set.images, IsEmpty());
  EXPECT_FALSE(rig.Pinned(rig.pause));
  EXPECT_TRUE(rig.Pinned(rig.app));
  const auto records = rig.records.List();
  for (const image::Record& record : *records) {
    EXPECT_FALSE(record.labels.contains(std::string(image::kMarker))) << record.name;
  }
}

TEST(Guard, OfAnybodyIsRemovedWithoutItsMemory) {
  Rig rig;
  rig.Keep();
  rig.memory.set = {};
  EXPECT_EQ(*RemoveGuard(rig.ports, ImageRecords::Whose::kOurs), 0);
  EXPECT_EQ(*RemoveGuard(rig.ports, ImageRecords::Whose::kAnybodys), 6);
}

class Restoring : public ::testing::TestWithParam<testing::Profile> {};

TEST_P(Restoring, AnImageRemovedAsTheKubeletDoesIsBackWithAllItsNames) {
  Rig rig(GetParam());
  rig.Keep();
  const auto before = *rig.node.FindImage(rig.pause.value);
  rig.Remove(rig.pause);
  ASSERT_FALSE(rig.node.Has(rig.pause));
  const Restoration restored = RestoreImage(rig.ports, rig.Guarded(rig.pause));
  EXPECT_EQ(restored.found, Found::kRestored) << restored.problem;
  EXPECT_THAT(restored.names, SizeIs(3));
  const auto after = rig.node.FindImage(rig.pause.value);
  ASSERT_TRUE(after.has_value());
  EXPECT_EQ(after->tags, before.tags);
  EXPECT_EQ(after->pinned, before.pinned);
  EXPECT_EQ(RestoreImage(rig.ports, rig.Guarded(rig.pause)).found, Found::kWhole);
  EXPECT_THAT(rig.Keep().lost, IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(On, Restoring,
                         ::testing::Values(testing::Containerd16(), testing::Containerd17(),
                                           testing::Containerd203(), testing::Containerd21(),
                                           testing::Containerd23()),
                         [](const auto& profile) { return profile.param.name; });

TEST(Restore, WithoutItsContentFailsAndSaysSo) {
  Rig rig;
  rig.Keep();
  rig.Remove(rig.pause);
  rig.records.LoseLeases();
  const Restoration restored = RestoreImage(rig.ports, rig.Guarded(rig.pause));
  EXPECT_EQ(restored.found, Found::kFailed);
  EXPECT_THAT(restored.problem, HasSubstr("its content is gone"));
}

TEST(Restore, IsNoSuccessUntilTheRuntimeListsTheImage) {
  Rig rig;
  rig.Keep();
  rig.Remove(rig.pause);
  rig.runtime.Fail(testing::FakeRuntime::Method::kResolve, {base::ErrorCode::kInternal, "not yet"},
                   3);
  EXPECT_EQ(RestoreImage(rig.ports, rig.Guarded(rig.pause)).found, Found::kRestored);
  rig.Remove(rig.pause);
  rig.runtime.Fail(testing::FakeRuntime::Method::kResolve, {base::ErrorCode::kInternal, "never"},
                   100'000);
  const base::Duration start = rig.clock.Elapsed();
  const Restoration failed = RestoreImage(rig.ports, rig.Guarded(rig.pause));
  EXPECT_EQ(failed.found, Found::kFailed);
  EXPECT_THAT(failed.problem, HasSubstr("does not list it"));
  EXPECT_LE(rig.clock.Elapsed() - start, seconds(3)) << "gives up";
}

class GuardianTest : public ::testing::Test {
 protected:
  void Look() { guardian_.Look(rig_.Seen()); }
  // Removes it, tells of it name by name as containerd does, and lets time pass until it is acted
  // on. Returns how long that took.
  base::Duration LoseAndWait(const image::ImageId& id) {
    const auto names = rig_.Guarded(id).records;
    rig_.Remove(id);
    for (const image::Record& record : names) guardian_.Gone(record.name);
    const base::Duration start = rig_.clock.Elapsed();
    const base::Duration next = guardian_.NextAt().value_or(start);
    if (next > start) rig_.clock.Advance(next - start);
    guardian_.Act();
    return rig_.clock.Elapsed() - start;
  }

  Rig rig_;
  Guardian guardian_{rig_.ports, rig_.log, rig_.policy};
};

TEST_F(GuardianTest, BringsTheSandboxImageBackAtOnceAndSaysSo) {
  Look();
  EXPECT_LT(LoseAndWait(rig_.pause), milliseconds(10));
  EXPECT_TRUE(rig_.node.Has(rig_.pause));
  EXPECT_TRUE(rig_.log.Contains("pause:3.6 was removed by somebody and is back"));
  EXPECT_EQ(guardian_.totals().restored, 1);
  EXPECT_EQ(guardian_.totals().guarded, 2);
}

TEST_F(GuardianTest, HoldsOutAgainstAKubeletThatRemovesItOverAndOver) {
  Look();
  for (int round = 0; round < 100; ++round) {
    EXPECT_LE(LoseAndWait(rig_.pause), milliseconds(1010));
    ASSERT_TRUE(rig_.node.Has(rig_.pause)) << round;
  }
  EXPECT_EQ(guardian_.totals().restored, 100);
}

TEST_F(GuardianTest, LooksAgainForWhatARemovalUnderWayTookAfterwards) {
  Look();
  LoseAndWait(rig_.pause);
  rig_.Remove(rig_.pause);  // and nobody tells
  rig_.clock.Advance(*guardian_.NextAt() - rig_.clock.Elapsed());
  guardian_.Act();
  EXPECT_TRUE(rig_.node.Has(rig_.pause));
}

TEST_F(GuardianTest, BringsBackWhatWasLostWhileNobodyStoodBy) {
  Look();
  rig_.Remove(rig_.pause);
  Guardian next(rig_.ports, rig_.log, rig_.policy);
  next.Begin();
  next.Act();
  EXPECT_TRUE(rig_.node.Has(rig_.pause));
}

TEST_F(GuardianTest, BringsBackWhatALookFindsMissing) {
  Look();
  rig_.Remove(rig_.app);
  Look();
  guardian_.Act();
  EXPECT_TRUE(rig_.node.Has(rig_.app));
}

TEST_F(GuardianTest, BringsBackWhatWasLostWhileTheStreamOfEventsWasBroken) {
  Look();
  guardian_.Doubt();
  guardian_.Act();
  rig_.Remove(rig_.pause);  // before the new stream tells anything
  rig_.clock.Advance(seconds(2));
  guardian_.Act();
  EXPECT_TRUE(rig_.node.Has(rig_.pause));
  EXPECT_EQ(guardian_.NextAt(), rig_.clock.Elapsed() + seconds(5));
}

TEST_F(GuardianTest, TellsAFailureOnceAndGoesOnTrying) {
  Look();
  rig_.records.LoseLeases();
  LoseAndWait(rig_.pause);
  for (int i = 0; i < 5; ++i) {
    rig_.clock.Advance(minutes(1));
    guardian_.Act();
  }
  EXPECT_EQ(guardian_.totals().failed, 6);
  EXPECT_EQ(std::ranges::count_if(rig_.log.lines,
                                  [](const auto& line) {
                                    return line.message.find("could not be brought back") !=
                                           std::string::npos;
                                  }),
            1);
  rig_.node.AddImage(kPause, {100});  // imported again
  rig_.clock.Advance(minutes(1));
  guardian_.Act();
  EXPECT_EQ(guardian_.totals().failed, 6);
}

TEST_F(GuardianTest, TellsAContainerdThatDoesNotAnswerOnce) {
  rig_.records.fail_reading = base::Error{base::ErrorCode::kUnavailable, "nobody answers"};
  for (int i = 0; i < 3; ++i) Look();
  EXPECT_THAT(rig_.log.lines, SizeIs(1));
}

TEST_F(GuardianTest, StandsByForAsLongAsItLives) {
  {
    Guardian other(rig_.ports, rig_.log, rig_.policy);
    other.Look(rig_.Seen());
    EXPECT_TRUE(rig_.memory.SomebodyStandsBy());
    Look();
  }
  EXPECT_FALSE(rig_.memory.SomebodyStandsBy());
  Look();
  EXPECT_TRUE(rig_.memory.SomebodyStandsBy()) << "takes over";
}

}  // namespace
}  // namespace ebb::engine
