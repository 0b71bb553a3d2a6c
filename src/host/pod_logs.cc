#include "host/pod_logs.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <optional>

namespace ebb::host {
namespace {

using base::ErrorCode;
using image::LogEntry;

base::Result<base::UniqueFd> OpenRoot(const std::string& path) {
  base::UniqueFd root(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!root.valid()) return PathError(path, errno);
  return root;
}

// Of the thing itself, never of what a link points to.
std::optional<struct stat> StatOf(int directory, const std::string& name) {
  struct stat status{};
  if (::fstatat(directory, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) return std::nullopt;
  return status;
}

base::TimePoint ChangedAt(const struct stat& status) {
  return base::TimePoint(std::chrono::seconds(status.st_mtim.tv_sec) +
                         std::chrono::nanoseconds(status.st_mtim.tv_nsec));
}

// The rest of `path` below `root`; empty if it lies elsewhere.
std::string_view Below(std::string_view path, const std::string& root) {
  if (!path.starts_with(root + "/")) return {};
  return path.substr(root.size() + 1);
}

}  // namespace

base::Result<std::vector<LogEntry>> PodLogs::List() {
  std::vector<LogEntry> entries;
  const auto pods = OpenRoot(options_.pods);
  if (!pods.ok()) {
    if (pods.error().code == ErrorCode::kNotFound) return entries;
    return pods.error();
  }
  const auto names = NamesIn(pods->get());
  if (!names.ok()) return names.error().In(options_.pods);
  entries.reserve(names->size());
  for (const std::string& name : *names) {
    const auto status = StatOf(pods->get(), name);
    if (!status || !S_ISDIR(status->st_mode)) continue;
    entries.push_back({LogEntry::Kind::kPodDirectory, name, ChangedAt(*status)});
  }
  // Without this directory there is just nothing to tidy up in it.
  const auto links = OpenRoot(options_.containers);
  if (!links.ok()) return entries;
  const auto linked = NamesIn(links->get());
  if (!linked.ok()) return linked.error().In(options_.containers);
  for (const std::string& name : *linked) {
    if (!IsDangling(links->get(), name, pods->get())) continue;
    const auto status = StatOf(links->get(), name);
    if (status) entries.push_back({LogEntry::Kind::kDanglingLink, name, ChangedAt(*status)});
  }
  return entries;
}

// Only links to logs of pods are judged: where another target is, or whether we can see it at all,
// we do not know.
bool PodLogs::IsDangling(int links, const std::string& name, int pods) const {
  std::array<char, 4096> target{};
  const ssize_t size = ::readlinkat(links, name.c_str(), target.data(), target.size());
  if (size <= 0 || static_cast<std::size_t>(size) == target.size()) return false;
  const std::string_view path(target.data(), static_cast<std::size_t>(size));
  const std::string_view below = Below(path, options_.pods);
  return name.ends_with(".log") && !below.empty() && IsMissing(pods, below);
}

bool PodLogs::IsMissing(int pods, std::string_view path) const {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return false;
  const auto directory = beneath_.OpenPath(pods, path.substr(0, slash));
  if (!directory.ok()) return directory.error().code == ErrorCode::kNotFound;
  return !StatOf(directory->get(), std::string(path.substr(slash + 1))) && errno == ENOENT;
}

base::Status PodLogs::Remove(const LogEntry& entry) {
  return entry.kind == LogEntry::Kind::kPodDirectory ? RemoveDirectory(entry) : RemoveLink(entry);
}

base::Status PodLogs::RemoveDirectory(const LogEntry& entry) const {
  const auto root = OpenRoot(options_.pods);
  if (!root.ok()) return root.error();
  const auto status = StatOf(root->get(), entry.name);
  if (!status) return PathError(entry.name, errno).In(options_.pods);
  if (ChangedAt(*status) != entry.changed) {
    return base::Error{ErrorCode::kConflict, entry.name + ": it changed meanwhile"};
  }
  auto removed = beneath_.RemoveTree(root->get(), entry.name);
  if (!removed.ok()) return removed.error().In(options_.pods);
  return removed;
}

base::Status PodLogs::RemoveLink(const LogEntry& entry) const {
  const auto links = OpenRoot(options_.containers);
  if (!links.ok()) return links.error();
  const auto pods = OpenRoot(options_.pods);
  if (!pods.ok()) return pods.error();
  if (!StatOf(links->get(), entry.name)) return PathError(entry.name, errno);
  if (!IsDangling(links->get(), entry.name, pods->get())) {
    return base::Error{ErrorCode::kConflict, entry.name + ": it has a log by now"};
  }
  if (::unlinkat(links->get(), entry.name.c_str(), 0) == 0) return base::Done{};
  return PathError(entry.name, errno).In(options_.containers);
}

base::Status PodLogs::RemoveFiles(const std::string& log_path) {
  const std::string_view below = Below(log_path, options_.pods);
  const std::size_t slash = below.rfind('/');
  if (slash == std::string_view::npos || slash + 1 == below.size()) {
    return base::Error{ErrorCode::kRefused, log_path + ": it is not below " + options_.pods};
  }
  const auto root = OpenRoot(options_.pods);
  if (!root.ok()) return root.error();
  const auto directory = beneath_.OpenPath(root->get(), below.substr(0, slash));
  if (!directory.ok()) return directory.error().In(log_path);
  const auto names = NamesIn(directory->get());
  if (!names.ok()) return names.error().In(log_path);
  const std::string file(below.substr(slash + 1));
  base::Status result = base::Error{ErrorCode::kNotFound, log_path + ": no such file"};
  for (const std::string& name : *names) {
    if (name != file && !name.starts_with(file + ".")) continue;
    if (::unlinkat(directory->get(), name.c_str(), 0) != 0 && errno != ENOENT) {
      return PathError(name, errno).In(log_path);
    }
    result = base::Done{};
  }
  return result;
}

}  // namespace ebb::host
