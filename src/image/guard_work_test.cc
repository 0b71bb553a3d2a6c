#include "image/guard_work.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "testing/builders.h"

namespace ebb::image {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using testing::World;

constexpr base::Duration kDay = std::chrono::hours(24);
constexpr const char* kTarget = "sha256:target";

// A node with a sandbox image of two records, guarded by whoever applies what is decided.
class GuardWorkTest : public ::testing::Test {
 protected:
  GuardWorkTest()
      : seen_(World().Image("pause").SandboxImage("pause").Disk({1000}, {500}).Build()) {
    records_ = {{Tag(), {"index", kTarget, 7, {}}, {{"io.cri-containerd.image", "managed"}}},
                {Id(), {"index", kTarget, 7, {}}, {}}};
  }

  static std::string Tag() { return World::TagOf("pause"); }
  static std::string Id() { return World::IdOf("pause"); }

  GuardWork Decide() { return DecideGuard({seen_, records_, leases_, before_}, policy_); }
  // Decides, and does all of it.
  GuardWork Do() {
    GuardWork work = Decide();
    Relabel(work.take_off);
    Relabel(work.put_on);
    if (work.save) before_ = work.set;
    std::erase_if(leases_, [&](const GuardLease& lease) {
      return std::ranges::find(work.drop, lease.id) != work.drop.end();
    });
    if (!work.lease.empty()) {
      leases_.push_back({"lease-" + std::to_string(++made_),
                         seen_.taken_at + kLeaseLife,
                         {work.lease.begin(), work.lease.end()}});
    }
    return work;
  }
  void Relabel(const std::vector<image::Relabel>& changes) {
    for (const image::Relabel& change : changes) {
      Record& record = *std::ranges::find(records_, change.record, &Record::name);
      for (const auto& [key, value] : change.labels) {
        if (value.empty())
          record.labels.erase(key);
        else
          record.labels[key] = value;
      }
    }
  }
  std::string LabelOf(const std::string& name, std::string_view key) {
    return std::ranges::find(records_, name, &Record::name)->labels[std::string(key)];
  }
  void ExpectNothingToDo() {
    const GuardWork work = Decide();
    EXPECT_THAT(work.take_off, IsEmpty());
    EXPECT_THAT(work.put_on, IsEmpty());
    EXPECT_THAT(work.lease, IsEmpty());
    EXPECT_THAT(work.drop, IsEmpty());
    EXPECT_THAT(work.lost, IsEmpty());
    EXPECT_FALSE(work.save);
  }

