#include "node/isolation.h"

#include <fcntl.h>
#include <net/if.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/unique_fd.h"
#include "node/cgroup.h"
#include "node/process.h"

namespace ebb::node {
namespace {

struct State {
  bool isolated = false;
  std::string cgroup;
};

State& Current() {
  static State state;
  return state;
}

base::Error Refused(const std::string& what) {
  return {base::ErrorCode::kUnsupported,
          what + ": " + std::strerror(errno) + "; a node needs root that may make namespaces"};
}

base::Status LoopbackUp() {
  const base::UniqueFd socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  ifreq request{};
  std::strcpy(request.ifr_name, "lo");  // NOLINT(clang-analyzer-security*): 3 bytes into 16
  request.ifr_flags = IFF_UP;
  if (::ioctl(socket.get(), SIOCSIFFLAGS, &request) != 0) return Refused("bring up loopback");
  return base::Done{};
}

// An empty /run hides the machine's own runtimes and takes the shims' sockets, which the runtime
// puts there whatever its configuration says.
base::Status PrepareNamespaces() {
  if (::unshare(CLONE_NEWNS | CLONE_NEWNET) != 0) return Refused("make namespaces");
  if (::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) {
    return Refused("make mounts private");
  }
  if (::mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr) != 0) {
    return Refused("mount /proc");
  }
  if (::mount("tmpfs", "/run", "tmpfs", MS_NOSUID | MS_NODEV, "mode=755") != 0) {
    return Refused("mount /run");
  }
  return LoopbackUp();
}

// Process 1 of the namespace: reaps orphans until the body ends; the kernel kills the rest.
[[noreturn]] void BeInit(const std::function<int()>& body, int report, const sigset_t& mask) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (const base::Status ready = PrepareNamespaces(); !ready.ok()) {
    const std::string& message = ready.error().message;
    const ssize_t written = ::write(report, message.data(), message.size());
    ::_exit(written > 0 ? 1 : 2);
  }
  const pid_t child = ::fork();
  ::close(report);
  if (child == 0) {
    ::sigprocmask(SIG_SETMASK, &mask, nullptr);
    Current().isolated = true;
    std::exit(body());
  }
  int status = 0;
  for (pid_t ended = 0; ended != child && (ended >= 0 || errno == EINTR);) {
    ended = ::wait(&status);
  }
  ::_exit(ExitCode(status));
}

// fork, but the child is process 1 of a new namespace. This process's later children stay here:
// without that the leak checker, which is one, could not start when the program ends.
pid_t ForkIntoNamespace() {
  const base::UniqueFd here(::open("/proc/self/ns/pid", O_RDONLY | O_CLOEXEC));
  if (::unshare(CLONE_NEWPID) != 0) return -1;
  const pid_t child = ::fork();
  const int failure = errno;
  if (child != 0) ::setns(here.get(), CLONE_NEWPID);
  errno = failure;
  return child;
}

std::string ReadToEnd(int fd) {
  std::string text;
  std::array<char, 512> chunk{};
  for (ssize_t got = 0; (got = ::read(fd, chunk.data(), chunk.size())) > 0;) {
    text.append(chunk.data(), static_cast<std::size_t>(got));
  }
  return text;
}

// Waits for process 1; the signals of `awaited` other than SIGCHLD kill it, and all with it.
int WaitOrKill(pid_t init, const sigset_t& awaited) {
  constexpr int kBySignal = 128;
  int status = 0;
  int ended_by = 0;
  while (::waitpid(init, &status, WNOHANG) != init) {
    int signal = 0;
    ::sigwait(&awaited, &signal);
    if (signal == SIGCHLD) continue;
    ended_by = signal;
    ::kill(init, SIGKILL);
  }
  return ended_by != 0 ? kBySignal + ended_by : ExitCode(status);
}

}  // namespace

base::Result<int> RunIsolated(const std::function<int()>& body) {
  std::fflush(nullptr);
  SweepCgroups();
  Current().cgroup = OwnCgroup();
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return Refused("make a pipe");
  const base::UniqueFd reader(ends[0]);
  base::UniqueFd writer(ends[1]);
  sigset_t awaited;
  sigset_t before;
  sigemptyset(&awaited);
  for (const int signal : {SIGCHLD, SIGINT, SIGTERM, SIGHUP}) sigaddset(&awaited, signal);
  ::sigprocmask(SIG_BLOCK, &awaited, &before);
  const pid_t init = ForkIntoNamespace();
  if (init == 0) BeInit(body, writer.get(), before);
  if (init < 0) {
    ::sigprocmask(SIG_SETMASK, &before, nullptr);
    return Refused("make a process namespace");
  }
  writer = base::UniqueFd();
  const std::string failure = ReadToEnd(reader.get());
  const int code = WaitOrKill(init, awaited);
  RemoveCgroup(Current().cgroup);
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
  if (!failure.empty()) return base::Error{base::ErrorCode::kUnsupported, failure};
  return code;
}

bool Isolated() {
  return Current().isolated;
}

const std::string& CgroupParent() {
  return Current().cgroup;
}

std::optional<std::string> WhyNoNode() {
  if (::geteuid() != 0) return "a node needs root";
  for (const char* program : {"containerd", "ctr", "runc", "busybox", "mount", "mkfs.ext4"}) {
    if (!Installed(program)) return std::string("a node needs the program ") + program;
  }
  if (!Isolated()) return "a node needs namespaces of its own, and the kernel refused them";
  return std::nullopt;
}

}  // namespace ebb::node
