#include "crio/translate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "image/exact_graph.h"

namespace ebb::crio {
namespace {

using image::StoreRoot;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Layer MakeLayer(const std::string& id, const std::string& parent, std::int64_t bytes) {
  Layer layer;
  layer.id = id;
  layer.parent = parent;
  layer.disk = base::Bytes{bytes};
  layer.download = {bytes / 2};
  return layer;
}

// Each image has 1 byte of data of its own.
ImageEntry MakeImage(const std::string& id, const std::string& top) {
  ImageEntry image;
  image.id = id;
  image.top = top;
  image.disk = base::Bytes{1};
  return image;
}

// A base of 1000 bytes, and two images of 10 and 20 on it.
Listing TwoOnABase() {
  Place place{.root = "/store"};
  place.layers = {MakeLayer("base", "", 1000), MakeLayer("a", "base", 10),
                  MakeLayer("b", "base", 20)};
  place.images = {MakeImage("1", "a"), MakeImage("2", "b")};
  return {.places = {std::move(place)}, .doubts = {}};
}

// What removing the images of these IDs frees, out of all that any place lists.
std::int64_t Freed(const image::Store& store, const std::vector<std::string>& ids) {
  std::vector<image::Image> images;
  std::vector<std::size_t> removed;
  for (const StoreRoot& root : store.roots) {
    if (root.kind != StoreRoot::Kind::kRecord) continue;
    for (const std::string& id : ids) {
      if (id == root.name) removed.push_back(images.size());
    }
    images.emplace_back().id.value = root.name;
  }
  return image::MakeExactGraph(store, images).graph.Freed(removed).count;
}

const StoreRoot* Find(const image::Store& store, StoreRoot::Kind kind, const std::string& name) {
  for (const StoreRoot& root : store.roots) {
    if (root.kind == kind && root.name == name) return &root;
  }
  return nullptr;
}

TEST(Translate, ABaseGoesWithTheLastImageOnIt) {
  const image::Store store = Translate(TwoOnABase());
  EXPECT_THAT(store.unknown, IsEmpty());
  EXPECT_EQ(Freed(store, {"1"}), 11);
  EXPECT_EQ(Freed(store, {"2"}), 21);
  EXPECT_EQ(Freed(store, {"1", "2"}), 1032);
}

TEST(Translate, ALayerIsNamedByTheDriverAndItsIdAndKnowsItsDownload) {
  const image::Store store = Translate(TwoOnABase());
  EXPECT_EQ(store.objects[0].name, "overlay/base");
  EXPECT_EQ(store.objects[0].kind, image::StoreObject::Kind::kSnapshot);
  EXPECT_EQ(store.objects[0].download.count, 500);
  EXPECT_EQ(store.objects[3].name, "overlay-images/1");
}

TEST(Translate, AnImageThatOthersAreBuiltOnKeepsItsLayersWhileTheyStay) {
  Listing listing = TwoOnABase();
  listing.places[0].images.push_back(MakeImage("3", "base"));
  const image::Store store = Translate(listing);
  EXPECT_EQ(Freed(store, {"3"}), 1) << "only its data";
  EXPECT_EQ(Freed(store, {"1", "2"}), 32) << "the base is an image";
  EXPECT_EQ(Freed(store, {"1", "2", "3"}), 1033);
}

TEST(Translate, CopiesOfALayerForOtherUsersGoWithTheirImage) {
  Listing listing = TwoOnABase();
  listing.places[0].layers.push_back(MakeLayer("a-mapped", "base", 300));
  listing.places[0].images[0].mapped = {"a-mapped"};
  EXPECT_EQ(Freed(Translate(listing), {"1"}), 311);
}

TEST(Translate, AContainerOfAnybodyHoldsItsImageAndItsLayer) {
  Listing listing = TwoOnABase();
  listing.places[0].layers.push_back(MakeLayer("rw", "a", 5));
  listing.places[0].containers = {{.id = "podmans", .image = "1", .layer = "rw"}};
  const image::Store store = Translate(listing);
  EXPECT_EQ(Freed(store, {"1"}), 0);
  EXPECT_EQ(Freed(store, {"1", "2"}), 21);
  EXPECT_TRUE(store.objects[3].writable);
  EXPECT_NE(Find(store, StoreRoot::Kind::kContainer, "podmans"), nullptr);
}

TEST(Translate, ALayerThatNobodyUsesIsNeverCollectedAndHoldsItsBase) {
  Listing listing = TwoOnABase();
  listing.places[0].layers.push_back(MakeLayer("left", "base", 5));
  const image::Store store = Translate(listing);
  EXPECT_NE(Find(store, StoreRoot::Kind::kOther, "overlay/left"), nullptr);
  EXPECT_EQ(Freed(store, {"1", "2"}), 32);
}

TEST(Translate, AnOrphanIsGarbageUnderANameThatSaysSo) {
  Listing listing = TwoOnABase();
  listing.places[0].orphans = {{.id = "lost", .version = "1", .disk = base::Bytes{7}}};
  const image::Store store = Translate(listing);
  EXPECT_EQ(store.objects.back().name, "orphan/overlay/lost");
  EXPECT_EQ(store.objects.back().disk.count, 7);
  std::vector<std::size_t> all(store.roots.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  EXPECT_FALSE(image::Mark(store, all).back());
  EXPECT_THAT(store.unknown, IsEmpty());
}

TEST(Translate, ImagesOfAReadOnlyStoreStayAndSoDoTheirLayers) {
  Listing listing = TwoOnABase();
  Place shared{.root = "/shared", .additional = true};
  shared.layers = {MakeLayer("base", "", 0), MakeLayer("far", "", 0)};
  shared.layers[1].disk.reset();
  shared.images = {MakeImage("9", "far"), MakeImage("1", "base")};
  listing.places.push_back(std::move(shared));
  listing.places[0].layers.push_back(MakeLayer("c", "far", 40));
  listing.places[0].images.push_back(MakeImage("3", "c"));
  const image::Store store = Translate(listing);
  EXPECT_THAT(store.unknown, IsEmpty()) << "the parent is in the other place";
  EXPECT_FALSE(Find(store, StoreRoot::Kind::kRecord, "9")->removable);
  EXPECT_EQ(Freed(store, {"9"}), 0);
  EXPECT_EQ(Freed(store, {"3"}), 41);
  EXPECT_NE(Find(store, StoreRoot::Kind::kOther, "/shared/overlay/far"), nullptr);
  EXPECT_EQ(image::MakeExactGraph(store, {}).graph.accounting(), image::Accounting::kExact);
}

TEST(Translate, WhatDoesNotFitTheRulesIsNamed) {
  const auto unknown = [](void (*change)(Place&)) {
    Listing listing = TwoOnABase();
    change(listing.places[0]);
    return Translate(listing).unknown;
  };
  EXPECT_THAT(unknown([](Place& place) { place.layers[1].incomplete = true; }),
              ElementsAre(HasSubstr("1 layer: incomplete, so that it may go at any time")));
  EXPECT_THAT(unknown([](Place& place) { place.layers[1].unknown_flag = "shiny"; }),
              ElementsAre(HasSubstr("not known (the first: shiny)")));
  EXPECT_THAT(unknown([](Place& place) { place.layers.erase(place.layers.begin()); }),
              ElementsAre("2 layers: named, but in no list (the first: base)"));
  EXPECT_THAT(unknown([](Place& place) { place.images[0].top = "gone"; }),
              ElementsAre("1 layer: named, but in no list (the first: gone)"));
  EXPECT_THAT(unknown([](Place& place) { place.layers.push_back(place.layers[1]); }),
              ElementsAre("1 layer: listed twice (the first: a)"));
  EXPECT_THAT(unknown([](Place& place) { place.images.push_back(place.images[1]); }),
              ElementsAre("1 image: listed twice (the first: 2)"));
}

TEST(Translate, LayersThatAreBuiltOnThemselvesEndNoWalkAndAreNamed) {
  Listing listing = TwoOnABase();
  listing.places[0].layers[0].parent = "a";
  listing.places[0].layers.push_back(MakeLayer("self", "self", 3));
  const image::Store store = Translate(listing);
  EXPECT_THAT(store.unknown, ElementsAre(HasSubstr("2 layers: built on itself")));
  EXPECT_EQ(Freed(store, {"1", "2"}), 1032);
}

TEST(Translate, AContainerOfAnUnknownImageHoldsAtLeastItsLayer) {
  Listing listing = TwoOnABase();
  listing.places[0].containers = {{.id = "c", .image = "gone", .layer = "a"}};
  EXPECT_EQ(Freed(Translate(listing), {"1"}), 1);
}

TEST(Translate, WhatWasNotMeasuredIsNotExact) {
  Listing listing = TwoOnABase();
  listing.places[0].layers[1].disk.reset();
  const image::Store store = Translate(listing);
  EXPECT_FALSE(store.objects[1].measured);
  EXPECT_EQ(Freed(store, {"1"}), 1);
}

TEST(Translate, TenThousandImagesInOneChainAreNoTrouble) {
  Place place{.root = "/store"};
  std::string parent;
  for (int i = 0; i < 10'000; ++i) {
    const std::string id = std::to_string(i);
    place.layers.push_back(MakeLayer(id, parent, 10));
    place.images.push_back(MakeImage("i" + id, id));
    parent = id;
  }
  const image::Store store = Translate({.places = {std::move(place)}, .doubts = {}});
  EXPECT_THAT(store.unknown, IsEmpty());
  EXPECT_EQ(store.objects.size(), 20'000U);
  EXPECT_EQ(store.roots.size(), 10'000U);
}

}  // namespace
}  // namespace ebb::crio
