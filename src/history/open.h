// Opens the history file of a state directory, whatever state it is in.
#pragma once

#include <string>
#include <vector>

#include "history/sqlite.h"

namespace ebb::history {

struct OpenOptions {
  std::string directory;
  Database::Access access = Database::Access::kReadWrite;
  // How long to wait for other processes before giving up, here and in every later call.
  base::Duration busy_timeout = std::chrono::seconds(2);
  base::Duration retry = std::chrono::minutes(1);  // of a file that could not be opened
};

// The directory is created (mode 0700) if missing. A damaged file is set aside, never deleted, and
// a fresh one started; `notes` then says so. For reading only, nothing is created or set aside, and
// kNotFound says that nothing has been recorded yet. An error of a file that was to be written says
// what is lost without it.
base::Result<Database> OpenFile(const OpenOptions& options, std::vector<std::string>& notes);

// The same tables in memory, empty.
base::Result<Database> OpenMemory();

}  // namespace ebb::history
