#include "node/cgroup.h"

#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

namespace ebb::node {
namespace {

namespace fs = std::filesystem;

// "/ebb-test-NAMESPACE-" of the pid namespace this process lives in.
std::string OwnPrefix() {
  std::error_code ignored;
  std::string inode;
  for (const char letter : fs::read_symlink("/proc/self/ns/pid", ignored).string()) {
    if (letter >= '0' && letter <= '9') inode += letter;
  }
  return "/ebb-test-" + inode + "-";
}

// Version 1 has one hierarchy per controller below the root, version 2 is the root itself.
std::vector<std::string> Hierarchies() {
  std::vector<std::string> result{"/sys/fs/cgroup"};
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(result.front(), ignored)) {
    if (entry.is_directory(ignored)) result.push_back(entry.path().string());
  }
  return result;
}

bool RemoveTree(const std::string& path) {
  std::error_code error;
  std::vector<std::string> folders{path};
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path, error)) {
    if (entry.is_directory(error)) folders.push_back(entry.path().string());
  }
  for (auto folder = folders.rbegin(); folder != folders.rend(); ++folder) {
    if (::rmdir(folder->c_str()) != 0 && errno != ENOENT) return false;
  }
  return true;
}

}  // namespace

std::string OwnCgroup() {
  return OwnPrefix() + std::to_string(::getpid());
}

bool CgroupExists(const std::string& name) {
  for (const std::string& hierarchy : Hierarchies()) {
    if (fs::exists(hierarchy + name)) return true;
  }
  return false;
}

void RemoveCgroup(const std::string& name) {
  constexpr int kTries = 100;
  constexpr std::chrono::milliseconds kPause(10);
  for (const std::string& hierarchy : Hierarchies()) {
    // The kernel says "busy" for a moment after the last process has gone.
    for (int i = 0; i < kTries && !RemoveTree(hierarchy + name); ++i) {
      std::this_thread::sleep_for(kPause);
    }
  }
}

void SweepCgroups() {
  const std::string prefix = OwnPrefix().substr(1);
  std::error_code ignored;
  for (const std::string& hierarchy : Hierarchies()) {
    for (const fs::directory_entry& entry : fs::directory_iterator(hierarchy, ignored)) {
      const std::string name = entry.path().filename().string();
      if (!name.starts_with(prefix)) continue;
      const long pid = std::strtol(name.c_str() + prefix.size(), nullptr, 10);
      const bool dead = ::kill(static_cast<pid_t>(pid), 0) != 0 && errno == ESRCH;
      if (pid > 0 && dead) (void)RemoveTree(entry.path().string());
    }
  }
}

}  // namespace ebb::node
