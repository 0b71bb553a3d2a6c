// What goes wrong between us and containerd while its store is read and held.
#include <algorithm>
#include <atomic>

#include "containerd/holder.h"
#include "containerd/lists.h"
#include "store/rig.h"
#include "testing/temp_dir.h"
#include "wire/proxy.h"

namespace ebb::node {
namespace {

using image::ImageId;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const std::string kServices = "/containerd.services.";

class Faults : public StoreRig {
 protected:
  void SetUp() override {
    StoreRig::SetUp();
    if (HasFatalFailure() || IsSkipped()) return;
    Start(Filesystem::kTmpfs);
    const auto made = Import({AppImage("localhost/a:1", {900'000}), AppImage("localhost/b:1")});
    for (const MadeImage& image : made) ids_.push_back({image.id});
    Collect();
    auto proxy = wire::Proxy::Start({.listen = dir_ / "proxy.sock",
                                     .upstream = node_->socket(),
                                     .before_forward = [this](const wire::Call& call) {
                                       if (call.method == kill_at_ && --calls_left_ == 0) {
                                         node_->containerd().Kill();
                                       }
                                     }});
    ASSERT_TRUE(proxy.ok()) << proxy.error().message;
    proxy_ = std::move(*proxy);
    ConnectTo("unix://" + (dir_ / "proxy.sock").string());
    holder_ = containerd::MakeHolder(connection_);
  }
  void TearDown() override { proxy_.reset(); }

  void Fail(const std::string& method, grpc::StatusCode code, int times = 0) {
    proxy_->faults().Set(
        kServices + method,
        {.kind = wire::Fault::Kind::kFail, .code = code, .message = "planned", .times = times});
  }
  // Containerd dies by SIGKILL when the n-th such call arrives.
  void KillAt(const std::string& method, int nth) {
    kill_at_ = kServices + method;
    calls_left_ = nth;
  }
  void StartAgain() {
    ASSERT_TRUE(node_->KillAndStart().ok());
    ConnectTo(node_->endpoint());
    holder_ = containerd::MakeHolder(connection_);
    WaitForConnection();
  }
  void RemoveBoth() {
    for (const ImageId& id : ids_) EXPECT_TRUE(node_->pods().RemoveImage(id.value).ok());
  }

  testing::TempDir dir_;
  std::string kill_at_;
  std::atomic<int> calls_left_ = 0;
  std::unique_ptr<wire::Proxy> proxy_;
  std::unique_ptr<engine::Holder> holder_;
  std::vector<ImageId> ids_;
};

TEST_F(Faults, ALayerWithoutAnAnswerIsUnknownAndAskedForAgain) {
  Fail("snapshots.v1.Snapshots/Usage", grpc::StatusCode::INTERNAL, 1);
  const image::Store store = Read();
  EXPECT_EQ(std::ranges::count(store.objects, false, &image::StoreObject::measured), 1);
  EXPECT_EQ(image::MakeExactGraph(store, Images()).graph.accounting(), image::Accounting::kLayers);
  const image::Store again = Read();
  EXPECT_EQ(std::ranges::count(again.objects, false, &image::StoreObject::measured), 0);
}

TEST_F(Faults, AContainerdThatStopsAnsweringAboutSizesIsUnavailable) {
  Fail("snapshots.v1.Snapshots/Usage", grpc::StatusCode::UNAVAILABLE);
  const auto store = reader_->Read(facts_);
  ASSERT_FALSE(store.ok());
  EXPECT_EQ(store.error().code, base::ErrorCode::kUnavailable);
}

TEST_F(Faults, AListThatFailsFailsTheWholeReading) {
  for (const char* list :
       {"introspection.v1.Introspection/Plugins", "namespaces.v1.Namespaces/List",
        "images.v1.Images/List", "content.v1.Content/List", "content.v1.Content/ListStatuses",
        "snapshots.v1.Snapshots/List", "containers.v1.Containers/ListStream",
        "leases.v1.Leases/List"}) {
    Fail(list, grpc::StatusCode::INTERNAL, 1);
    const auto store = reader_->Read(facts_);
    ASSERT_FALSE(store.ok()) << list;
    EXPECT_THAT(store.error().message, HasSubstr("planned"));
  }
  EXPECT_TRUE(reader_->Read(facts_).ok());
}

TEST_F(Faults, AForeignSnapshotterThatDoesNotAnswerIsADoubtAndNoFailure) {
  containerd::Plugins plugins;
  plugins.snapshotters["stargz"] = "";
  std::vector<std::string> doubts;
  const auto space = containerd::ListSpace(*connection_, "k8s.io", plugins, doubts);
  ASSERT_TRUE(space.ok()) << space.error().message;
  EXPECT_THAT(doubts, ElementsAre(HasSubstr("stargz")));
}

TEST_F(Faults, ALeaseThatEndsWhileItIsReadKeepsNothing) {
  Lease("short", "content", "sha256:" + std::string(64, '0'));
  Fail("leases.v1.Leases/ListResources", grpc::StatusCode::NOT_FOUND, 1);
  EXPECT_TRUE(reader_->Read(facts_).ok());
}

TEST_F(Faults, AHoldThatCannotBeMadeInFullIsNone) {
  for (const char* call : {"leases.v1.Leases/Create", "leases.v1.Leases/AddResource"}) {
    Fail(call, grpc::StatusCode::INTERNAL, 1);
    const auto hold = holder_->Take(ids_);
    ASSERT_FALSE(hold.ok()) << call;
    EXPECT_THAT(hold.error().message, HasSubstr("planned"));
    EXPECT_THAT(*holder_->Leftovers(), IsEmpty()) << call;
  }
}

TEST_F(Faults, ARecordThatCannotBeBroughtBackDoesNotKeepTheOthersAway) {
  auto hold = holder_->Take(ids_);
  ASSERT_TRUE(hold.ok()) << hold.error().message;
  RemoveBoth();
  Fail("images.v1.Images/Create", grpc::StatusCode::INTERNAL, 1);
  const auto restored = (*hold)->Restore(ids_);
  ASSERT_FALSE(restored.ok());
  EXPECT_THAT(restored.error().message, HasSubstr("bring back"));
  EXPECT_THAT(Images(), SizeIs(2)) << "pause, and the image whose turn came after";
  ASSERT_TRUE((*hold)->Restore(ids_).ok());
  EXPECT_THAT(Images(), SizeIs(3));
}

TEST_F(Faults, ACrashWhileAHoldIsTakenLeavesWhatCanBeReleased) {
  KillAt("leases.v1.Leases/AddResource", 1);
  EXPECT_FALSE(holder_->Take(ids_).ok());
  StartAgain();
  const auto left = holder_->Leftovers();
  ASSERT_TRUE(left.ok()) << left.error().message;
  ASSERT_THAT(*left, SizeIs(1));
  EXPECT_TRUE(left->front()->Release().ok());
  EXPECT_THAT(Images(), SizeIs(3));
}

TEST_F(Faults, ACrashWhileRecordsComeBackIsMadeUpForByTheNextStart) {
  auto hold = holder_->Take(ids_);
  ASSERT_TRUE(hold.ok()) << hold.error().message;
  RemoveBoth();
  KillAt("images.v1.Images/Create", 2);
  EXPECT_FALSE((*hold)->Restore(ids_).ok());
  StartAgain();
  const auto left = holder_->Leftovers();
  ASSERT_TRUE(left.ok()) << left.error().message;
  ASSERT_THAT(*left, SizeIs(1));
  ASSERT_TRUE(left->front()->Restore(ids_).ok());
  for (const char* name : {"localhost/a:1", "localhost/b:1"}) {
    EXPECT_TRUE(node_->pods().WaitForImage(name).ok()) << name;
  }
}

TEST_F(Faults, ACrashAtTheReleaseIsMadeUpForByTheNextStart) {
  const std::int64_t predicted = Predict({ids_[0].value, ids_[1].value});
  const std::int64_t before = Used();
  auto hold = holder_->Take(ids_);
  ASSERT_TRUE(hold.ok()) << hold.error().message;
  RemoveBoth();
  KillAt("leases.v1.Leases/Delete", 1);
  const auto released = (*hold)->Release();
  ASSERT_FALSE(released.ok());
  EXPECT_EQ(released.error().code, base::ErrorCode::kUnavailable);
  StartAgain();
  const auto left = holder_->Leftovers();
  ASSERT_THAT(*left, SizeIs(1));
  ASSERT_TRUE(left->front()->Release().ok());
  EXPECT_EQ(before - Used(), predicted);
}

}  // namespace
}  // namespace ebb::node
