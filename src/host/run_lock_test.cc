#include "host/run_lock.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>

#include "base/unique_fd.h"
#include "testing/manual_clock.h"
#include "testing/temp_dir.h"

namespace ebb::host {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// A process that holds the lock until it is killed.
class Holder {
 public:
  explicit Holder(const std::string& directory) {
    std::array<int, 2> ends{};
    EXPECT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
    const base::UniqueFd ready(ends[0]);
    base::UniqueFd tell(ends[1]);
    pid_ = ::fork();
    if (pid_ == 0) {
      (void)::prctl(PR_SET_PDEATHSIG, SIGKILL);
      testing::ManualClock clock;
      FileRunLock lock({.directory = directory, .command = "ebb collect --yes"}, clock);
      const auto guard = lock.Acquire();
      if (guard.ok()) (void)::write(tell.get(), "x", 1);
      for (;;) (void)::pause();
    }
    tell = base::UniqueFd();
    char byte = 0;
    EXPECT_EQ(::read(ready.get(), &byte, 1), 1);
  }
  Holder(const Holder&) = delete;
  Holder& operator=(const Holder&) = delete;
  ~Holder() { Kill(); }

  void Kill() {
    if (pid_ <= 0) return;
    (void)::kill(pid_, SIGKILL);
    (void)::waitpid(pid_, nullptr, 0);
    pid_ = 0;
  }
  pid_t pid() const { return pid_; }

 private:
  pid_t pid_ = 0;
};

TEST(RunLock, NamesTheHolderThePathAndSinceWhen) {
  const testing::TempDir dir;
  const Holder holder(dir.path());
  testing::ManualClock clock;
  FileRunLock lock({.directory = dir.path()}, clock);
  const auto guard = lock.Acquire();
  ASSERT_FALSE(guard.ok());
  EXPECT_EQ(guard.error().code, base::ErrorCode::kRefused);
  EXPECT_THAT(
      guard.error().message,
      AllOf(HasSubstr("pid " + std::to_string(holder.pid())), HasSubstr("'ebb collect --yes'"),
            HasSubstr("since 2026-11-30T00:00:00Z"), HasSubstr((dir / "lock").string())));
}

TEST(RunLock, IsReleasedByKillNine) {
  const testing::TempDir dir;
  Holder holder(dir.path());
  testing::ManualClock clock;
  FileRunLock lock({.directory = dir.path()}, clock);
  EXPECT_FALSE(lock.Acquire().ok());
  holder.Kill();
  EXPECT_TRUE(lock.Acquire().ok());
}

TEST(RunLock, IsReleasedWithItsGuardAndKeptOutTwiceInOneProcess) {
  const testing::TempDir dir;
  testing::ManualClock clock;
  FileRunLock lock({.directory = dir / "a/b", .command = "one"}, clock);
  {
    const auto guard = lock.Acquire();
    ASSERT_TRUE(guard.ok()) << guard.error().message;
    EXPECT_FALSE(lock.Acquire().ok());
  }
  EXPECT_TRUE(lock.Acquire().ok());
  struct stat status{};
  ASSERT_EQ(::stat((dir / "a/b/lock").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0600U);
}

// Lets the holder go after some waiting.
class ClockThatKills : public testing::ManualClock {
 public:
  explicit ClockThatKills(Holder& holder) : holder_(holder) {}
  void SleepFor(base::Duration time) override {
    ManualClock::SleepFor(time);
    if (++sleeps == 3) holder_.Kill();
  }
  int sleeps = 0;

 private:
  Holder& holder_;
};

TEST(RunLock, WaitsForTheHolderIfToldTo) {
  const testing::TempDir dir;
  Holder holder(dir.path());
  ClockThatKills clock(holder);
  FileRunLock lock({.directory = dir.path(), .wait = std::chrono::minutes(1)}, clock);
  EXPECT_TRUE(lock.Acquire().ok());
  EXPECT_EQ(clock.sleeps, 3);
}

TEST(RunLock, GivesUpWaitingAtTheEndOrWhenStopped) {
  const testing::TempDir dir;
  const Holder holder(dir.path());
  testing::ManualClock clock;
  FileRunLock patient({.directory = dir.path(), .wait = std::chrono::minutes(1)}, clock);
  EXPECT_FALSE(patient.Acquire().ok());
  EXPECT_GE(clock.Elapsed(), std::chrono::minutes(1));
  const auto before = clock.Elapsed();
  const std::atomic<bool> stop = true;
  FileRunLock stopped({.directory = dir.path(), .wait = std::chrono::minutes(1), .stop = &stop},
                      clock);
  EXPECT_FALSE(stopped.Acquire().ok());
  EXPECT_EQ(clock.Elapsed(), before);
}

TEST(RunLock, ALockThatCannotBeOpenedIsARefusal) {
  testing::ManualClock clock;
  FileRunLock lock({.directory = "/proc/nowhere"}, clock);
  const auto guard = lock.Acquire();
  ASSERT_FALSE(guard.ok());
  EXPECT_EQ(guard.error().code, base::ErrorCode::kRefused);
  EXPECT_THAT(guard.error().message, HasSubstr("/proc/nowhere/lock"));
}

}  // namespace
}  // namespace ebb::host
