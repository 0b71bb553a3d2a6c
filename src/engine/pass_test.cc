#include "engine/pass.h"

#include <gmock/gmock.h>

#include "engine/collect_test.h"
#include "testing/fake_containers.h"
#include "testing/fake_lock.h"
#include "testing/fake_pods.h"

namespace ebb::engine {
namespace {

using image::Demand;
using image::Reason;
using image::Trigger;

const Demand kHalf{.trigger = Trigger::kUsed,
                   .target = {.kind = Target::Kind::kUsedPercent, .percent = {50}},
                   .why = "90% is used"};

// A node of 10,000 bytes, `used` per cent full, with 20 idle images of 100 bytes.
struct PassRig : CollectRig {
  explicit PassRig(int used = 90) : CollectRig(20) {
    world.FillTo({used});
    options.policy = kAnyAge;
    options.policy.radius.max_percent = {100};
    options.enforce = true;
  }
  base::Result<Pass> Run(std::vector<Demand> demands) {
    Ports all = ports();
    all.lock = &lock;
    return RunPass(all, options, demands);
  }
  int Left() const {
    return static_cast<int>(
        std::ranges::count_if(ids, [&](const ImageId& id) { return world.Has(id); }));
  }

  testing::FakeLock lock;
  PassOptions options;
};

TEST(Pass, WithoutADemandNothingIsRemoved) {
  PassRig node;
  const auto pass = node.Run({});
  ASSERT_TRUE(pass.ok()) << pass.error().message;
  EXPECT_FALSE(pass->report);
  EXPECT_FALSE(pass->demand);
  EXPECT_EQ(node.Left(), 20);
}

TEST(Pass, RelievesWhatPresses) {
  PassRig node(52);
  const auto pass = node.Run({kHalf});
  ASSERT_TRUE(pass.ok()) << pass.error().message;
  ASSERT_TRUE(pass->report);
  EXPECT_EQ(pass->report->ending, Ending::kReached);
  EXPECT_LT(node.Left(), 20);
  EXPECT_GT(node.Left(), 10) << "and no more than needed";
}

TEST(Pass, ObservingItOnlySaysWhatItWouldDo) {
  PassRig node;
  node.options.enforce = false;
  const auto pass = node.Run({kHalf});
  ASSERT_TRUE(pass.ok()) << pass.error().message;
  EXPECT_GT(pass->plan.removals, 0U);
  EXPECT_FALSE(pass->report);
  EXPECT_EQ(node.Left(), 20);
  EXPECT_TRUE(node.world.asked().empty());
}

TEST(Pass, ObservingItNeedsNoLock) {
  PassRig node;
  node.options.enforce = false;
  node.lock.held = true;
  EXPECT_TRUE(node.Run({kHalf}).ok());
}

TEST(Pass, AnotherCollectorAtWorkIsLeftAlone) {
  PassRig node;
  node.lock.held = true;
  const auto pass = node.Run({kHalf});
  ASSERT_TRUE(pass.ok()) << "looking needs no lock";
  EXPECT_NE(pass->blocked, "");
  EXPECT_FALSE(pass->report);
  EXPECT_FALSE(pass->seen.images.empty());
  EXPECT_EQ(node.Left(), 20);
  node.options.recover = false;
  EXPECT_NE(node.Run({kHalf})->blocked, "");
  EXPECT_EQ(node.Left(), 20);
}

TEST(Pass, TheFirstDemandThatImagesCanRelieveIsTaken) {
  PassRig node;
  Demand nodefs = kHalf;
  nodefs.trigger = Trigger::kAvailable;
  nodefs.by_images = false;
  const auto pass = node.Run({nodefs, kHalf});
  ASSERT_TRUE(pass.ok());
  ASSERT_TRUE(pass->demand);
  EXPECT_EQ(pass->demand->trigger, Trigger::kUsed);
}

TEST(Pass, WhereOnlyContainersWouldHelpNoImageIsRemoved) {
  PassRig node;
  Demand nodefs = kHalf;
  nodefs.by_images = false;
  const auto pass = node.Run({nodefs});
  ASSERT_TRUE(pass.ok());
  EXPECT_FALSE(pass->report);
  EXPECT_EQ(node.Left(), 20);
}

// P9: the daemon cuts the plan to the radius and goes on later.
TEST(Pass, ARunIsCutToTheBlastRadiusAndTheNextGoesOn) {
  PassRig node;
  node.options.policy.radius.max_images = 6;
  const Demand all{.trigger = Trigger::kSignal, .target = kAllUnused, .why = "asked"};
  const auto first = node.Run({all});
  ASSERT_TRUE(first.ok());
  EXPECT_EQ(node.Left(), 14);
  EXPECT_EQ(std::ranges::count(first->report->plan.verdicts, Reason::kBeyondLimit,
                               &image::Verdict::reason),
            14);
  ASSERT_TRUE(node.Run({all}).ok());
  EXPECT_EQ(node.Left(), 8);
}

TEST(Pass, TheShareOfTheImagesBoundsARunToo) {
  PassRig node;
  node.options.policy.radius.max_percent = {25};
  ASSERT_TRUE(node.Run({{.target = kAllUnused}}).ok());
  EXPECT_EQ(node.Left(), 15);
}

TEST(Pass, BytesBoundARunToo) {
  PassRig node;
  node.options.policy.radius.max_bytes = base::Bytes{350};
  ASSERT_TRUE(node.Run({{.target = kAllUnused}}).ok());
  EXPECT_LT(node.Left(), 20);
  EXPECT_GE(node.Left(), 18) << "of 100 bytes compressed, each takes more than twice that";
}

TEST(Pass, AFirstRunMayBeSmaller) {
  PassRig node;
  node.options.most = 3;
  ASSERT_TRUE(node.Run({{.target = kAllUnused}}).ok());
  EXPECT_EQ(node.Left(), 17);
}

TEST(Pass, ARuntimeThatDoesNotAnswerEndsThePassBeforeAnythingIsRemoved) {
  PassRig node;
  node.world.DieAfter(0);
  (void)node.runtime.Remove(std::vector<Victim>{{node.ids[0]}});
  EXPECT_FALSE(node.Run({kHalf}).ok());
}

TEST(Pass, ABatchThatACrashCutOffIsToldOnce) {
  PassRig node;
  ASSERT_TRUE(node.history.Begin({.run = 1, .time = node.clock.Now(), .ids = {node.ids[0]}}).ok());
  const auto first = node.Run({});
  ASSERT_TRUE(first.ok());
  ASSERT_EQ(first->told.size(), 1U);
  EXPECT_THAT(first->told[0], ::testing::HasSubstr("was cut off in the middle of a removal"));
  EXPECT_TRUE(node.Run({})->told.empty());
}

// A hard threshold of 1500 bytes available with 500 more to reclaim, on a disk that has 1000 left.
struct ThresholdRig : PassRig {
  base::Result<Pass> RunIfDue() {
    image::Filesystem fs = disk.Measure(world.Storage().front().mountpoint);
    fs.holds_images = true;
    const std::vector<image::Filesystem> disks = {fs};
    watch.Read(image::ReadSignals(disks), clock.Elapsed());
    options.policy.marks = {.high = base::Percent{99}, .low = base::Percent{98}};
    const auto demands =
        image::DemandsOfDisk(disks, options.policy, watch.Due(clock.Elapsed()), {}, clock.Now());
    return Run(demands);
  }

