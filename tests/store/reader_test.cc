// How the store of a real containerd is read: what is remembered, what may go wrong meanwhile.
#include <algorithm>
#include <set>

#include "containerd/lists.h"
#include "store/rig.h"

namespace ebb::node {
namespace {

using image::StoreObject;
using image::StoreRoot;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

class Reader : public StoreRig {
 protected:
  void SetUp() override {
    StoreRig::SetUp();
    if (HasFatalFailure() || IsSkipped()) return;
    Start(Filesystem::kTmpfs);
  }
};

auto RootNamed(const std::string& name) {
  return Field("name", &StoreRoot::name, name);
}

TEST_F(Reader, KnowsWhoAnswers) {
  const auto daemon = containerd::Probe(*connection_);
  ASSERT_TRUE(daemon.ok()) << daemon.error().message;
  EXPECT_THAT(daemon->version, Not(IsEmpty()));
}

TEST_F(Reader, AsksForTheSizeOfALayerOnce) {
  Import({AppImage("localhost/app:1")});
  Read();
  const auto known = facts_.all.snapshots;
  EXPECT_THAT(known, SizeIs(2)) << "the programs, and what is the image's own";
  EXPECT_EQ(facts_.fresh.snapshots, known);
  facts_.fresh = {};
  const image::Store store = Read();
  EXPECT_THAT(facts_.fresh.snapshots, IsEmpty());
  for (const StoreObject& object : store.objects) EXPECT_TRUE(object.measured) << object.name;
}

TEST_F(Reader, ForgetsTheSizeOfALayerThatIsGone) {
  const auto made = Import({AppImage("localhost/app:1")});
  Read();
  ASSERT_THAT(facts_.all.snapshots, SizeIs(2));
  ASSERT_TRUE(node_->pods().RemoveImage(made[0].id).ok());
  Read();
  EXPECT_THAT(facts_.all.snapshots, SizeIs(1)) << "the programs are pause's as well";
}

TEST_F(Reader, NeverMeasuresTheLayerOfARunningContainer) {
  Import({AppImage("localhost/app:1")});
  const auto container = node_->pods().RunApp("app", "localhost/app:1");
  ASSERT_TRUE(container.ok()) << container.error().message;
  const image::Store store = Read();
  EXPECT_THAT(store.roots, Contains(AllOf(RootNamed(*container),
                                          Field(&StoreRoot::kind, StoreRoot::Kind::kContainer))));
  const auto writable = [](const StoreObject& object) { return object.writable; };
  EXPECT_EQ(std::ranges::count_if(store.objects, writable), 2) << "the container's, the sandbox's";
  for (const StoreObject& object : store.objects) {
    EXPECT_EQ(object.measured, !object.writable) << object.name;
  }
  for (const auto& [key, bytes] : facts_.all.snapshots) {
    EXPECT_THAT(key, Not(HasSubstr(*container)));
  }
}

TEST_F(Reader, NamesRecordsOfEveryNamespaceAndThoseThatCriRemoves) {
  Import({AppImage("localhost/app:1")}, {"--no-unpack"}, "other");
  const image::Store store = Read();
  std::set<std::string> removable;
  std::set<std::string> staying;
  for (const StoreRoot& root : store.roots) {
    (root.removable ? removable : staying).insert(root.space + " " + root.name);
  }
  EXPECT_THAT(removable, Contains("k8s.io localhost/pause:1"));
  EXPECT_THAT(removable, Contains(HasSubstr("k8s.io sha256:")));
  EXPECT_THAT(staying, ElementsAre("other localhost/app:1"));
}

TEST_F(Reader, AnEmptyNamespaceIsNoError) {
  Ctr({"namespaces", "create", "empty"});
  EXPECT_THAT(Read().roots, Contains(RootNamed("localhost/pause:1")));
}

TEST_F(Reader, ANamespaceThatIsGoneWhenItIsListedIsAsGoodAsEmpty) {
  const auto plugins = containerd::ListPlugins(*connection_);
  ASSERT_TRUE(plugins.ok()) << plugins.error().message;
  std::vector<std::string> doubts;
  const auto space = containerd::ListSpace(*connection_, "gone", *plugins, doubts);
  ASSERT_TRUE(space.ok()) << space.error().message;
  EXPECT_THAT(space->records, IsEmpty());
  EXPECT_THAT(space->snapshots, IsEmpty());
  EXPECT_THAT(doubts, IsEmpty());
}

TEST_F(Reader, AContainerdThatIsGoneIsUnavailableAndOneThatComesBackIsReadAgain) {
  node_->containerd().Kill();
  const auto store = reader_->Read(facts_);
  ASSERT_FALSE(store.ok());
  EXPECT_EQ(store.error().code, base::ErrorCode::kUnavailable);
  ASSERT_TRUE(node_->KillAndStart().ok());
  WaitForConnection();
  EXPECT_THAT(Read().roots, Contains(RootNamed("localhost/pause:1")));
}

}  // namespace
}  // namespace ebb::node
