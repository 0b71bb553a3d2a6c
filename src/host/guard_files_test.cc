#include "host/guard_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "testing/manual_clock.h"
#include "testing/temp_dir.h"

namespace ebb::host {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

image::GuardSet Sample() {
  image::GuardSet set;
  set.images.push_back(
      {{"sha256:pause"},
       image::GuardReason::kSandbox,
       "pause:3.6",
       std::chrono::sys_days(std::chrono::year(2026) / 11 / 30),
       {{"name \"with\"\n odd \x01 words", {"type", "sha256:t", 7, {{"a", "b"}}}, {{"k", "v"}}}}});
  set.added = {"registry.example/app:1"};
  return set;
}

class GuardFilesTest : public ::testing::Test {
 protected:
  void Write(const std::string& text) {
    std::filesystem::create_directories(dir_ / "guard");
    std::ofstream(dir_ / "guard/images.json") << text;
  }
  testing::TempDir dir_;
  testing::ManualClock clock_;
  GuardFiles files_{dir_ / "", clock_};
};

TEST_F(GuardFilesTest, RememberNothingAtFirstAndMakeNothingToFindThatOut) {
  EXPECT_THAT(files_.Load()->images, IsEmpty());
  EXPECT_FALSE(files_.SomebodyStandsBy());
  EXPECT_FALSE(std::filesystem::exists(dir_ / "guard"));
}

TEST_F(GuardFilesTest, GiveBackWhatWasSavedWhateverTheNames) {
  ASSERT_TRUE(files_.Save(Sample()).ok());
  const auto set = files_.Load();
  ASSERT_TRUE(set.ok()) << set.error().message;
  ASSERT_THAT(set->images, SizeIs(1));
  const image::GuardSet sample = Sample();
  EXPECT_EQ(set->images[0].id, sample.images[0].id);
  EXPECT_EQ(set->images[0].reason, sample.images[0].reason);
  EXPECT_EQ(set->images[0].detail, sample.images[0].detail);
  EXPECT_EQ(set->images[0].wanted_at, sample.images[0].wanted_at);
  EXPECT_EQ(set->images[0].records, sample.images[0].records);
  EXPECT_THAT(set->added, ElementsAre("registry.example/app:1"));
}

TEST_F(GuardFilesTest, SayWhenTheyAreDamagedOrOfANewerVersion) {
  for (const char* text : {"", "{", "[]", "{\"version\":2}", "{\"version\":1,\"images\":[{}]}",
                           "{\"version\":1,\"images\":[1]}", "{\"version\":1,\"added\":[1]}"}) {
    Write(text);
    const auto set = files_.Load();
    ASSERT_FALSE(set.ok()) << text;
    EXPECT_THAT(set.error().message, HasSubstr("images.json"));
  }
}

TEST_F(GuardFilesTest, AreChangedByOneAtATime) {
  auto first = files_.Change();
  ASSERT_TRUE(first.ok()) << first.error().message;
  GuardFiles other(dir_ / "", clock_);
  EXPECT_EQ(other.Change().error().code, base::ErrorCode::kRefused);
  first->reset();
  EXPECT_TRUE(other.Change().ok());
}

TEST_F(GuardFilesTest, TellWhetherSomebodyStandsBy) {
  {
    const auto standing = files_.StandBy();
    ASSERT_TRUE(standing.ok());
    GuardFiles other(dir_ / "", clock_);
    EXPECT_TRUE(other.SomebodyStandsBy());
    EXPECT_EQ(other.StandBy().error().code, base::ErrorCode::kRefused);
  }
  EXPECT_FALSE(files_.SomebodyStandsBy());
}

}  // namespace
}  // namespace ebb::host
