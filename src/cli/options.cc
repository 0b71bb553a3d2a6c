#include "cli/options.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>

namespace ebb::cli {
namespace {

base::Error Bad(const char* flag, const std::string& text, const char* allowed) {
  return {base::ErrorCode::kUsage,
          std::string(flag) + ": '" + text + "' is not allowed: " + allowed};
}

base::Result<int> ReadInt(std::string_view text, const char* flag, int most, const char* allowed) {
  int value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size() || value < 0 || value > most) {
    return Bad(flag, std::string(text), allowed);
  }
  return value;
}

base::Result<image::Target> TargetTo(const std::string& text) {
  const auto percent = ReadPercent(text, "--to");
  if (!percent.ok()) return percent.error();
  return image::Target{.kind = image::Target::Kind::kUsedPercent, .percent = *percent};
}

base::Result<image::Target> TargetFree(const std::string& text) {
  const auto bytes = base::ParseBytes(text);
  if (!bytes.ok()) return bytes.error().In("--free");
  return image::Target{.kind = image::Target::Kind::kFreeBytes, .bytes = *bytes};
}

base::Result<image::Target> TargetUnusedFor(const std::string& text) {
  const auto age = base::ParseDuration(text);
  if (!age.ok()) return age.error().In("--unused-for");
  return image::Target{.kind = image::Target::Kind::kUnusedFor, .age = *age};
}

base::Status ApplyMark(const std::string& text, const char* flag,
                       std::optional<base::Percent>& mark) {
  if (text.empty()) return base::Done{};
  const auto percent = ReadPercent(text, flag);
  if (!percent.ok()) return percent.error();
  mark = *percent;
  return base::Done{};
}

base::Status ApplyMarks(const NodeOptions& options, image::MarkSettings& marks) {
  if (auto high = ApplyMark(options.high, "--high", marks.high); !high.ok()) return high;
  // A high mark of its own brings its own low mark along, unless that is given too.
  if (!options.high.empty()) marks.low.reset();
  if (auto low = ApplyMark(options.low, "--low", marks.low); !low.ok()) return low;
  if (marks.high && marks.high->value == 0) return Bad("--high", "0", "1 to 100");
  // Where high is auto it is at most 82.
  if (marks.low && *marks.low >= marks.high.value_or(base::Percent{82})) {
    return Bad("--low", std::to_string(marks.low->value), "it must be below the high mark");
  }
  return base::Done{};
}

base::Status ApplyRadius(const NodeOptions& options, image::BlastRadius& radius) {
  if (!options.max_images.empty()) {
    const auto most = ReadInt(options.max_images, "--max-images", 1'000'000, "a whole number");
    if (!most.ok()) return most.error();
    radius.max_images = static_cast<std::size_t>(*most);
  }
  if (!options.max_percent.empty()) {
    const auto percent = ReadPercent(options.max_percent, "--max-percent");
    if (!percent.ok()) return percent.error();
    radius.max_percent = *percent;
  }
  if (!options.max_bytes.empty()) {
    const auto bytes = base::ParseBytes(options.max_bytes);
    if (!bytes.ok()) return bytes.error().In("--max-bytes");
    radius.max_bytes = *bytes;
  }
  return base::Done{};
}

std::size_t TerminalWidth() {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return 0;
  return size.ws_col;
}

}  // namespace

base::Result<base::Percent> ReadPercent(const std::string& text, const char* flag) {
  std::string_view number = text;
  if (number.ends_with('%')) number.remove_suffix(1);
  const auto value = ReadInt(number, flag, 100, "a whole number of per cent, 0 to 100");
  if (!value.ok()) return Bad(flag, text, "a whole number of per cent, 0 to 100");
  return base::Percent{*value};
}

base::Result<int> ReadNumber(const std::string& text, const char* flag, int most) {
  return ReadInt(text, flag, most, "a whole number");
}

base::Result<image::Target> ReadTarget(const TargetOptions& options) {
  if (!options.to.empty()) return TargetTo(options.to);
  if (!options.free.empty()) return TargetFree(options.free);
  if (!options.unused_for.empty()) return TargetUnusedFor(options.unused_for);
  if (options.all_unused) return image::Target{.kind = image::Target::Kind::kAllUnused};
  return image::Target{};
}

report::Style ReadStyle(const OutputOptions& options) {
  const bool terminal = ::isatty(STDOUT_FILENO) == 1;
  const char* const no_color = std::getenv("NO_COLOR");
  const bool wanted = terminal && (no_color == nullptr || *no_color == '\0');
  return {.format = report::ParseFormat(options.format),
          .color = options.color == "always" || (options.color == "auto" && wanted),
          .no_trunc = options.no_trunc,
          .no_headers = options.no_headers,
          .width = terminal ? TerminalWidth() : 0};
}

base::Status ApplyFlags(const NodeOptions& options, image::Policy& policy) {
  for (const std::string& text : options.protect) {
    auto pattern = image::Pattern::Parse(text);
    if (!pattern.ok()) return pattern.error().In("--protect");
    policy.protect.push_back(std::move(*pattern));
  }
  if (!options.min_age.empty()) {
    const auto age = base::ParseDuration(options.min_age);
    if (!age.ok()) return age.error().In("--min-age");
    policy.min_seen_age = *age;
    policy.min_idle_age = *age;
  }
  if (const auto removal = image::ParseRemovalPolicy(options.policy)) policy.removal = *removal;
  if (auto marks = ApplyMarks(options, policy.marks); !marks.ok()) return marks;
  return ApplyRadius(options, policy.radius);
}

}  // namespace ebb::cli
