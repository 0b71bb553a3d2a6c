// What deleting an image of containers/storage frees is known before, to the byte.

#include <filesystem>
#include <fstream>

#include "crio/rig.h"

namespace ebb::node {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

const LayerSpec kBase{.name = "base", .bytes = {3'000'001}, .files = 7};

ImageSpec Built(const std::string& name, std::int64_t own) {
  return {.tags = {"localhost/" + name + ":1"},
          .layers = {kBase, {.name = name, .bytes = {own}, .files = 3}},
          .gzip = true};
}

class CrioBytes : public CrioRig, public ::testing::WithParamInterface<Filesystem> {
 protected:
  void SetUp() override {
    CrioRig::SetUp();
    if (HasFatalFailure() || IsSkipped()) return;
    Start(GetParam());
  }
};

INSTANTIATE_TEST_SUITE_P(On, CrioBytes, ::testing::Values(Filesystem::kTmpfs, Filesystem::kExt4),
                         [](const auto& kind) {
                           return kind.param == Filesystem::kExt4 ? "Ext4" : "Tmpfs";
                         });

TEST_P(CrioBytes, OfASharedBaseGoWithItsLastUserAndAreKnownBefore) {
  const std::string a = Copy(Built("a", 1'000'000), "localhost/a:1");
  const std::string b = Copy(Built("b", 500'000), "localhost/b:1");
  const std::int64_t together = Predict({a, b});
  const std::int64_t first = DeleteAndCompare(a, "localhost/a:1");
  const std::int64_t last = DeleteAndCompare(b, "localhost/b:1");
  EXPECT_GT(first, 1'000'000);
  EXPECT_LT(first, 1'100'000);
  EXPECT_GT(last, 3'500'000) << "the base comes free as well";
  EXPECT_EQ(together, first + last) << "a set frees the base that none of it frees alone";
  EXPECT_THAT(Read().objects, IsEmpty());
}

TEST_P(CrioBytes, OfAnImageThatOthersAreBuiltOnStayWithThem) {
  const std::string base =
      Copy({.tags = {"localhost/base:1"}, .layers = {kBase}, .gzip = true}, "localhost/base:1");
  const std::string a = Copy(Built("a", 1'000'000), "localhost/a:1");
  EXPECT_LT(DeleteAndCompare(base, "localhost/base:1"), 100'000);
  EXPECT_GT(DeleteAndCompare(a, "localhost/a:1"), 4'000'000);
}

TEST_P(CrioBytes, OfAnImageThatOthersWereBuiltOnGoWithIt) {
  const std::string base =
      Copy({.tags = {"localhost/base:1"}, .layers = {kBase}, .gzip = true}, "localhost/base:1");
  const std::string a = Copy(Built("a", 1'000'000), "localhost/a:1");
  EXPECT_LT(DeleteAndCompare(a, "localhost/a:1"), 1'100'000);
  EXPECT_GT(DeleteAndCompare(base, "localhost/base:1"), 3'000'000);
}

TEST_P(CrioBytes, OfAnImageWithSeveralNamesGoOnce) {
  const std::string a = Copy(Built("a", 700'000), "localhost/a:1");
  EXPECT_EQ(Copy(Built("a", 700'000), "localhost/other:latest"), a);
  EXPECT_GT(DeleteAndCompare(a, "localhost/a:1"), 3'700'000);
  EXPECT_THAT(Read().roots, IsEmpty());
}

TEST_P(CrioBytes, OfALayerAreWalkedOnce) {
  const std::string a = Copy(Built("a", 700'000), "localhost/a:1");
  const std::int64_t first = Predict({a});
  facts_.fresh = {};
  const std::string id = Read().objects.front().name;
  std::ofstream(Root() + "/" + id + "/diff/later") << std::string(100'000, 'x');
  EXPECT_EQ(Predict({a}), first) << "from memory";
  EXPECT_THAT(facts_.fresh.snapshots, IsEmpty());
  facts_.all = {};
  EXPECT_GT(Predict({a}), first) << "from disk";
}

TEST_P(CrioBytes, OfALayerThatCameBackAreWalkedAgainAndTheOldOnesForgotten) {
  const std::string a = Copy(Built("a", 700'000), "localhost/a:1");
  (void)Predict({a});
  const auto before = facts_.all.snapshots;
  Delete("localhost/a:1");
  (void)Copy(Built("a", 700'000), "localhost/a:1");
  (void)Predict({a});
  EXPECT_EQ(facts_.all.snapshots.size(), before.size());
  for (const auto& [key, bytes] : before) {
    const bool layer = key.starts_with("overlay/");
    EXPECT_EQ(facts_.all.snapshots.contains(key), !layer) << key;
  }
}

TEST_P(CrioBytes, OfAFolderThatNoListNamesAreGarbage) {
  const std::string a = Copy(Built("a", 700'000), "localhost/a:1");
  const std::int64_t first = Predict({a});
  const std::string lost(64, 'e');
  std::filesystem::create_directories(Root() + "/overlay/" + lost + "/diff");
  std::ofstream(Root() + "/overlay/" + lost + "/diff/file") << std::string(100'000, 'x');
  EXPECT_EQ(Predict({a}), first);
  EXPECT_EQ(Read().objects.back().name, "orphan/overlay/" + lost);
  EXPECT_GE(Read().objects.back().disk.count, 100'000);
}

TEST_P(CrioBytes, OfAReadOnlyStoreNeverComeFree) {
  root_ = "shared";
  const std::string base =
      Copy({.tags = {"localhost/base:1"}, .layers = {kBase}, .gzip = true}, "localhost/base:1");
  root_ = "root";
  const std::string shared = volume_->directory() + "/shared";
  const std::string conf = directory_ / "storage.conf";
  std::ofstream(conf) << "[storage]\ngraphroot = \"" << Root() << "\"\n[storage.options]\n"
                      << "additionalimagestores = [\"" << shared << "\"]\n";
  driver_ = ":overlay.imagestore=" + shared;
  const std::string a = Copy(Built("a", 1'000'000), "localhost/a:1");
  reader_ = crio::MakeStoreReader(
      {.configs = {"/nowhere", conf}, .image_path = {}, .container_path = {}});
  EXPECT_EQ(Predict({base}), 0);
  const std::int64_t predicted = Predict({a});
  EXPECT_LT(predicted, 1'100'000) << "the base is the other store's";
  const std::int64_t before = DiskUsage(volume_->directory(), ".json");
  // It deletes all that it may and then complains of the base (containers/storage 1.43).
  (void)TryToDelete("localhost/a:1");
  EXPECT_EQ(before - DiskUsage(volume_->directory(), ".json"), predicted);
}

TEST_P(CrioBytes, AreCountedWithoutLeavingTheLayer) {
  const std::string a = Copy(Built("a", 700'000), "localhost/a:1");
  const std::int64_t first = Predict({a});
  facts_ = {};
  const std::string diff = Root() + "/" + Read().objects.front().name + "/diff";
  facts_ = {};
  std::filesystem::create_directory_symlink("/", diff + "/everything");
  const std::int64_t linked = Predict({a});
  EXPECT_LE(linked - first, 4096);
}

TEST_P(CrioBytes, OfALayerThatIsMountedAreMeasuredAgainLater) {
  const std::string a = Copy(Built("a", 700'000), "localhost/a:1");
  const std::int64_t plain = Predict({a});
  facts_ = {};
  const std::string layer = Read().objects.front().name;
  facts_ = {};
  const auto mounted = Volume::Mount(Root() + "/" + layer + "/merged", {});
  ASSERT_TRUE(mounted.ok()) << mounted.error().message;
  std::ofstream((*mounted)->directory() + "/file") << std::string(100'000, 'x');
  EXPECT_LE(Predict({a}), plain) << "the mount is not the layer's";
  EXPECT_GT(Predict({a}), plain - 8192);
  for (const auto& [key, bytes] : facts_.all.snapshots) EXPECT_FALSE(key.starts_with(layer));
}

TEST_P(CrioBytes, ThatLayersShareByHardLinksAreNotExact) {
  const std::string a = Copy(Built("a", 700'000), "localhost/a:1");
  const std::string diff = Root() + "/" + Read().objects.front().name + "/diff";
  std::ofstream(diff + "/one") << "text";
  std::filesystem::create_hard_link(diff + "/one", diff + "/two");
  facts_ = {};
  EXPECT_THAT(Read().unknown, IsEmpty()) << "both names are in the layer";
  std::filesystem::create_hard_link(diff + "/one", Root() + "/overlay/outside");
  facts_ = {};
  for (const char* time : {"cold", "warm"}) {
    EXPECT_THAT(Read().unknown, ::testing::ElementsAre(HasSubstr("hard links"))) << time;
  }
}

TEST_P(CrioBytes, OfAStoreWhoseContainersAreNowhereAreNotExact) {
  const std::string a = Copy(Built("a", 700'000), "localhost/a:1");
  EXPECT_GT(Predict({a}), 0);
  std::filesystem::rename(Root() + "/overlay-containers", Root() + "/elsewhere");
  EXPECT_THAT(Read().unknown, ::testing::ElementsAre(HasSubstr("containers are kept elsewhere")));
}

TEST_P(CrioBytes, OfARootReachedByALinkAreThoseOfTheRoot) {
  const std::string a = Copy(Built("a", 700'000), "localhost/a:1");
  const std::int64_t plain = Predict({a});
  std::filesystem::create_directory_symlink(Root(), directory_ / "link");
  const std::string link = directory_ / "link";
  reader_ = crio::MakeStoreReader({.configs = {},
                                   .image_path = link + "/overlay-images",
                                   .container_path = Root() + "/overlay-containers"});
  facts_ = {};
  EXPECT_EQ(Predict({a}), plain);
  EXPECT_TRUE(Read().objects.front().name.starts_with("overlay/"));
}

TEST_P(CrioBytes, OfAStoreThatCannotBeReadAreAnError) {
  EXPECT_FALSE(reader_->Read(facts_).ok()) << "there is no store yet";
  (void)Copy(Built("a", 700'000), "localhost/a:1");
  EXPECT_TRUE(reader_->Read(facts_).ok());
  const std::string conf = directory_ / "storage.conf";
  std::ofstream(conf) << "[storage]\ndriver = \"vfs\"\n";
  const auto vfs =
      crio::MakeStoreReader({.configs = {conf}, .image_path = {}, .container_path = {}})
          ->Read(facts_);
  ASSERT_FALSE(vfs.ok());
  EXPECT_EQ(vfs.error().code, base::ErrorCode::kUnsupported);
  const auto btrfs =
      crio::MakeStoreReader(
          {.configs = {}, .image_path = Root() + "/btrfs-images", .container_path = {}})
          ->Read(facts_);
  ASSERT_FALSE(btrfs.ok());
  EXPECT_EQ(btrfs.error().code, base::ErrorCode::kUnsupported);
  std::ofstream(Root() + "/overlay-layers/layers.json") << "[{";
  const auto broken = reader_->Read(facts_);
  ASSERT_FALSE(broken.ok());
  EXPECT_THAT(broken.error().message, HasSubstr("layers.json: it is no JSON"));
}

}  // namespace
}  // namespace ebb::node
