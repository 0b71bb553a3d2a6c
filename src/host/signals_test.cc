#include "host/signals.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace ebb::host {
namespace {

// The wait status of a process that catches stop signals and raises `first`, then `second`. It
// exits with 9 if the flag is not what it must be in between.
int StatusAfter(int first, int second) {
  const pid_t child = ::fork();
  if (child == 0) {
    const std::atomic<bool>& stop = CatchStopSignals();
    if (stop) ::_exit(9);
    (void)::raise(first);
    if (!stop) ::_exit(9);
    if (second != 0) (void)::raise(second);
    ::_exit(0);
  }
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return status;
}

TEST(Signals, TheFirstSignalOnlySetsTheFlag) {
  EXPECT_EQ(StatusAfter(SIGINT, 0), 0);
  EXPECT_EQ(StatusAfter(SIGTERM, 0), 0);
}

TEST(Signals, TheSecondSignalOfEitherKindEndsTheProcess) {
  for (const int first : {SIGINT, SIGTERM}) {
    for (const int second : {SIGINT, SIGTERM}) {
      const int status = StatusAfter(first, second);
      EXPECT_TRUE(WIFSIGNALED(status));
      EXPECT_EQ(WTERMSIG(status), second);
    }
  }
}

}  // namespace
}  // namespace ebb::host
