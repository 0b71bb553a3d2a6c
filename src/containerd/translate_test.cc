// Each listing is a small node; the mark of image/ says what its collector would leave.
#include "containerd/translate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "containerd/labels.h"

namespace ebb::containerd {
namespace {

using image::Store;
using image::StoreObject;
using image::StoreRoot;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

const base::TimePoint kNow{std::chrono::hours(24 * 365 * 50)};
using Kind = SnapshotEntry::Kind;

std::pair<std::string, std::string> Keeps(const std::string& digest) {
  return {"containerd.io/gc.ref.content." + digest, digest};
}
std::pair<std::string, std::string> KeepsLayer(const std::string& key) {
  return {"containerd.io/gc.ref.snapshot.overlayfs", key};
}

SnapshotEntry Layer(const std::string& key, const std::string& parent, Labels labels = {}) {
  return {.snapshotter = "overlayfs",
          .key = key,
          .parent = parent,
          .labels = std::move(labels),
          .usage = base::Bytes{100}};
}

// An image of two layers: manifest → configuration → top → bottom, and a layer's blob.
Space OneImage(const std::string& name = "k8s.io") {
  Space space{.name = name};
  space.records = {{"app:1", "manifest", {}}};
  space.content = {{"manifest", {10}, {Keeps("config"), Keeps("blob")}},
                   {"config", {20}, {KeepsLayer("top")}},
                   {"blob", {5000}, {}}};
  space.snapshots = {Layer("bottom", ""), Layer("top", "bottom")};
  return space;
}

Listing Of(std::vector<Space> spaces) {
  return {.spaces = std::move(spaces), .block = {4096}, .folders = {{"overlayfs", {8192}}}};
}

std::vector<std::string> Left(const Store& store, const std::vector<std::size_t>& roots) {
  const std::vector<bool> alive = image::Mark(store, roots);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < store.objects.size(); ++i) {
    if (alive[i] && store.objects[i].kind != StoreObject::Kind::kEntry) {
      names.push_back(store.objects[i].name);
    }
  }
  return names;
}

// Names of blobs and snapshots that stay.
std::vector<std::string> Kept(const Store& store) {
  std::vector<std::size_t> roots(store.roots.size());
  std::iota(roots.begin(), roots.end(), std::size_t{0});
  return Left(store, roots);
}

std::vector<std::string> KeptWithoutRecords(const Store& store) {
  std::vector<std::size_t> roots;
  for (std::size_t i = 0; i < store.roots.size(); ++i) {
    if (!store.roots[i].removable) roots.push_back(i);
  }
  return Left(store, roots);
}

const StoreObject& Find(const Store& store, const std::string& name) {
  return *std::ranges::find(store.objects, name, &StoreObject::name);
}

TEST(Translate, AnImageKeepsItsBlobsAndItsLayers) {
  const Store store = Translate(Of({OneImage()}), kNow);
  EXPECT_THAT(Kept(store), UnorderedElementsAre("manifest", "config", "blob",
                                                "k8s.io/overlayfs/bottom", "k8s.io/overlayfs/top"));
  EXPECT_THAT(KeptWithoutRecords(store), IsEmpty());
  EXPECT_THAT(store.unknown, IsEmpty());
}

TEST(Translate, BlobsTakeWholeBlocksAndLayersTheirFolders) {
  const Store store = Translate(Of({OneImage()}), kNow);
  EXPECT_EQ(Find(store, "manifest").disk.count, 4096);
  EXPECT_EQ(Find(store, "blob").disk.count, 8192);
  EXPECT_EQ(Find(store, "blob").download.count, 5000);
  EXPECT_EQ(Find(store, "k8s.io/overlayfs/top").disk.count, 8292);
  EXPECT_EQ(Find(store, "k8s.io/manifest").disk.count, 0);
}

TEST(Translate, ABlobThatWasLookedAtTakesWhatWasFound) {
  Space space = OneImage();
  space.content[2].disk = base::Bytes{12288};
  EXPECT_EQ(Find(Translate(Of({space}), kNow), "blob").disk.count, 12288);
}

TEST(Translate, ALayerThatCouldNotBeMeasuredIsUnknownAndNotEmpty) {
  Space space = OneImage();
  space.snapshots[0].usage.reset();
  const Store store = Translate(Of({space}), kNow);
  EXPECT_FALSE(Find(store, "k8s.io/overlayfs/bottom").measured);
  EXPECT_TRUE(Find(store, "k8s.io/overlayfs/top").measured);
}

TEST(Translate, OnlyRecordsThatCriRemovesAreRemovable) {
  const Store store = Translate(Of({OneImage(), OneImage("default")}), kNow);
  ASSERT_EQ(store.roots.size(), 2);
  EXPECT_TRUE(store.roots[0].removable);
  EXPECT_FALSE(store.roots[1].removable);
}

TEST(Translate, NamespacesShareBlobsAndNothingElse) {
  const Store store = Translate(Of({OneImage(), OneImage("moby")}), kNow);
  EXPECT_EQ(std::ranges::count(store.objects, StoreObject::Kind::kBlob, &StoreObject::kind), 3);
  EXPECT_THAT(KeptWithoutRecords(store),
              UnorderedElementsAre("manifest", "config", "blob", "moby/overlayfs/bottom",
                                   "moby/overlayfs/top"));
}

TEST(Translate, ALabelReachesNothingInAnotherNamespace) {
  Space other{.name = "default"};
  other.records = {{"x", "outer", {}}};
  other.content = {{"outer", {1}, {Keeps("blob"), KeepsLayer("top")}}};
  EXPECT_THAT(KeptWithoutRecords(Translate(Of({OneImage(), other}), kNow)), ElementsAre("outer"));
}

TEST(Translate, AContainerKeepsItsLayersButNotItsImage) {
  Space space = OneImage();
  space.snapshots.push_back(Layer("rw", "top"));
  space.snapshots.back().kind = Kind::kActive;
  space.snapshots.back().usage.reset();
  space.containers = {{"c1", "overlayfs", "rw", {}}};
  const Store store = Translate(Of({space}), kNow);
  EXPECT_THAT(KeptWithoutRecords(store),
              UnorderedElementsAre("k8s.io/overlayfs/bottom", "k8s.io/overlayfs/top",
                                   "k8s.io/overlayfs/rw"));
  EXPECT_TRUE(Find(store, "k8s.io/overlayfs/rw").writable);
  EXPECT_FALSE(Find(store, "k8s.io/overlayfs/rw").measured);
}

TEST(Translate, LabelsOfRecordsAndContainersKeepThingsToo) {
  Space space = OneImage();
  space.records = {{"x", "", {Keeps("blob")}}};
  space.containers = {{"c1", "", "", {KeepsLayer("bottom")}}};
  EXPECT_THAT(Kept(Translate(Of({space}), kNow)),
              UnorderedElementsAre("blob", "k8s.io/overlayfs/bottom"));
}

TEST(Translate, CyclesAndDanglingNamesAreHarmless) {
  Space space = OneImage();
  space.content[2].labels = {Keeps("manifest"), Keeps("gone"), KeepsLayer("gone")};
  space.snapshots[0].parent = "top";
  space.records.push_back({"broken", "gone", {}});
  space.containers = {{"c1", "overlayfs", "gone", {}}};
  const Store store = Translate(Of({space}), kNow);
  EXPECT_EQ(Kept(store).size(), 5);
  EXPECT_THAT(KeptWithoutRecords(store), IsEmpty());
}

TEST(Translate, AnIndexWithoutThisPlatformStillKeepsWhatItHas) {
  Space space = OneImage();
  space.content.push_back({"index", {5}, {Keeps("foreign"), Keeps("never-fetched")}});
  space.content.push_back({"foreign", {5}, {}});
  space.records.push_back({"foreign:1", "index", {}});
  EXPECT_THAT(Kept(Translate(Of({space}), kNow)), testing::IsSupersetOf({"index", "foreign"}));
}

TEST(Translate, WhatNobodyKeepsIsGarbage) {
  Space space = OneImage();
  space.records.clear();
  const Store store = Translate(Of({space}), kNow);
  EXPECT_EQ(store.objects.size(), 8);
  EXPECT_THAT(Kept(store), IsEmpty());
}

TEST(Translate, ALeaseKeepsWhatItNamesAndAllThatFollows) {
  Space space = OneImage();
  space.leases = {{"l", {}, {{"content", "manifest"}}}};
  const Store store = Translate(Of({space}), kNow);
  EXPECT_EQ(KeptWithoutRecords(store).size(), 5);
  EXPECT_EQ(store.roots.back().until, base::kNever);
  EXPECT_FALSE(store.roots.back().leftover);
}

TEST(Translate, ALeaseOnAnImageKeepsNothingOnceTheRecordIsGone) {
  Space space = OneImage();
  space.leases = {{"l", {}, {{"images", "app:1"}, {"content", "gone"}}}};
  EXPECT_THAT(KeptWithoutRecords(Translate(Of({space}), kNow)), IsEmpty());
}

TEST(Translate, AFlatLeaseKeepsOnlyWhatItNamesAndTheLayersBelow) {
  Space space = OneImage();
  space.leases = {{"l",
                   {{"containerd.io/gc.flat", ""}},
                   {{"content", "manifest"}, {"snapshots/overlayfs", "top"}}}};
  const Store store = Translate(Of({space}), kNow);
  EXPECT_THAT(KeptWithoutRecords(store),
              UnorderedElementsAre("manifest", "k8s.io/overlayfs/bottom", "k8s.io/overlayfs/top"));
  EXPECT_THAT(store.unknown, IsEmpty());
}

TEST(Translate, AFlatLeaseOnALayerWithLabelsIsHeldMoreThanItMustAndSaysSo) {
  Space space = OneImage();
  space.snapshots[0].labels = {Keeps("blob")};
  space.leases = {{"l", {{"containerd.io/gc.flat", ""}}, {{"snapshots/overlayfs", "top"}}}};
  const Store store = Translate(Of({space}), kNow);
  EXPECT_THAT(KeptWithoutRecords(store), testing::Contains("blob"));
  EXPECT_THAT(store.unknown, ElementsAre(HasSubstr("flat lease")));
}

TEST(Translate, AnExpiredLeaseKeepsNothing) {
  Space space = OneImage();
  const auto lease = [](const char* id, base::Duration from_now) {
    return LeaseEntry{id,
                      {{"containerd.io/gc.expire", base::FormatTime(kNow + from_now)}},
                      {{"content", "manifest"}}};
  };
  space.leases = {lease("old", -std::chrono::seconds(1))};
  EXPECT_THAT(KeptWithoutRecords(Translate(Of({space}), kNow)), IsEmpty());
  space.leases = {lease("new", std::chrono::seconds(1))};
  const Store store = Translate(Of({space}), kNow);
  EXPECT_EQ(KeptWithoutRecords(store).size(), 5);
  EXPECT_EQ(store.roots.back().until, kNow + std::chrono::seconds(1));
}

TEST(Translate, AHoldOfOursIsALeftover) {
  Space space = OneImage();
  space.leases = {{"ebb-1", {{std::string(kHoldLabel), "1"}}, {{"content", "manifest"}}}};
  EXPECT_TRUE(Translate(Of({space}), kNow).roots.back().leftover);
}

TEST(Translate, AnIngestKeepsWhatItIsAboutToBecome) {
  Space space = OneImage();
  space.ingests = {{"pull-1", "blob"}, {"pull-2", ""}};
  const Store store = Translate(Of({space}), kNow);
  EXPECT_THAT(KeptWithoutRecords(store), ElementsAre("blob"));
  EXPECT_EQ(store.roots.back().kind, StoreRoot::Kind::kIngest);
  space.leases = {{"l", {}, {{"ingests", "pull-1"}}}};
  EXPECT_EQ(Translate(Of({space}), kNow).roots[1].keeps.size(), 1);
}

TEST(Translate, ARootLabelKeepsItsObject) {
  Space space = OneImage();
  space.content[2].labels = {{"containerd.io/gc.root", "2026"}};
  const Store store = Translate(Of({space}), kNow);
  EXPECT_THAT(KeptWithoutRecords(store), ElementsAre("blob"));
  EXPECT_THAT(store.unknown, IsEmpty());
}

TEST(Translate, ALabelItDoesNotKnowHoldsItsObjectAndSaysSoOnce) {
  Space space = OneImage();
  space.content[2].labels = {{"containerd.io/gc.bref.content.x", "manifest"}};
  space.snapshots[0].labels = {{"containerd.io/gc.bref.image", "app:1"}};
  const Store store = Translate(Of({space}), kNow);
  EXPECT_THAT(KeptWithoutRecords(store), UnorderedElementsAre("blob", "k8s.io/overlayfs/bottom"));
  EXPECT_THAT(store.unknown,
              ElementsAre(AllOf(HasSubstr("containerd.io/gc.bref"), HasSubstr("held"))));
}

TEST(Translate, LayersOfAForeignSnapshotterAreHeldAndSayingSoTakesOneSentence) {
  Space space = OneImage();
  for (SnapshotEntry& layer : space.snapshots) layer.snapshotter = "stargz";
  const Store store = Translate(Of({space}), kNow);
  EXPECT_THAT(KeptWithoutRecords(store),
              UnorderedElementsAre("k8s.io/stargz/bottom", "k8s.io/stargz/top"));
  EXPECT_FALSE(Find(store, "k8s.io/stargz/top").measured);
  EXPECT_THAT(store.unknown, ElementsAre(HasSubstr("stargz")));
}

TEST(Translate, ARecordThatExpiresIsHeldAndSaysSo) {
  Space space = OneImage();
  space.records[0].labels = {{"containerd.io/gc.expire", "2001-01-01T00:00:00Z"}};
  const Store store = Translate(Of({space}), kNow);
  EXPECT_EQ(Kept(store).size(), 5);
  EXPECT_THAT(store.unknown, ElementsAre(HasSubstr("app:1")));
}

TEST(Translate, PassesOnWhatCouldNotBeListed) {
  Listing listing = Of({OneImage()});
  listing.doubts = {"a sentence"};
  EXPECT_THAT(Translate(listing, kNow).unknown, ElementsAre("a sentence"));
}

// What a lease or a write shows to be in the middle of a pull, by names of entries.
std::vector<std::string> Pulled(const Space& space) {
  const Store store = Translate(Of({space}), kNow);
  std::vector<std::string> names;
  for (const StoreRoot& root : store.roots) {
    for (const auto index : root.pulls) names.push_back(store.objects[index].name);
  }
  return names;
}

TEST(Pulls, AYoungLeaseShowsThemButNotByLayersThatOthersHaveToo) {
  Space space = OneImage();
  space.leases = {{.id = "17-x",
                   .labels = {},
                   .resources = {{"content", "manifest"}, {"content", "blob"}},
                   .created = kNow - std::chrono::minutes(59)}};
  EXPECT_THAT(Pulled(space), ElementsAre("k8s.io/manifest"));
  space.leases[0].created = kNow - std::chrono::hours(1);
  EXPECT_THAT(Pulled(space), IsEmpty()) << "its client has died";
}

TEST(Pulls, AHoldOfOursIsNone) {
  Space space = OneImage();
  space.leases = {{.id = "ebb-1",
                   .labels = {{std::string(kHoldLabel), "1"}},
                   .resources = {{"content", "manifest"}},
                   .created = kNow}};
  EXPECT_THAT(Pulled(space), IsEmpty());
}

TEST(Pulls, AYoungLeaseOfTheGuardIsNone) {
  Space space = OneImage();
  space.leases = {{.id = "ebb-guard-1",
                   .labels = {{std::string(kGuardLabel), "1"}},
                   .resources = {{"content", "manifest"}},
                   .created = kNow}};
  EXPECT_THAT(Pulled(space), IsEmpty());
}

TEST(Pulls, ABlobThatIsBeingWrittenShowsWhatItIsAPartOf) {
  Space space = OneImage();
  std::erase_if(space.content, [](const ContentEntry& entry) { return entry.digest == "blob"; });
  space.ingests = {{.ref = "layer-blob", .expected = "blob"}, {.ref = "unknown", .expected = ""}};
  EXPECT_THAT(Pulled(space), ElementsAre("k8s.io/manifest"));
}

}  // namespace
}  // namespace ebb::containerd
