#include "host/pause_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "base/unique_fd.h"
#include "host/small_file.h"

namespace ebb::host {
namespace {

constexpr std::string_view kForGood = "until resumed";

base::Error Failed(const std::string& path, std::string_view what) {
  return {base::ErrorCode::kInternal,
          path + " " + std::string(what) + ": " + std::generic_category().message(errno)};
}

}  // namespace

base::Status PauseFile::Pause(std::optional<base::TimePoint> until) const {
  const std::string directory = std::filesystem::path(path_).parent_path();
  if (::mkdir(directory.c_str(), 0700) != 0 && errno != EEXIST) {
    return Failed(directory, "cannot be made");
  }
  const std::string text = (until ? base::FormatTime(*until) : std::string(kForGood)) + "\n";
  const std::string fresh = path_ + ".new";
  const base::UniqueFd file(
      ::open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0644));
  if (!file.valid()) return Failed(fresh, "cannot be written");
  const auto written = ::write(file.get(), text.data(), text.size());
  if (written != static_cast<ssize_t>(text.size()) || ::fsync(file.get()) != 0) {
    return Failed(fresh, "cannot be written");
  }
  if (::rename(fresh.c_str(), path_.c_str()) != 0) return Failed(path_, "cannot be written");
  return base::Done{};
}

base::Status PauseFile::Resume() const {
  if (::unlink(path_.c_str()) == 0 || errno == ENOENT) return base::Done{};
  return Failed(path_, "cannot be removed");
}

PauseFile::State PauseFile::Read(base::TimePoint now) const {
  const auto text = ReadSmallFile(path_);
  if (!text.ok()) return {.paused = text.error().code != base::ErrorCode::kNotFound, .until = {}};
  const auto until = base::ParseTime(text->substr(0, text->find('\n')));
  if (!until.ok()) return {.paused = true, .until = {}};
  return {.paused = now < *until, .until = *until};
}

}  // namespace ebb::host
