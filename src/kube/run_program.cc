#include "kube/run_program.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <optional>
#include <thread>

#include "base/text.h"
#include "base/unique_fd.h"

namespace ebb::kube {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

struct Pipe {
  base::UniqueFd read;
  base::UniqueFd write;
};

Pipe MakePipe() {
  std::array<int, 2> ends{-1, -1};
  (void)::pipe2(ends.data(), O_CLOEXEC);
  return {.read = base::UniqueFd(ends[0]), .write = base::UniqueFd(ends[1])};
}

std::vector<char*> Pointers(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

bool Names(std::string_view entry, std::string_view name) {
  return entry.size() > name.size() && entry.starts_with(name) && entry[name.size()] == '=';
}

// Each name once: programs differ in which of two entries they take.
std::vector<std::string> Environment(const Program& program) {
  std::vector<std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const bool replaced = std::ranges::any_of(
        program.environment, [&](const auto& pair) { return Names(*entry, pair.first); });
    if (!replaced) all.emplace_back(*entry);
  }
  for (const auto& [name, value] : program.environment) {
    all.push_back(std::string(name).append("=").append(value));
  }
  return all;
}

// A group of its own, so that its children can be ended with it; no descriptor of ours.
int Spawn(const Program& program, int out, int err, pid_t& pid) {
  posix_spawn_file_actions_t actions{};
  posix_spawnattr_t attributes{};
  (void)::posix_spawn_file_actions_init(&actions);
  (void)::posix_spawnattr_init(&attributes);
  (void)::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  (void)::posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  (void)::posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
  (void)::posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
  sigset_t none{};
  sigset_t all{};
  (void)::sigemptyset(&none);
  (void)::sigfillset(&all);
  (void)::posix_spawnattr_setsigmask(&attributes, &none);
  (void)::posix_spawnattr_setsigdefault(&attributes, &all);
  (void)::posix_spawnattr_setpgroup(&attributes, 0);
  (void)::posix_spawnattr_setflags(
      &attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  std::vector<std::string> words = program.command;
  std::vector<std::string> environment = Environment(program);
  const int error = ::posix_spawnp(&pid, words.front().c_str(), &actions, &attributes,
                                   Pointers(words).data(), Pointers(environment).data());
  (void)::posix_spawn_file_actions_destroy(&actions);
  (void)::posix_spawnattr_destroy(&attributes);
  return error;
}

// Reads both outputs until they end, one is too much, or the time is over.
class Listener {
 public:
  Listener(int out, int err, std::size_t most) : most_(most) {
    waits_[0] = {.fd = out, .events = POLLIN};
    waits_[1] = {.fd = err, .events = POLLIN};
  }

  void Listen(steady_clock::time_point deadline) {
    while (waits_[0].fd >= 0 || waits_[1].fd >= 0) {
      const auto left = std::chrono::ceil<milliseconds>(deadline - steady_clock::now());
      if (left.count() <= 0 || too_much()) return;
      (void)::poll(waits_.data(), waits_.size(), static_cast<int>(left.count()));
      for (std::size_t i = 0; i < waits_.size(); ++i) Take(i);
    }
  }

  bool too_much() const { return texts_[0].size() > most_; }
  std::string& out() { return texts_[0]; }
  std::string FirstErrorLine() const {
    constexpr std::size_t kEnough = 200;
    return base::OneLine(texts_[1].substr(0, std::min(texts_[1].find('\n'), kEnough)));
  }

 private:
  void Take(std::size_t i) {
    pollfd& wait = waits_.at(i);
    if (wait.fd < 0 || wait.revents == 0) return;
    std::array<char, 4096> bytes{};
    const auto got = ::read(wait.fd, bytes.data(), bytes.size());
    if (got < 0 && errno == EINTR) return;
    if (got <= 0) {
      wait.fd = -1;  // poll passes it over
    } else if (texts_.at(i).size() <= most_) {
      texts_.at(i).append(bytes.data(), static_cast<std::size_t>(got));
    }
  }

  std::size_t most_;
  std::array<pollfd, 2> waits_{};
  std::array<std::string, 2> texts_;
};

// The wait status of the child, or nullopt if it had to be killed.
std::optional<int> End(pid_t pid, steady_clock::time_point deadline) {
  int status = 0;
  pid_t ended = 0;
  while ((ended = ::waitpid(pid, &status, WNOHANG)) == 0 && steady_clock::now() < deadline) {
    std::this_thread::sleep_for(milliseconds(5));
  }
  (void)::kill(-pid, SIGKILL);  // the group: it may have left children
  if (ended == pid) return status;
  (void)::waitpid(pid, &status, 0);
  return std::nullopt;
}

base::Error Failed(const Program& program, const std::string& why) {
  return {base::ErrorCode::kInternal,
          "the program " + base::OneLine(program.command.front()) + " " + why};
}

}  // namespace

base::Result<std::string> RunProgram(const Program& program) {
  const auto deadline = steady_clock::now() + program.timeout;
  Pipe out = MakePipe();
  Pipe err = MakePipe();
  if (!out.write.valid() || !err.write.valid()) return Failed(program, "got no pipe");
  pid_t pid = -1;
  const int error = Spawn(program, out.write.get(), err.write.get(), pid);
  if (error != 0) return Failed(program, std::string("cannot be started: ") + std::strerror(error));
  out.write = base::UniqueFd();
  err.write = base::UniqueFd();
  Listener listener(out.read.get(), err.read.get(), program.max_output);
  listener.Listen(deadline);
  const auto status = End(pid, listener.too_much() ? steady_clock::now() : deadline);
  if (listener.too_much()) return Failed(program, "printed too much");
  if (!status) return Failed(program, "did not end in time");
  if (WIFEXITED(*status) && WEXITSTATUS(*status) == 0) return std::move(listener.out());
  const std::string said = listener.FirstErrorLine();
  return Failed(program, "failed" + (said.empty() ? "" : ": " + said));
}

}  // namespace ebb::kube
