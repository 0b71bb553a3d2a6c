#include "history/open.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <thread>

#include "base/unique_fd.h"
#include "history/schema.h"

namespace ebb::history {
namespace {

// A -wal of up to 1 MiB stays while anybody has the file open: it is room to write into when the
// disk is full. Beyond 256 pages it is moved into the file.
constexpr const char* kSettings =
    "PRAGMA journal_mode = WAL; PRAGMA journal_size_limit = 1048576;"
    "PRAGMA wal_autocheckpoint = 256; PRAGMA synchronous = NORMAL;";

base::Error Unknown(const std::string& what, base::Error error) {
  error.message =
      what + ": " + error.message +
      "; when images were first seen and last used is known only since this program started";
  return error;
}

base::Error SystemError(int code) {
  return {base::ErrorCode::kInternal, std::strerror(code)};
}

base::Status MakeDirectory(const std::filesystem::path& directory) {
  std::error_code failure;
  const auto parent = directory.parent_path();
  if (!parent.empty()) (void)std::filesystem::create_directories(parent, failure);
  if (::mkdir(directory.c_str(), 0700) != 0 && errno != EEXIST) return SystemError(errno);
  return base::Done{};
}

// One process at a time opens a history for writing: two that find it damaged must not set aside
// each other's fresh file. The lock goes with the descriptor.
base::Result<base::UniqueFd> LockDirectory(const OpenOptions& options) {
  base::UniqueFd fd(::open(options.directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd.valid()) return SystemError(errno);
  constexpr auto kPause = std::chrono::milliseconds(5);
  for (auto waited = base::Duration::zero(); ::flock(fd.get(), LOCK_EX | LOCK_NB) != 0;
       waited += kPause) {
    if (errno != EWOULDBLOCK && errno != EINTR) return SystemError(errno);
    if (waited >= options.busy_timeout) {
      return base::Error{base::ErrorCode::kInternal, "it is locked by another process"};
    }
    std::this_thread::sleep_for(kPause);
  }
  return fd;
}

// "20261130T150405Z": sorts by time and needs no quoting.
std::string FileTime() {
  std::string text = base::FormatTime(std::chrono::system_clock::now());
  std::erase_if(text, [](char c) { return c == '-' || c == ':'; });
  return text;
}

// Moves the file and its companions to a name that is still free, and returns it.
base::Result<std::string> SetAside(const std::string& path) {
  const std::string wanted = path + ".corrupt-" + FileTime();
  std::string target = wanted;
  for (int n = 2; ::access(target.c_str(), F_OK) == 0; ++n) {
    target = wanted + "." + std::to_string(n);
  }
  // The -wal first: a crash in between must not leave it beside a fresh file, which would read it.
  constexpr std::array<const char*, 3> kParts = {"-wal", "-shm", ""};
  for (const char* const part : kParts) {
    const bool moved = ::rename((path + part).c_str(), (target + part).c_str()) == 0;
    if (!moved && errno != ENOENT) return SystemError(errno).In("set it aside");
  }
  return target;
}

// Sets `damaged` if the file is no sound database.
base::Result<Database> OpenOnce(const std::string& path, const OpenOptions& options,
                                bool& damaged) {
  auto database = Database::Open(path, options.access, options.busy_timeout);
  if (!database.ok()) return database;
  // Until it is known to be ours, not a byte of the file may change.
  database->CheckpointOnClose(false);
  const auto fail = [&](base::Error error) {
    damaged = database->damaged();
    return error;
  };
  if (const auto ours = CheckSchema(*database, options.access); !ours.ok()) {
    return fail(ours.error());
  }
  if (options.access == Database::Access::kReadOnly) return database;
  // With -wal and -shm in place the file can be read without the right, or the room, to write.
  database->KeepWal();
  if (const auto set = database->Execute(kSettings); !set.ok()) return fail(set.error());
  // A file with wrong pages would fail later, in the middle of something.
  const auto check =
      database->Number("SELECT count(*) FROM pragma_quick_check(1) WHERE quick_check <> 'ok'");
  if (!check.ok()) return fail(check.error());
  damaged = *check != 0;
  if (damaged) return base::Error{base::ErrorCode::kInternal, "it is damaged"};
  database->CheckpointOnClose(true);
  return database;
}

base::Result<Database> OpenForReading(const std::string& path, const OpenOptions& options) {
  if (::access(path.c_str(), F_OK) != 0 && errno == ENOENT) {
    return base::Error{base::ErrorCode::kNotFound, "nothing has been recorded yet"};
  }
  bool damaged = false;
  return OpenOnce(path, options, damaged);
}

base::Result<Database> OpenForWriting(const std::string& path, const OpenOptions& options,
                                      std::vector<std::string>& notes) {
  if (const auto made = MakeDirectory(options.directory); !made.ok()) return made.error();
  const auto lock = LockDirectory(options);
  if (!lock.ok()) return lock.error();
  bool damaged = false;
  auto database = OpenOnce(path, options, damaged);
  if (database.ok() || !damaged) return database;
  const std::string why = database.error().message;
  const auto aside = SetAside(path);
  if (!aside.ok()) return aside.error();
  notes.push_back("the history " + path + " was damaged (" + why + ") and is kept as " + *aside +
                  "; a new one was started: images count as first seen now");
  return OpenOnce(path, options, damaged);
}

}  // namespace

base::Result<Database> OpenFile(const OpenOptions& options, std::vector<std::string>& notes) {
  const std::string path = options.directory + "/history.db";
  if (options.access == Database::Access::kReadOnly) {
    auto database = OpenForReading(path, options);
    if (!database.ok()) return database.error().In("history " + path);
    return database;
  }
  auto database = OpenForWriting(path, options, notes);
  if (!database.ok()) return Unknown("history " + path, database.error());
  return database;
}

base::Result<Database> OpenMemory() {
  auto database = Database::Open(":memory:", Database::Access::kReadWrite, {});
  if (!database.ok()) return database;
  const auto made = CheckSchema(*database, Database::Access::kReadWrite);
  if (!made.ok()) return made.error();
  return database;
}

}  // namespace ebb::history
