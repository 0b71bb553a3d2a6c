#include "host/own_image.h"

#include <algorithm>
#include <array>

#include "host/small_file.h"

namespace ebb::host {
namespace {

constexpr std::size_t kIdSize = 64;

bool IsWordCharacter(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool IsHex(std::string_view text) {
  return std::ranges::all_of(
      text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

// The last word of exactly 64 hex digits: containers nest, and the innermost is ours.
std::string LastId(std::string_view path) {
  std::string_view found;
  while (!path.empty()) {
    const auto* const end = std::ranges::find_if_not(path, IsWordCharacter);
    const auto size = static_cast<std::size_t>(end - path.begin());
    const std::string_view word = path.substr(0, size);
    if (size == kIdSize && IsHex(word)) found = word;
    path.remove_prefix(std::min(path.size(), size + 1));
  }
  return std::string(found);
}

std::string_view TakeLine(std::string_view& text) {
  const auto end = std::min(text.size(), text.find('\n'));
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(text.size(), end + 1));
  return line;
}

// The field of that number, counted from 0, of a line of /proc/self/mountinfo (proc(5)).
std::string_view Field(std::string_view line, int number) {
  for (; number > 0; --number) line.remove_prefix(std::min(line.size(), line.find(' ') + 1));
  return line.substr(0, line.find(' '));
}

// Files a runtime mounts into each container from a directory named after its ID or its sandbox's.
// Nothing else in the table is ours: on the host it lists the mounts of every container.
bool IsMountedByRuntime(std::string_view mountpoint) {
  constexpr std::array<std::string_view, 4> kPoints = {"/run/.containerenv", "/etc/hostname",
                                                       "/etc/resolv.conf", "/etc/hosts"};
  return std::ranges::find(kPoints, mountpoint) != kPoints.end();
}

}  // namespace

std::string ParseOwnContainerId(std::string_view cgroup, std::string_view mountinfo) {
  while (!cgroup.empty()) {
    if (auto id = LastId(TakeLine(cgroup)); !id.empty()) return id;
  }
  while (!mountinfo.empty()) {
    const std::string_view line = TakeLine(mountinfo);
    if (!IsMountedByRuntime(Field(line, 4))) continue;
    if (auto id = LastId(Field(line, 3)); !id.empty()) return id;
  }
  return {};
}

std::string OwnContainerId(const std::string& proc_root) {
  const auto cgroup = ReadSmallFile(proc_root + "/self/cgroup");
  const auto mountinfo = ReadSmallFile(proc_root + "/self/mountinfo");
  return ParseOwnContainerId(cgroup.ok() ? *cgroup : std::string(),
                             mountinfo.ok() ? *mountinfo : std::string());
}

}  // namespace ebb::host
