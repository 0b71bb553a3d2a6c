#include "host/log.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "base/utf8.h"

namespace ebb::host {
namespace {

struct LevelNames {
  std::string_view name;
  std::string_view priority;  // syslog's, as sd-daemon(3) writes it
};

LevelNames NamesOf(engine::Log::Level level) {
  switch (level) {
    case engine::Log::Level::kDebug: return {"debug", "<7>"};
    case engine::Log::Level::kInfo: return {"info", "<6>"};
    case engine::Log::Level::kWarning: return {"warning", "<4>"};
    case engine::Log::Level::kError: return {"error", "<3>"};
  }
  return {"error", "<3>"};
}

// Two-byte control characters (U+0080..U+009F) steer some terminals as well.
bool IsControl(std::string_view sequence) {
  const auto first = static_cast<unsigned char>(sequence[0]);
  if (sequence.size() == 1) return first < 0x20 || first == 0x7f;
  return sequence.size() == 2 && first == 0xc2 && static_cast<unsigned char>(sequence[1]) < 0xa0;
}

void AppendHex(unsigned char byte, std::string& out) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  out += kDigits[byte >> 4];
  out += kDigits[byte & 15];
}

// Calls visible(sequence) for what may be printed, hidden(sequence) for control characters and
// broken(byte) for each byte that is not UTF-8.
template <class Visible, class Hidden, class Broken>
void Scan(std::string_view text, Visible visible, Hidden hidden, Broken broken) {
  while (!text.empty()) {
    const std::size_t length = base::Utf8Length(text);
    const auto sequence = text.substr(0, length == 0 ? 1 : length);
    text.remove_prefix(sequence.size());
    if (length == 0) {
      broken(static_cast<unsigned char>(sequence[0]));
    } else if (IsControl(sequence)) {
      hidden(sequence);
    } else {
      visible(sequence);
    }
  }
}

std::string ForText(std::string_view message) {
  std::string out;
  const auto escape = [&](unsigned char byte) {
    out += "\\x";
    AppendHex(byte, out);
  };
  Scan(
      message, [&](std::string_view sequence) { out += sequence; },
      [&](std::string_view sequence) {
        for (const char c : sequence) escape(static_cast<unsigned char>(c));
      },
      escape);
  return out;
}

std::string ForJson(std::string_view message) {
  std::string out;
  Scan(
      message,
      [&](std::string_view sequence) {
        if (sequence == "\"" || sequence == "\\") out += '\\';
        out += sequence;
      },
      [&](std::string_view sequence) {
        out += "\\u00";  // none is beyond U+009F
        AppendHex(static_cast<unsigned char>(sequence.back()), out);
      },
      [&](unsigned char) { out += "\\ufffd"; });
  return out;
}

}  // namespace

LogFormat SuitableFormat(int fd) {
  if (::isatty(fd) != 0) return LogFormat::kTerminal;
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing of ours changes the environment.
  const char* const journal = std::getenv("JOURNAL_STREAM");
  struct stat status{};
  if (journal == nullptr || ::fstat(fd, &status) != 0) return LogFormat::kText;
  // "device:inode" of the stream systemd gave the service; a child's redirected output differs.
  const std::string ours = std::to_string(status.st_dev) + ":" + std::to_string(status.st_ino);
  return ours == journal ? LogFormat::kJournal : LogFormat::kText;
}

std::string FormatLogLine(LogFormat format, engine::Log::Level level, base::TimePoint time,
                          std::string_view message) {
  const LevelNames names = NamesOf(level);
  const std::string name(names.name);
  switch (format) {
    case LogFormat::kJournal: return std::string(names.priority) + ForText(message) + "\n";
    case LogFormat::kTerminal: return name + ": " + ForText(message) + "\n";
    case LogFormat::kText:
      return base::FormatTime(time) + " " + name + ": " + ForText(message) + "\n";
    case LogFormat::kJson: break;
  }
  return R"({"time":")" + base::FormatTime(time) + R"(","level":")" + name + R"(","message":")" +
         ForJson(message) + "\"}\n";
}

void StreamLog::Write(Level level, std::string_view message) {
  if (level < lowest_) return;
  const std::string line = FormatLogLine(format_, level, clock_.Now(), message);
  std::string_view rest = line;
  while (!rest.empty()) {
    const auto written = ::write(fd_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace ebb::host
