// Between the two looks of a batch nothing is lost: a real containerd, its CRI plugin, its disk.
#include <algorithm>

#include "containerd/holder.h"
#include "store/rig.h"

namespace ebb::node {
namespace {

using image::ImageId;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

constexpr const char* kApp = "localhost/app:1";

class Holding : public StoreRig {
 protected:
  void SetUp() override {
    StoreRig::SetUp();
    if (HasFatalFailure() || IsSkipped()) return;
    Start(Filesystem::kTmpfs);
    holder_ = containerd::MakeHolder(connection_);
    ImageSpec app = AppImage(kApp, {900'000});
    app.tags.emplace_back("localhost/app:stable");
    app.repositories = {"localhost/app"};
    made_ = Import({app, AppImage("localhost/other:1", {500'000})});
    for (const MadeImage& image : made_) ids_.push_back({image.id});
    ASSERT_THAT(ids_, SizeIs(2));
    Collect();
  }

  std::unique_ptr<engine::Hold> Take() {
    auto hold = holder_->Take(ids_);
    EXPECT_TRUE(hold.ok()) << hold.error().message;
    return std::move(*hold);
  }
  void RemoveBoth() {
    for (const ImageId& id : ids_) EXPECT_TRUE(node_->pods().RemoveImage(id.value).ok());
  }
  // Every record of CRI's namespace with all its labels, in order of names; no times.
  std::string Records() {
    const auto listed = rpc::Call(connection_->To("List", "k8s.io"), connection_->images(),
                                  &containerd::images_api::Images::Stub::List,
                                  containerd::images_api::ListImagesRequest());
    EXPECT_TRUE(listed.ok()) << listed.error().message;
    std::vector<std::string> lines;
    for (const auto& record : listed->images()) {
      std::string line = record.name() + " " + record.target().media_type() + " " +
                         record.target().digest() + " " + std::to_string(record.target().size());
      std::vector<std::string> labels;
      for (const auto& label : record.labels()) labels.push_back(label.key() + "=" + label.value());
      std::ranges::sort(labels);
      for (const std::string& label : labels) line += " " + label;
      lines.push_back(line);
    }
    std::ranges::sort(lines);
    std::string all;
    for (const std::string& line : lines) all += line + "\n";
    return all;
  }
  std::string CriListing() {
    std::vector<std::string> lines;
    for (image::Image& image : Images()) {
      std::ranges::sort(image.tags);
      std::ranges::sort(image.digests);
      std::string line = image.id.value + " " + std::to_string(image.size.count);
      for (const std::string& name : image.tags) line += " " + name;
      for (const std::string& name : image.digests) line += " " + name;
      lines.push_back(line);
    }
    std::ranges::sort(lines);
    std::string all;
    for (const std::string& line : lines) all += line + "\n";
    return all;
  }
  std::size_t LeaseCount() {
    const image::Store store = Read();
    return static_cast<std::size_t>(
        std::ranges::count(store.roots, image::StoreRoot::Kind::kLease, &image::StoreRoot::kind));
  }

  std::unique_ptr<engine::Holder> holder_;
  std::vector<MadeImage> made_;
  std::vector<ImageId> ids_;
};

TEST_F(Holding, NamesTheImagesAsCriDoes) {
  const auto hold = Take();
  ASSERT_THAT(hold->images(), SizeIs(2));
  const image::Image& app = hold->images()[0];
  EXPECT_EQ(app.id, ids_[0]);
  EXPECT_THAT(app.tags, UnorderedElementsAre(kApp, "localhost/app:stable"));
  EXPECT_THAT(app.digests, ElementsAre("localhost/app@" + made_[0].digest));
}

TEST_F(Holding, FreesNothingUntilItIsReleasedAndThenWhatWasPredicted) {
  const std::int64_t predicted = Predict({ids_[0].value, ids_[1].value});
  const std::int64_t before = Used();
  const auto hold = Take();
  RemoveBoth();
  Collect();
  EXPECT_EQ(Used(), before);
  EXPECT_THAT(Images(), SizeIs(1)) << "pause is left";
  ASSERT_TRUE(hold->Release().ok());
  EXPECT_EQ(before - Used(), predicted);
  EXPECT_GT(predicted, 2'000'000);
  EXPECT_EQ(LeaseCount(), 0);
}

TEST_F(Holding, IsInTheStoreAsALeaseThatEnds) {
  const auto hold = Take();
  const image::Store store = Read();
  const auto lease =
      std::ranges::find(store.roots, image::StoreRoot::Kind::kLease, &image::StoreRoot::kind);
  ASSERT_NE(lease, store.roots.end());
  EXPECT_TRUE(lease->leftover);
  EXPECT_THAT(lease->name, ::testing::StartsWith("ebb-"));
  EXPECT_THAT(lease->keeps, SizeIs(2));
  EXPECT_NE(lease->until, base::kNever);
}

TEST_F(Holding, RestoresEveryRecordWithItsLabelsAndCriListsThemOnReturn) {
  Ctr({"images", "label", kApp, "io.cattle.k3s.pinned=pinned"});
  const std::string id = ids_[0].value;
  Ctr({"images", "label", id, "example.com/mine=1"});
  const std::string records = Records();
  const std::string listing = CriListing();
  const auto hold = Take();
  RemoveBoth();
  ASSERT_NE(CriListing(), listing);
  const auto restored = hold->Restore(ids_);
  ASSERT_TRUE(restored.ok()) << restored.error().message;
  EXPECT_EQ(CriListing(), listing);
  EXPECT_EQ(Records(), records);
  const std::int64_t before = Used();
  ASSERT_TRUE(hold->Release().ok());
  EXPECT_EQ(CriListing(), listing) << "stays when the lease is gone";
  EXPECT_EQ(Used(), before);
  const auto app = node_->pods().RunApp("app", kApp);
  EXPECT_TRUE(app.ok()) << "starts with no registry: " << app.error().message;
}

TEST_F(Holding, RestoresOnlyTheImagesThatAreAskedFor) {
  const std::int64_t other = Predict({ids_[1].value});
  const std::int64_t before = Used();
  const auto hold = Take();
  RemoveBoth();
  ASSERT_TRUE(hold->Restore(std::span(ids_).first(1)).ok());
  ASSERT_TRUE(hold->Release().ok());
  EXPECT_THAT(Images(), SizeIs(2));
  EXPECT_EQ(before - Used(), other);
}

TEST_F(Holding, RestoresWhatARemovalGivenUpHalfWayLeft) {
  const std::string listing = CriListing();
  const auto hold = Take();
  Ctr({"images", "rm", kApp, "localhost/app:stable", "localhost/app@" + made_[0].digest});
  ASSERT_TRUE(hold->Restore(ids_).ok());
  EXPECT_EQ(CriListing(), listing);
}

TEST_F(Holding, RestoresAnImageThatHasNoNameButItsId) {
  Ctr({"images", "rm", "localhost/other:1"});
  const std::string records = Records();
  const auto hold = Take();
  RemoveBoth();
  ASSERT_TRUE(hold->Restore(std::span(ids_).last(1)).ok());
  EXPECT_THAT(Images(), Contains(::testing::Field(&image::Image::id, ids_[1])));
  ASSERT_TRUE(hold->Restore(ids_).ok());
  EXPECT_EQ(Records(), records);
}

TEST_F(Holding, LeavesARecordAloneThatSomebodyChangedMeanwhile) {
  const auto hold = Take();
  RemoveBoth();
  Import({AppImage(kApp, {1'234})});
  ASSERT_TRUE(hold->Restore(std::span(ids_).first(1)).ok());
  for (const image::Image& image : Images()) {
    const bool has = std::ranges::find(image.tags, kApp) != image.tags.end();
    EXPECT_FALSE(has && image.id == ids_[0]) << "the tag has moved on";
  }
  EXPECT_THAT(Images(), Contains(::testing::Field(&image::Image::id, ids_[0])))
      << "under its other names";
}

TEST_F(Holding, OfSomebodyElseIsNoLeftover) {
  const auto mine = containerd::MakeHolder(connection_, {.owner = "mine"});
  const auto theirs = containerd::MakeHolder(connection_, {.owner = "theirs"});
  const auto hold = theirs->Take(ids_);
  ASSERT_TRUE(hold.ok()) << hold.error().message;
  EXPECT_THAT(mine->Leftovers().value(), SizeIs(0));
  EXPECT_THAT(theirs->Leftovers().value(), SizeIs(1));
  EXPECT_TRUE((*hold)->Release().ok());
}

TEST_F(Holding, SurvivesACrashOfEverybody) {
  const std::string listing = CriListing();
  const std::int64_t before = Used();
  (void)Take();
  RemoveBoth();
  ASSERT_TRUE(node_->KillAndStart().ok());
  WaitForConnection();
  Collect();
  EXPECT_EQ(Used(), before);
  const auto left = holder_->Leftovers();
  ASSERT_TRUE(left.ok()) << left.error().message;
  ASSERT_THAT(*left, SizeIs(1));
  EXPECT_THAT(left->front()->images(), SizeIs(2));
  ASSERT_TRUE(left->front()->Restore(ids_).ok());
  EXPECT_EQ(CriListing(), listing);
  ASSERT_TRUE(left->front()->Release().ok());
  EXPECT_THAT(*holder_->Leftovers(), IsEmpty());
}

TEST_F(Holding, ThatIsNotUnderstoodCanStillBeReleased) {
  Lease("ebb-of-tomorrow", "content", made_[0].digest, {{"ebb.dev/hold", "v9.1"}});
  Lease("of-somebody-else", "content", made_[0].digest);
  const auto left = holder_->Leftovers();
  ASSERT_TRUE(left.ok()) << left.error().message;
  ASSERT_THAT(*left, SizeIs(1));
  EXPECT_THAT(left->front()->images(), IsEmpty());
  EXPECT_TRUE(left->front()->Release().ok());
  EXPECT_EQ(LeaseCount(), 1);
}

TEST_F(Holding, WhoseLeaseIsGoneSaysSo) {
  const auto hold = Take();
  const auto left = holder_->Leftovers();
  ASSERT_TRUE(left->front()->Release().ok());
  const auto released = hold->Release();
  ASSERT_FALSE(released.ok());
  EXPECT_EQ(released.error().code, base::ErrorCode::kNotFound);
}

TEST_F(Holding, LeavesOutAnImageThatIsGone) {
  RemoveBoth();
  const auto hold = Take();
  EXPECT_THAT(hold->images(), IsEmpty());
  EXPECT_TRUE(hold->Restore(ids_).ok());
  EXPECT_TRUE(hold->Release().ok());
}

TEST_F(Holding, TakesNothingFromAContainerdThatIsGone) {
  node_->containerd().Kill();
  const auto hold = holder_->Take(ids_);
  ASSERT_FALSE(hold.ok());
  EXPECT_EQ(hold.error().code, base::ErrorCode::kUnavailable);
  EXPECT_FALSE(holder_->Leftovers().ok());
}

}  // namespace
}  // namespace ebb::node
