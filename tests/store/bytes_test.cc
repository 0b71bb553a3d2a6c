// What a removal frees is known before, to the byte.

#include "store/rig.h"

namespace ebb::node {
namespace {

const LayerSpec kBase{.name = "base", .bytes = {3'000'001}, .files = 7};

ImageSpec Built(const std::string& tag, std::int64_t own) {
  std::string folder = tag.substr(tag.find('/') + 1);
  return {.tags = {tag},
          .layers = {kBase, {.name = std::move(folder), .bytes = {own}, .files = 3}},
          .gzip = true};
}

class Bytes : public StoreRig, public ::testing::WithParamInterface<Filesystem> {
 protected:
  void SetUp() override {
    StoreRig::SetUp();
    if (HasFatalFailure() || IsSkipped()) return;
    Start(GetParam());
  }
};

INSTANTIATE_TEST_SUITE_P(On, Bytes, ::testing::Values(Filesystem::kTmpfs, Filesystem::kExt4),
                         [](const auto& kind) {
                           return kind.param == Filesystem::kExt4 ? "Ext4" : "Tmpfs";
                         });

TEST_P(Bytes, OfASharedBaseGoWithItsLastUserAndAreKnownBefore) {
  const auto made = Import({Built("localhost/a:1", 1'000'000), Built("localhost/b:1", 500'000)});
  const std::int64_t together = Predict({made[0].id, made[1].id});
  const std::int64_t first = RemoveAndCompare({made[0].id});
  const std::int64_t last = RemoveAndCompare({made[1].id});
  EXPECT_GT(first, 2'000'000) << "its own layer, packed and unpacked";
  EXPECT_GT(last, 6'000'000) << "the base comes free as well";
  EXPECT_EQ(together, first + last) << "a set frees the base that none of it frees alone";
}

TEST_P(Bytes, OfASetThatOnlyTogetherFreesItsBaseAreKnownBefore) {
  const auto made = Import({Built("localhost/a:1", 100'000), Built("localhost/b:1", 100'000),
                            Built("localhost/c:1", 100'000)});
  EXPECT_LT(Predict({made[0].id, made[1].id}), 3'000'000);
  EXPECT_GT(RemoveAndCompare({made[0].id, made[1].id, made[2].id}), 6'000'000);
}

TEST_P(Bytes, OfAnImageWithSeveralTagsGoOnce) {
  ImageSpec image = Built("localhost/a:1", 700'000);
  image.tags.insert(image.tags.end(), {"localhost/a:2", "localhost/other:latest"});
  image.repositories = {"localhost/a"};
  const auto made = Import({image});
  EXPECT_GT(RemoveAndCompare({made[0].id}), 7'000'000);
}

TEST_P(Bytes, OfAnIndexIncludeThePlatformsThatCriDoesNotCount) {
  ImageSpec image = Built("localhost/multi:1", 700'000);
  image.other_architectures = {"s390x"};
  const auto made = Import({image}, {"--all-platforms"});
  EXPECT_GT(RemoveAndCompare({made[0].id}), 11'000'000);
}

TEST_P(Bytes, HeldByAPlainContainerdContainerStay) {
  const auto made = Import({Built("localhost/a:1", 700'000)});
  Ctr({"containers", "create", "localhost/a:1", "plain"});
  const std::int64_t freed = RemoveAndCompare({made[0].id});
  EXPECT_GT(freed, 3'700'000) << "the blobs";
  EXPECT_LT(freed, 4'200'000) << "and not the layers";
}

TEST_P(Bytes, HeldByAnotherNamespaceStay) {
  const auto made = Import({Built("localhost/a:1", 700'000)});
  Import({Built("localhost/a:1", 700'000)}, {"--no-unpack"}, "other");
  const std::int64_t freed = RemoveAndCompare({made[0].id});
  EXPECT_GT(freed, 3'700'000) << "the layers";
  EXPECT_LT(freed, 4'200'000) << "and not the blobs";
}

TEST_P(Bytes, HeldByALeaseStayUntilItEnds) {
  const auto made = Import({Built("localhost/a:1", 700'000)});
  const std::int64_t all = Predict({made[0].id});
  Lease("foreign", "content", made[0].digest);
  EXPECT_EQ(RemoveAndCompare({made[0].id}), 0);
  const std::int64_t before = Used();
  Unlease("foreign");
  EXPECT_EQ(before - Used(), all);
}

TEST_P(Bytes, HeldByAFlatLeaseAreThoseItNames) {
  const auto made = Import({Built("localhost/a:1", 700'000)});
  const std::int64_t all = Predict({made[0].id});
  Lease("flat", "content", made[0].digest, {{"containerd.io/gc.flat", "true"}});
  EXPECT_EQ(all - RemoveAndCompare({made[0].id}), 4096) << "one block: the manifest";
}

TEST_P(Bytes, HeldByAnExpiredLeaseGo) {
  const auto made = Import({Built("localhost/a:1", 700'000)});
  const std::int64_t all = Predict({made[0].id});
  Lease("old", "content", made[0].digest, {{"containerd.io/gc.expire", "2020-01-01T00:00:00Z"}});
  EXPECT_EQ(RemoveAndCompare({made[0].id}), all);
}

TEST_P(Bytes, OfLayersThatAreFullCopiesAreKnownToo) {
  const auto made = Import({Built("localhost/a:1", 700'000), Built("localhost/b:1", 100'000)},
                           {"--snapshotter", "native"});
  EXPECT_GT(RemoveAndCompare({made[0].id}), 1'400'000 + 3'000'000);
  EXPECT_GT(RemoveAndCompare({made[1].id}), 9'000'000);
}

}  // namespace
}  // namespace ebb::node
