// Records and leases as the guard changes them, on a real containerd.
#include "containerd/records.h"

#include <algorithm>

#include "store/rig.h"

namespace ebb::node {
namespace {

using engine::ImageRecords;
using image::Record;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr const char* kApp = "localhost/app:1";

class ImageRecordsTest : public StoreRig {
 protected:
  void SetUp() override {
    StoreRig::SetUp();
    if (HasFatalFailure() || IsSkipped()) return;
    Start(Filesystem::kTmpfs);
    records_ = containerd::MakeImageRecords(connection_, "mine");
    made_ = Import({AppImage(kApp, {900'000})});
    ASSERT_THAT(made_, SizeIs(1));
  }

  std::vector<Record> All() {
    auto all = records_->List();
    EXPECT_TRUE(all.ok()) << all.error().message;
    return *all;
  }
  std::vector<Record> OfApp() {
    image::Image app;
    app.id = {made_[0].id};
    app.tags = {kApp};
    return image::RecordsOf(app, All());
  }
  std::string LabelOf(const std::string& name, const std::string& key) {
    const auto all = All();
    const auto at = std::ranges::find(all, name, &Record::name);
    return at == all.end() || !at->labels.contains(key) ? "" : at->labels.at(key);
  }

  std::unique_ptr<ImageRecords> records_;
  std::vector<MadeImage> made_;
};

TEST_F(ImageRecordsTest, TellsEveryNameWithWhatItStandsFor) {
  const auto app = OfApp();
  ASSERT_THAT(app, SizeIs(2));
  for (const Record& record : app) {
    EXPECT_EQ(record.target.digest, made_[0].digest);
    EXPECT_GT(record.target.size, 0);
    EXPECT_FALSE(record.target.media_type.empty());
  }
}

TEST_F(ImageRecordsTest, SetsOneLabelLeavesTheOthersAndTakesItAwayAgain) {
  Ctr({"images", "label", kApp, "example.com/mine=1"});
  ASSERT_TRUE(records_->Label({kApp, {{"ebb.dev/guard", "pin"}, {"a.b/c.d", "x"}}}).ok());
  EXPECT_EQ(LabelOf(kApp, "ebb.dev/guard"), "pin");
  EXPECT_EQ(LabelOf(kApp, "a.b/c.d"), "x");
  EXPECT_EQ(LabelOf(kApp, "example.com/mine"), "1");
  ASSERT_TRUE(records_->Label({kApp, {{"ebb.dev/guard", ""}}}).ok());
  EXPECT_EQ(LabelOf(kApp, "ebb.dev/guard"), "");
  EXPECT_EQ(LabelOf(kApp, "a.b/c.d"), "x");
  EXPECT_EQ(records_->Label({"localhost/none:1", {{"a", "b"}}}).error().code,
            base::ErrorCode::kNotFound);
}

TEST_F(ImageRecordsTest, AnImageWhoseTargetIsLeasedComesBackByItsRecordsAlone) {
  const auto app = OfApp();
  ASSERT_TRUE(records_->MakeLease(Ids{made_[0].digest}, std::chrono::hours(1)).ok());
  ASSERT_TRUE(node_->pods().RemoveImage(made_[0].id).ok());
  Collect();
  EXPECT_THAT(OfApp(), IsEmpty());
  const auto made = records_->BringBack(app);
  ASSERT_TRUE(made.ok()) << made.error().message;
  EXPECT_THAT(*made, SizeIs(2));
  EXPECT_THAT(*records_->BringBack(app), IsEmpty()) << "they are there";
  ASSERT_TRUE(node_->pods().WaitForImage(kApp).ok());
  EXPECT_EQ(OfApp(), app);
  const auto pod = node_->pods().RunApp("app", kApp);
  EXPECT_TRUE(pod.ok()) << pod.error().message;
}

TEST_F(ImageRecordsTest, KnowsWhetherContentIsThere) {
  EXPECT_TRUE(*records_->HasContent({made_[0].digest}));
  ASSERT_TRUE(node_->pods().RemoveImage(made_[0].id).ok());
  Collect();
  EXPECT_FALSE(*records_->HasContent({made_[0].digest}));
}

TEST_F(ImageRecordsTest, TellsItsLeasesAndGivesThemUp) {
  ASSERT_TRUE(records_->MakeLease(Ids{made_[0].digest}, std::chrono::hours(24 * 14)).ok());
  const auto theirs = containerd::MakeImageRecords(connection_, "theirs");
  ASSERT_TRUE(theirs->MakeLease(Ids{made_[0].digest}, std::chrono::hours(1)).ok());
  const auto ours = records_->Leases(ImageRecords::Whose::kOurs);
  ASSERT_TRUE(ours.ok()) << ours.error().message;
  ASSERT_THAT(*ours, SizeIs(1));
  EXPECT_EQ(ours->front().digests, (std::set<std::string>{made_[0].digest}));
  const auto left = ours->front().until - std::chrono::system_clock::now();
  EXPECT_GT(left, std::chrono::hours(24 * 14 - 1));
  EXPECT_LT(left, std::chrono::hours(24 * 14 + 1));
  EXPECT_THAT(*records_->Leases(ImageRecords::Whose::kAnybodys), SizeIs(2));
  ASSERT_TRUE(records_->DropLease(ours->front().id).ok());
  ASSERT_TRUE(records_->DropLease(ours->front().id).ok()) << "gone is as good as dropped";
  EXPECT_THAT(*records_->Leases(ImageRecords::Whose::kOurs), IsEmpty());
}

}  // namespace
}  // namespace ebb::node
