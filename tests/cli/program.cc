#include "cli/program.h"

#include <fcntl.h>
#include <grp.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <utility>

namespace ebb::cli {
namespace {

// What was written to a file in memory.
std::string Written(int file) {
  std::string text;
  std::array<char, 4096> part{};
  off_t at = 0;
  for (;;) {
    const ssize_t got = ::pread(file, part.data(), part.size(), at);
    if (got <= 0) return text;
    text.append(part.data(), static_cast<std::size_t>(got));
    at += got;
  }
}

std::vector<char*> Pointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

// False: still as before. Root stays root.
bool Become(uid_t user) {
  if (user == 0) return true;
  return ::setgroups(0, nullptr) == 0 && ::setgid(user) == 0 && ::setuid(user) == 0;
}

}  // namespace

RunningEbb::RunningEbb(const std::vector<std::string>& arguments, const Environment& environment,
                       uid_t user)
    : out_(::memfd_create("out", 0)), err_(::memfd_create("err", 0)) {
  std::vector<std::string> words = {EBB_PROGRAM};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<std::string> variables = {"PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8"};
  for (const auto& [name, value] : environment) variables.push_back(name + "=" + value);
  auto argv = Pointers(words);
  auto envp = Pointers(variables);
  pid_ = ::fork();
  if (pid_ != 0) return;
  (void)::dup2(::open("/dev/null", O_RDONLY), STDIN_FILENO);
  (void)::dup2(out_, STDOUT_FILENO);
  (void)::dup2(err_, STDERR_FILENO);
  // Opened before: the folder of the program may be closed to others.
  const int program = ::open(EBB_PROGRAM, O_RDONLY);
  if (Become(user)) ::fexecve(program, argv.data(), envp.data());
  ::_exit(127);
}

RunningEbb::~RunningEbb() {
  Signal(SIGKILL);
  (void)Wait();
  (void)::close(out_);
  (void)::close(err_);
}

void RunningEbb::Signal(int number) const {
  if (pid_ > 0) (void)::kill(pid_, number);
}

Ran RunningEbb::Wait() {
  if (pid_ <= 0) return {};
  int status = 0;
  (void)::waitpid(std::exchange(pid_, -1), &status, 0);
  return {.code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status),
          .out = Written(out_),
          .err = Written(err_)};
}

Ran Ebb(const std::vector<std::string>& arguments, const Environment& environment) {
  return RunningEbb(arguments, environment).Wait();
}

Ran EbbAs(uid_t user, const std::vector<std::string>& arguments) {
  return RunningEbb(arguments, {}, user).Wait();
}

}  // namespace ebb::cli