  image::ThresholdWatch watch{{{.signal = image::Signal::kImagefsAvailable,
                                .value = {.count = 1500},
                                .reclaim = {.count = 500}}}};
};

TEST(Pass, KV7AThresholdIsRelievedOnlyTogetherWithItsMinimumToReclaim) {
  ThresholdRig node;
  ASSERT_TRUE(node.RunIfDue()->report);
  EXPECT_GE(node.world.Available().count, 2000);
  EXPECT_LT(node.world.Available().count, 2300) << "and with no more than that";
}

TEST(Pass, KV7AThresholdWhoseMinimumWasNotReachedIsDueAgain) {
  ThresholdRig node;
  node.options.policy.radius.max_images = 3;
  ASSERT_TRUE(node.RunIfDue()->report);
  EXPECT_GE(node.world.Available().count, 1500) << "the threshold itself is relieved";
  EXPECT_LT(node.world.Available().count, 2000);
  ASSERT_TRUE(node.RunIfDue()->report) << "its minimum is not";
  EXPECT_GE(node.world.Available().count, 2000);
}

TEST(Pass, KV8WhereNothingIsUnusedAThresholdRemovesNothing) {
  ThresholdRig node;
  for (int i = 0; i < 20; ++i)
    node.world.AddContainer("registry.example/idle:" + std::to_string(i));
  const auto pass = node.RunIfDue();
  ASSERT_TRUE(pass.ok());
  EXPECT_FALSE(pass->report);
  EXPECT_TRUE(node.world.asked().empty());
}

TEST(Pass, KV9AThresholdThatIsRelievedPressesNoMore) {
  ThresholdRig node;
  ASSERT_TRUE(node.RunIfDue()->report);
  const auto pass = node.RunIfDue();
  ASSERT_TRUE(pass.ok());
  EXPECT_FALSE(pass->demand);
  EXPECT_FALSE(pass->report);
}

// One container that ended five hours ago, of an image that nothing else uses.
struct DeadRig : PassRig {
  DeadRig() : PassRig(50) {
    image = world.AddImage("registry.example/job:1", {100});
    container = world.AddContainer("registry.example/job:1", image::ContainerState::kExited);
    world.AddImage("registry.example/sandbox:1", {10});
    const std::string runs = world.AddSandbox("registry.example/sandbox:1");
    pods.answer->push_back({.uid = world.PodOf(runs)});
    clock.Advance(std::chrono::hours(5));
    options.policy.dead.remove = true;
  }
  base::Result<Pass> Run() {
    Ports all = ports();
    all.lock = &lock;
    all.containers = &containers;
    all.pods = {&pods};
    return RunPass(all, options, std::vector<Demand>{{.target = kAllUnused}});
  }

