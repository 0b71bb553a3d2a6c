#include "containerd/belong.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ebb::containerd {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::pair<std::string, std::string> Keeps(const std::string& digest) {
  return {"containerd.io/gc.ref.content." + digest, digest};
}

std::vector<std::size_t> RecordsOfOne(const std::string& id,
                                      const std::vector<ImageRecord>& records,
                                      const std::vector<ContentEntry>& content) {
  const image::ImageId one{id};
  return RecordsOf(std::span(&one, 1), records, content).front();
}

const std::vector<ContentEntry> kContent = {{"index", {1}, {Keeps("manifest"), Keeps("foreign")}},
                                            {"manifest", {1}, {Keeps("config"), Keeps("layer")}},
                                            {"foreign", {1}, {Keeps("foreign-config")}},
                                            {"other", {1}, {Keeps("other-config"), Keeps("layer")}},
                                            {"config", {1}, {}},
                                            {"layer", {1}, {Keeps("index")}}};

TEST(RecordsOf, AreThoseFromWhichTheConfigurationIsReached) {
  const std::vector<ImageRecord> records = {
      {"app:1", "manifest", {}}, {"multi:1", "index", {}}, {"other:1", "other", {}}};
  EXPECT_THAT(RecordsOfOne("config", records, kContent), ElementsAre(0, 1, 2))
      << "a layer that leads back to the index is odd, but other:1 does reach it";
  EXPECT_THAT(RecordsOfOne("other-config", records, kContent), ElementsAre(2));
}

TEST(RecordsOf, AreThoseNamedByTheIdAndTheirSiblingsEvenWithoutContent) {
  const std::vector<ImageRecord> records = {
      {"config", "lost", {}}, {"app:1", "lost", {}}, {"app:2", "manifest", {}}};
  EXPECT_THAT(RecordsOfOne("config", records, {}), ElementsAre(0, 1));
}

TEST(RecordsOf, AreNoneForAnImageThatIsGone) {
  EXPECT_THAT(RecordsOfOne("gone", {{"app:1", "manifest", {}}}, kContent), IsEmpty());
  EXPECT_THAT(RecordsOf({}, {{"app:1", "manifest", {}}}, kContent), IsEmpty());
}

TEST(RecordsOf, StandInTheOrderOfTheIds) {
  const std::vector<image::ImageId> ids = {{"other-config"}, {"foreign-config"}};
  const std::vector<ImageRecord> records = {{"multi:1", "index", {}}, {"other:1", "other", {}}};
  const auto belonging = RecordsOf(ids, records, kContent);
  EXPECT_THAT(belonging[0], ElementsAre(1));
  EXPECT_THAT(belonging[1], ElementsAre(0, 1));
}

}  // namespace
}  // namespace ebb::containerd
