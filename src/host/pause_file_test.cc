#include "host/pause_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "testing/temp_dir.h"

namespace ebb::host {
namespace {

const base::TimePoint kNow = std::chrono::sys_days(std::chrono::year(2026) / 11 / 30);

TEST(PauseFile, NobodyIsPausedAtFirst) {
  const testing::TempDir dir;
  EXPECT_FALSE(PauseFile(dir.path()).Read(kNow).paused);
}

TEST(PauseFile, PausedItStaysUntilResumed) {
  const testing::TempDir dir;
  const PauseFile pause(dir / "state");
  ASSERT_TRUE(pause.Pause(std::nullopt).ok());
  const auto state = PauseFile(dir / "state").Read(kNow + std::chrono::hours(24 * 365));
  EXPECT_TRUE(state.paused);
  EXPECT_FALSE(state.until);
  ASSERT_TRUE(pause.Resume().ok());
  EXPECT_FALSE(pause.Read(kNow).paused);
  EXPECT_TRUE(pause.Resume().ok()) << "twice is as good as once";
}

TEST(PauseFile, APauseWithAnEndEndsThen) {
  const testing::TempDir dir;
  const PauseFile pause(dir.path());
  ASSERT_TRUE(pause.Pause(kNow + std::chrono::hours(2)).ok());
  EXPECT_TRUE(pause.Read(kNow + std::chrono::hours(1)).paused);
  EXPECT_EQ(pause.Read(kNow).until, kNow + std::chrono::hours(2));
  EXPECT_FALSE(pause.Read(kNow + std::chrono::hours(2)).paused);
}

TEST(PauseFile, AnotherPauseTakesThePlaceOfTheFirst) {
  const testing::TempDir dir;
  const PauseFile pause(dir.path());
  ASSERT_TRUE(pause.Pause(std::nullopt).ok());
  ASSERT_TRUE(pause.Pause(kNow + std::chrono::hours(2)).ok());
  EXPECT_FALSE(pause.Read(kNow + std::chrono::hours(3)).paused);
}

TEST(PauseFile, WhatCannotBeReadCountsAsPaused) {
  const testing::TempDir dir;
  std::ofstream(dir / "paused") << "tomorrow\n";
  EXPECT_TRUE(PauseFile(dir.path()).Read(kNow).paused);
  std::filesystem::remove(dir / "paused");
  std::filesystem::create_directory(dir / "paused");
  EXPECT_TRUE(PauseFile(dir.path()).Read(kNow).paused);
}

TEST(PauseFile, ADirectoryThatCannotBeMadeIsAnErrorThatNamesIt) {
  const auto paused = PauseFile("/proc/no/such").Pause(std::nullopt);
  ASSERT_FALSE(paused.ok());
  EXPECT_NE(paused.error().message.find("/proc/no/such"), std::string::npos);
}

}  // namespace
}  // namespace ebb::host