  testing::FakeContainers containers{world};
  testing::FakePods pods;
  ImageId image;
  std::string container;
};

// P13.
TEST(Pass, ADeadContainerOfAPodNobodyKnowsGoesBeforeTheImagesAndFreesItsOwn) {
  DeadRig node;
  const auto pass = node.Run();
  ASSERT_TRUE(pass.ok()) << pass.error().message;
  ASSERT_TRUE(pass->dead_report);
  EXPECT_THAT(node.containers.asked, ::testing::Contains(node.container));
  EXPECT_FALSE(node.world.Has(node.image));
}

TEST(Pass, WithoutOptingInDeadContainersAreOnlyReported) {
  DeadRig node;
  node.options.policy.dead.remove = false;
  const auto pass = node.Run();
  ASSERT_TRUE(pass.ok());
  EXPECT_FALSE(pass->dead_report);
  EXPECT_TRUE(node.containers.asked.empty());
  EXPECT_FALSE(pass->dead.things.empty());
  EXPECT_TRUE(node.world.Has(node.image));
}

TEST(Pass, ObservingItRemovesNoContainer) {
  DeadRig node;
  node.options.enforce = false;
  ASSERT_TRUE(node.Run().ok());
  EXPECT_TRUE(node.containers.asked.empty());
}

TEST(Pass, AsLongAsAPodSourceDoesNotAnswerNoContainerGoes) {
  DeadRig node;
  node.pods.answer = base::Error{base::ErrorCode::kUnavailable, "nobody answers"};
  ASSERT_TRUE(node.Run().ok());
  EXPECT_TRUE(node.containers.asked.empty());
}

TEST(Pass, AContainerOfAPodThatIsKnownStays) {
  DeadRig node;
  node.pods.answer->push_back({.uid = node.world.PodOf(node.container)});
  ASSERT_TRUE(node.Run().ok());
  EXPECT_TRUE(node.containers.asked.empty());
}

TEST(Pass, PodsAreNotAskedForAtEveryLookAtWhichNothingDeadWouldGo) {
  DeadRig node;
  PodBook book;
  node.options.observe.pods = &book;
  node.pods.answer->push_back({.uid = node.world.PodOf(node.container)});
  ASSERT_TRUE(node.Run().ok());
  const int asked = node.pods.asked;
  for (int look = 0; look < 5; ++look) ASSERT_TRUE(node.Run().ok());
  EXPECT_EQ(node.pods.asked, asked) << "no image is left that could go either";
  node.clock.Advance(std::chrono::minutes(11));
  ASSERT_TRUE(node.Run().ok());
  EXPECT_GT(node.pods.asked, asked);
}

// P13: whatever was said before, what goes goes by what is said now.
TEST(Pass, BeforeAnythingDeadGoesPodsAreAskedForAgain) {
  DeadRig node;
  PodBook book;
  node.options.observe.pods = &book;
  node.options.enforce = false;
  ASSERT_TRUE(node.Run().ok());
  node.pods.answer->push_back({.uid = node.world.PodOf(node.container)});
  node.options.enforce = true;
  ASSERT_TRUE(node.Run().ok());
  EXPECT_TRUE(node.containers.asked.empty());
}

TEST(Pass, APodThatIsNewIsAskedForAtOnce) {
  DeadRig node;
  PodBook book;
  node.options.observe.pods = &book;
  node.pods.answer->push_back({.uid = node.world.PodOf(node.container)});
  ASSERT_TRUE(node.Run().ok());
  const std::string fresh = node.world.AddSandbox("registry.example/sandbox:1");
  node.pods.answer->push_back({.uid = node.world.PodOf(fresh)});
  const auto pass = node.Run();
  ASSERT_TRUE(pass.ok());
  for (const image::DeadThing& thing : pass->dead.things) {
    EXPECT_NE(thing.reason, image::DeadReason::kUnknownPodRuns);
  }
}

}  // namespace
}  // namespace ebb::engine
