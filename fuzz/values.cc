// Sizes, durations and times as people and other programs write them.
#include <algorithm>

#include "base/bytes.h"
#include "base/time.h"
#include "input.h"

namespace ebb::fuzz {
namespace {

void CheckBytes(std::string_view text) {
  const auto bytes = base::ParseBytes(text);
  if (!bytes.ok()) return;
  Require(bytes->count >= 0, "a size is not negative", text);
  Require(base::ParseBytes(base::FormatBytes(*bytes)).ok(), "a printed size can be read", text);
}

void CheckDuration(std::string_view text) {
  const auto duration = base::ParseDuration(text);
  if (!duration.ok()) return;
  Require(duration->count() >= 0, "a duration is not negative", text);
  (void)base::FormatAge(*duration);
  const auto again = base::ParseDuration(base::FormatDuration(*duration));
  Require(again.ok(), "a printed duration can be read", text);
  // Nine digits of the seconds are printed, and reading goes through a double.
  const auto slack = std::max(base::Duration(1000), *duration / 1'000'000'000);
  const auto apart = *again > *duration ? *again - *duration : *duration - *again;
  Require(apart <= slack, "printing keeps a duration", text);
}

void CheckTime(std::string_view text) {
  const auto time = base::ParseTime(text);
  if (!time.ok() || *time == base::kNever) return;
  const auto again = base::ParseTime(base::FormatTime(*time));
  Require(again.ok(), "a printed time can be read", text);
  Require(*again == std::chrono::floor<std::chrono::seconds>(*time), "printing keeps a time", text);
  const bool whole =
      text.size() == 20 && text[10] == 'T' && text.ends_with('Z') && text.find(":60") == text.npos;
  Require(!whole || base::FormatTime(*time) == text, "a time in our own form is kept", text);
}

}  // namespace
}  // namespace ebb::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = ebb::fuzz::Text(data, size);
  ebb::fuzz::CheckBytes(text);
  ebb::fuzz::CheckDuration(text);
  ebb::fuzz::CheckTime(text);
  return 0;
}
