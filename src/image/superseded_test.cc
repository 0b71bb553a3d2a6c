#include "image/superseded.h"

#include <gtest/gtest.h>

namespace ebb::image {
namespace {

using std::chrono::hours;

constexpr base::TimePoint kNow = std::chrono::sys_days(std::chrono::year(2026) / 11 / 30);

struct Ago {
  hours seen{};
  hours used{};  // 0: never
  hours started{};
};

Image Version(const std::string& tag, const Ago& ago, const std::string& repository = "r.io/app") {
  Image image{.id = {"sha256:" + tag}, .tags = {repository + ":" + tag}};
  image.usage.first_seen = kNow - ago.seen;
  if (ago.used != hours{}) image.usage.last_used = kNow - ago.used;
  if (ago.started != hours{}) image.usage.last_start = kNow - ago.started;
  return image;
}

using Who = std::optional<std::size_t>;

TEST(Superseded, ANewerVersionSeenAfterTheLastUseTakesThePlace) {
  const auto by = SupersededBy(
      {Version("1", {.seen = hours(90), .used = hours(50)}), Version("2", {.seen = hours(40)})});
  EXPECT_EQ(by, (std::vector<Who>{1, std::nullopt}));
}

TEST(Superseded, ANewerVersionStartedAfterTheLastUseTakesThePlaceToo) {
  const auto by =
      SupersededBy({Version("1", {.seen = hours(90), .used = hours(20)}),
                    Version("2", {.seen = hours(40), .used = hours(1), .started = hours(2)})});
  EXPECT_EQ(by[0], Who(1));
}

TEST(Superseded, AVersionUsedSinceTheNewerOneCameKeepsItsPlace) {
  const auto by = SupersededBy({Version("1", {.seen = hours(90), .used = hours(3)}),
                                Version("2", {.seen = hours(40), .started = hours(39)})});
  EXPECT_EQ(by[0], std::nullopt);
}

TEST(Superseded, GoingBackToAnOlderVersionDoesNotMakeItNewer) {
  const auto by =
      SupersededBy({Version("1", {.seen = hours(90), .used = hours(1), .started = hours(2)}),
                    Version("2", {.seen = hours(40), .used = hours(20)})});
  EXPECT_EQ(by[1], std::nullopt);
}

TEST(Superseded, TwoThatCameTogetherDoNotReplaceEachOther) {
  const auto by =
      SupersededBy({Version("1", {.seen = hours(9)}), Version("2", {.seen = hours(9)})});
  EXPECT_EQ(by, (std::vector<Who>{std::nullopt, std::nullopt}));
}

TEST(Superseded, OtherRepositoriesHaveNoSay) {
  const auto by = SupersededBy({Version("1", {.seen = hours(90)}),
                                Version("2", {.seen = hours(4)}, "r.io:5000/app"),
                                Version("3", {.seen = hours(3)}, "r.io/app/web")});
  EXPECT_EQ(by, (std::vector<Who>(3)));
}

TEST(Superseded, TheLatestOfSeveralIsNamed) {
  const auto by =
      SupersededBy({Version("1", {.seen = hours(90)}),
                    Version("2", {.seen = hours(50), .used = hours(1), .started = hours(1)}),
                    Version("3", {.seen = hours(40)})});
  EXPECT_EQ(by[0], Who(1));
  EXPECT_EQ(by[1], std::nullopt);
}

TEST(Superseded, AnImageWithoutTagsIsKnownByItsDigests) {
  std::vector<Image> images = {Version("1", {.seen = hours(90)}), Version("2", {.seen = hours(9)})};
  images[0].tags.clear();
  images[0].digests = {"r.io/app@sha256:d"};
  EXPECT_EQ(SupersededBy(images)[0], Who(1));
}

}  // namespace
}  // namespace ebb::image
