#include "host/idle_io.h"

#include <sys/syscall.h>
#include <unistd.h>

namespace ebb::host {

void UseIdleIo() {
  constexpr int kWhoProcess = 1;
  constexpr int kClassIdle = 3;
  constexpr int kClassShift = 13;
  (void)::syscall(SYS_ioprio_set, kWhoProcess, 0, kClassIdle << kClassShift);
}

}  // namespace ebb::host
