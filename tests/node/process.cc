#include "node/process.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>

#include "base/unique_fd.h"

namespace ebb::node {
namespace {

constexpr std::size_t kShownOutput = 600;
constexpr int kCannotExecute = 127;

std::string Tail(const std::string& text) {
  return text.size() <= kShownOutput ? text : "…" + text.substr(text.size() - kShownOutput);
}

// Where a child's three streams go; a negative one stays as it is.
struct Streams {
  int input = -1;
  int output = -1;
};

// The child's half of a fork: nothing but async-signal-safe calls, for the parent has threads.
[[noreturn]] void Execute(char* const* argv, const Streams& streams) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  if (streams.input >= 0) ::dup2(streams.input, STDIN_FILENO);
  if (streams.output >= 0) ::dup2(streams.output, STDOUT_FILENO);
  if (streams.output >= 0) ::dup2(streams.output, STDERR_FILENO);
  ::execvp(argv[0], argv);
  ::_exit(kCannotExecute);
}

base::Result<pid_t> Fork(const Words& command, const Streams& streams) {
  Words words = command;
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const pid_t child = ::fork();
  if (child == 0) Execute(argv.data(), streams);
  if (child < 0) {
    return base::Error{base::ErrorCode::kInternal,
                       "start " + command.front() + ": " + std::strerror(errno)};
  }
  return child;
}

int WaitFor(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return ExitCode(status);
}

}  // namespace

std::string ReadAll(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

base::Result<std::string> Run(const Words& command, int input) {
  const base::UniqueFd output(::memfd_create("output", MFD_CLOEXEC));
  const base::UniqueFd nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  const base::Result<pid_t> child =
      Fork(command, {.input = input >= 0 ? input : nothing.get(), .output = output.get()});
  if (!child.ok()) return child.error();
  const int code = WaitFor(*child);
  std::string text = ReadAll("/proc/self/fd/" + std::to_string(output.get()));
  if (code == 0) return text;
  std::string line;
  for (const std::string& word : command) line += word + " ";
  return base::Error{base::ErrorCode::kInternal,
                     line + "ended with code " + std::to_string(code) + ": " + Tail(text)};
}

int RunAttached(const Words& command) {
  const base::Result<pid_t> child = Fork(command, {});
  return child.ok() ? WaitFor(*child) : kCannotExecute;
}

base::Result<pid_t> Spawn(const Words& command, const std::string& log) {
  constexpr mode_t kMode = 0644;
  const base::UniqueFd output(
      ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, kMode));
  const base::UniqueFd nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (!output.valid()) {
    return base::Error{base::ErrorCode::kInternal, "open " + log + ": " + std::strerror(errno)};
  }
  return Fork(command, {.input = nothing.get(), .output = output.get()});
}

void EndChild(pid_t child, int signal) {
  ::kill(child, signal);
  (void)WaitFor(child);
}

int ExitCode(int status) {
  constexpr int kBySignal = 128;
  return WIFEXITED(status) ? WEXITSTATUS(status) : kBySignal + WTERMSIG(status);
}

bool Installed(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "/usr/sbin:/usr/bin:/sbin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');) {
    folder.append("/").append(program);
    if (::access(folder.c_str(), X_OK) == 0) return true;
  }
  return false;
}

}  // namespace ebb::node
