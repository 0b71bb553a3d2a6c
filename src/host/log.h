// Log lines on a file descriptor.
#pragma once

#include <string>
#include <string_view>

#include "engine/ports.h"

namespace ebb::host {

enum class LogFormat {
  kTerminal,  // "warning: message"
  kText,      // "2026-11-30T15:04:05Z warning: message"
  kJournal,   // "<4>message": systemd's journal reads the priority and has the time itself
  kJson,      // {"time":"2026-11-30T15:04:05Z","level":"warning","message":"message"}
};

// What suits whoever reads `fd`: the journal if $JOURNAL_STREAM names this very stream, a terminal,
// else text.
LogFormat SuitableFormat(int fd);

// One line with its newline. A message stays on its line and cannot forge another or steer a
// terminal: control characters are escaped. JSON is valid whatever bytes the message has; what is
// not UTF-8 becomes U+FFFD.
std::string FormatLogLine(LogFormat format, engine::Log::Level level, base::TimePoint time,
                          std::string_view message);

// Each line is written at once, so that lines of several processes do not mix. A line that cannot
// be written is lost: there is nobody left to tell.
class StreamLog : public engine::Log {
 public:
  // Does not own `fd`. Messages below `lowest` are dropped.
  StreamLog(int fd, LogFormat format, Level lowest, engine::Clock& clock)
      : fd_(fd), format_(format), lowest_(lowest), clock_(clock) {}
  void Write(Level level, std::string_view message) override;

 private:
  int fd_;
  LogFormat format_;
  Level lowest_;
  engine::Clock& clock_;
};

}  // namespace ebb::host
