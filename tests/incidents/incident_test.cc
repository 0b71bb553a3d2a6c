// The two incidents this program exists for can not come from it.
#include <filesystem>

#include "incidents/rig.h"

namespace ebb::node {
namespace {

using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

TEST_F(Incident, OnAFullDiskNoCallIsMadeForAnImageOfARunningCreatedOrExitedContainer) {
  StartPods();
  ASSERT_TRUE(node_->FillTo({96}).ok());
  const Arguments used = {IdOf(kRunning), IdOf(kCreated), IdOf(kExited), IdOf(kPause)};
  const cli::Ran ran = Ebb({"collect", "--yes"});
  EXPECT_THAT(ran.code, AnyOf(0, 3)) << ran.out << ran.err;
  EXPECT_THAT(AskedToRemove(), Not(IsEmpty()));
  (void)Ebb({"collect", "--yes", "--all-unused"});
  for (const std::string& id : used) EXPECT_THAT(AskedToRemove(), Not(Contains(id)));
  for (const char* name : {kRunning, kCreated, kExited, kPause}) EXPECT_TRUE(Has(name)) << name;
  EXPECT_EQ(IdleLeft(), 0);
  EXPECT_TRUE(node_->pods().StartContainer(created_).ok()) << "what was created still starts";
}

TEST_F(Incident, ItFreesEnoughAndNotEverything) {
  ASSERT_TRUE(node_->FillTo({90}).ok());
  const cli::Ran ran = Ebb({"collect", "--yes", "--to", "85%"});
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  EXPECT_LE(node_->Used()->value, 85);
  EXPECT_GT(IdleLeft(), 0);
}

TEST_F(Incident, TheUnpinnedPauseImageStaysWithoutSandboxesAndAPodStartsAfterwards) {
  ASSERT_TRUE(node_->FillTo({96}).ok());
  const cli::Ran ran = Ebb({"collect", "--yes", "--all-unused"});
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  EXPECT_TRUE(Has(kPause));
  const auto pod = node_->pods().RunPod("afterwards");
  EXPECT_TRUE(pod.ok()) << pod.error().message;
}

TEST_F(Incident, TheUnpinnedPauseImageStaysWithSandboxesAndAPodStartsAfterwards) {
  StartPods();
  ASSERT_TRUE(node_->FillTo({96}).ok());
  const cli::Ran ran = Ebb({"collect", "--yes", "--all-unused"});
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  EXPECT_TRUE(Has(kPause));
  EXPECT_TRUE(node_->pods().RunPod("afterwards").ok());
}

TEST_F(Incident, ADiskFullOfSomethingElseCostsAnAirGappedNodeNoImage) {
  ASSERT_TRUE(node_->FillTo({97}).ok());
  const cli::Ran ran = Ebb({"collect", "--yes", "--to", "30%"});
  EXPECT_EQ(ran.code, 3) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("something else fills the disk"));
  EXPECT_THAT(AskedToRemove(), IsEmpty());
  EXPECT_EQ(IdleLeft(), kIdle);
}

TEST_F(Incident, ACompletelyFullDiskIsClearedUp) {
  ASSERT_TRUE(node_->FillTo({100}).ok());
  const cli::Ran ran = Ebb({"collect", "--yes", "--all-unused"});
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  EXPECT_EQ(IdleLeft(), 0);
  EXPECT_LT(node_->Used()->value, 100);
}

TEST_F(Incident, PredictedAndMeasuredBytesStandSideBySide) {
  const cli::Ran ran = Ebb({"collect", "--yes", "--all-unused"});
  EXPECT_THAT(ran.out, HasSubstr("predicted"));
  EXPECT_THAT(ran.out, HasSubstr("measured"));
}

}  // namespace
}  // namespace ebb::node