  Observation seen_;
  std::vector<Record> records_;
  std::vector<GuardLease> leases_;
  GuardSet before_;
  GuardPolicy policy_;
  int made_ = 0;
};

TEST_F(GuardWorkTest, PinsEveryRecordLeasesItsTargetAndRemembersIt) {
  const GuardWork work = Do();
  EXPECT_THAT(work.lease, ElementsAre(kTarget));
  EXPECT_TRUE(work.save);
  EXPECT_THAT(work.put_on, SizeIs(2));
  for (const std::string& name : {Tag(), Id()}) {
    EXPECT_EQ(LabelOf(name, kPinLabel), kPinValue);
    EXPECT_EQ(LabelOf(name, kMarker), kOurPin);
  }
  ASSERT_THAT(before_.images, SizeIs(1));
  EXPECT_EQ(before_.images[0].records, records_) << "saved as it is to be made again";
  EXPECT_EQ(before_.images[0].wanted_at, seen_.taken_at);
}

TEST_F(GuardWorkTest, LeavesNothingToDo) {
  Do();
  ExpectNothingToDo();
}

TEST_F(GuardWorkTest, PutsBackALabelAMarkerOrALeaseThatSomebodyTookAway) {
  Do();
  records_[0].labels.erase(std::string(kPinLabel));
  EXPECT_THAT(Do().put_on, SizeIs(1));
  EXPECT_EQ(LabelOf(Tag(), kMarker), kOurPin);
  records_[1].labels.erase(std::string(kMarker));
  EXPECT_THAT(Do().put_on, SizeIs(1));
  EXPECT_EQ(LabelOf(Id(), kMarker), kTheirPin) << "nobody knows whose pin it was";
  leases_.clear();
  EXPECT_THAT(Do().lease, ElementsAre(kTarget));
  ExpectNothingToDo();
}

TEST_F(GuardWorkTest, KnowsAPinThatWasThereBefore) {
  records_[0].labels[std::string(kPinLabel)] = kPinValue;
  Do();
  EXPECT_EQ(LabelOf(Tag(), kMarker), kTheirPin);
  EXPECT_EQ(LabelOf(Id(), kMarker), kOurPin);
  ExpectNothingToDo();
}

TEST_F(GuardWorkTest, RenewsTheLeaseDailyAndDropsTheOldOne) {
  Do();
  seen_.taken_at += kDay - std::chrono::seconds(1);
  EXPECT_THAT(Decide().lease, IsEmpty());
  seen_.taken_at += std::chrono::seconds(1);
  const GuardWork work = Do();
  EXPECT_THAT(work.lease, ElementsAre(kTarget));
  EXPECT_THAT(work.drop, ElementsAre("lease-1"));
  ExpectNothingToDo();
}

TEST_F(GuardWorkTest, RenewsALeaseFromBeforeTheClockWasSetBack) {
  Do();
  seen_.taken_at -= 3 * kDay;
  EXPECT_THAT(Do().drop, ElementsAre("lease-1"));
}

TEST_F(GuardWorkTest, DropsASecondLease) {
  Do();
  leases_.push_back({"twin", leases_[0].until, leases_[0].digests});
  EXPECT_THAT(Do().drop, ElementsAre("twin"));
  ExpectNothingToDo();
}

TEST_F(GuardWorkTest, TellsAnImageOfWhichAnyNameIsGoneAndForgetsNoName) {
  Do();
  const GuardSet saved = before_;
  records_.erase(records_.begin());
  EXPECT_THAT(Decide().lost, ElementsAre(ImageId{Id()}));
  EXPECT_FALSE(Decide().save);
  records_.clear();
  seen_.images.clear();
  seen_.sandbox_images[0].id = {};
  const GuardWork work = Do();
  EXPECT_THAT(work.lost, ElementsAre(ImageId{Id()}));
  EXPECT_THAT(work.put_on, IsEmpty());
  EXPECT_THAT(work.drop, IsEmpty());
  EXPECT_EQ(before_.images[0].records, saved.images[0].records);
}

TEST_F(GuardWorkTest, OfAnImageThatWasNeverThereKeepsNothing) {
  records_.clear();
  seen_.images.clear();
  seen_.sandbox_images[0].id = {};
  EXPECT_THAT(Decide().set.images, IsEmpty());
}

TEST_F(GuardWorkTest, TakesOffWhatItPutOnAndLeavesTheFormerPin) {
  records_[0].labels[std::string(kPinLabel)] = kPinValue;
  const std::vector<Record> untouched = records_;
  Do();
  seen_.sandbox_images.clear();
  before_.images[0].reason = GuardReason::kRule;
  const GuardWork work = Do();
  EXPECT_THAT(work.drop, ElementsAre("lease-1"));
  EXPECT_THAT(work.set.images, IsEmpty());
  EXPECT_EQ(records_, untouched);
  ExpectNothingToDo();
}

TEST_F(GuardWorkTest, TakesItOffANameThatBelongsToAnotherImageByNow) {
  Do();
  records_[0].target.digest = "sha256:other";
  seen_.images[0].tags.clear();
  seen_.images[0].digests.clear();
  const GuardWork work = Do();
  EXPECT_THAT(work.take_off, ElementsAre(::testing::Field(&image::Relabel::record, Tag())));
  EXPECT_THAT(before_.images[0].records, ElementsAre(records_[1]));
}

TEST_F(GuardWorkTest, LeavesTheMarksOfAnotherGuardAlone) {
  Do();
  before_ = {};
  leases_.clear();
  seen_.sandbox_images.clear();
  EXPECT_THAT(Decide().take_off, IsEmpty());
}

TEST_F(GuardWorkTest, ADisksWorthOfWritingIsNotSpentOnTime) {
  Do();
  seen_.taken_at += std::chrono::minutes(59);
  EXPECT_FALSE(Decide().save);
  seen_.taken_at += std::chrono::minutes(1);
  EXPECT_TRUE(Do().save);
  EXPECT_EQ(before_.images[0].wanted_at, seen_.taken_at);
}

TEST_F(GuardWorkTest, TheDayOfGraceCountsFromWhenASandboxImageWasNamedLast) {
  Do();
  const base::TimePoint named = seen_.taken_at;
  seen_.sandbox_images.clear();
  seen_.taken_at += std::chrono::hours(3);
  Do();
  EXPECT_EQ(before_.images[0].wanted_at, named);
}

TEST_F(GuardWorkTest, WhatTheOperatorAddedStays) {
  before_.added = {"registry.example/app:1"};
  EXPECT_THAT(Do().set.added, ElementsAre("registry.example/app:1"));
}

TEST(TakeOff, NeedsTheMarker) {
  const std::vector<Record> records = {
      {"foreign", {}, {{std::string(kPinLabel), std::string(kPinValue)}}}};
  EXPECT_THAT(TakeOff(records), IsEmpty());
}

}  // namespace
}  // namespace ebb::image
