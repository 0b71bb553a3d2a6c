#include "image/threshold.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/bytes.h"

namespace ebb::image {
namespace {

struct SignalName {
  Signal signal;
  std::string_view code;
};

constexpr std::array<SignalName, 6> kNames = {{
    {Signal::kImagefsAvailable, "imagefs.available"},
    {Signal::kImagefsInodesFree, "imagefs.inodesFree"},
    {Signal::kContainerfsAvailable, "containerfs.available"},
    {Signal::kContainerfsInodesFree, "containerfs.inodesFree"},
    {Signal::kNodefsAvailable, "nodefs.available"},
    {Signal::kNodefsInodesFree, "nodefs.inodesFree"},
}};

constexpr std::array<Signal, 6> kSignals = {
    Signal::kImagefsAvailable,      Signal::kImagefsInodesFree, Signal::kContainerfsAvailable,
    Signal::kContainerfsInodesFree, Signal::kNodefsAvailable,   Signal::kNodefsInodesFree};

// Of several filesystems of one kind the one with the smallest share left.
void Note(Readings& readings, Signal signal, Reading reading) {
  if (reading.capacity <= 0) return;
  const auto [at, fresh] = readings.try_emplace(signal, reading);
  const auto share = [](const Reading& r) {
    return static_cast<double>(r.left) / static_cast<double>(r.capacity);
  };
  if (!fresh && share(reading) < share(at->second)) at->second = reading;
}

base::Error BadLimit(std::string_view text) {
  return {base::ErrorCode::kUsage, "'" + std::string(text) +
                                       "' is not allowed: a share such as 10% or a quantity such "
                                       "as 1Gi"};
}

}  // namespace

std::string_view Code(Signal signal) {
  return std::ranges::find(kNames, signal, &SignalName::signal)->code;
}

std::optional<Signal> ParseSignal(std::string_view code) {
  const auto* const at = std::ranges::find(kNames, code, &SignalName::code);
  return at == kNames.end() ? std::nullopt : std::optional(at->signal);
}

std::span<const Signal> AllSignals() {
  return kSignals;
}

bool IsAboutInodes(Signal signal) {
  return Code(signal).ends_with("inodesFree");
}

std::int64_t Limit::Of(std::int64_t capacity) const {
  if (!percent) return count;
  return static_cast<std::int64_t>(static_cast<double>(capacity) * (*percent / 100));
}

base::Result<Limit> ParseLimit(std::string_view text) {
  if (text.ends_with('%')) {
    const std::string_view digits = text.substr(0, text.size() - 1);
    double percent = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), percent,
                                              std::chars_format::fixed);
    const bool whole = error == std::errc{} && end == digits.data() + digits.size();
    const bool in_range = percent >= 0 && percent <= 100;  // "nan" is a number, but not in range
    if (!whole || !in_range) return BadLimit(text);
    return Limit{.percent = percent};
  }
  const auto bytes = base::ParseBytes(text);
  if (!bytes.ok()) return BadLimit(text);
  return Limit{.count = bytes->count};
}

std::string FormatLimit(const Limit& limit) {
  if (!limit.percent) return std::to_string(limit.count);
  std::array<char, 32> digits{};
  const auto [end, error] =
      std::to_chars(digits.data(), digits.data() + digits.size(), *limit.percent);
  return std::string(digits.data(), end) + "%";
}

Readings ReadSignals(std::span<const Filesystem> filesystems) {
  Readings readings;
  for (std::size_t i = 0; i < filesystems.size(); ++i) {
    const Filesystem& fs = filesystems[i];
    if (!fs.measured()) continue;
    const Reading bytes{fs.available.count, fs.capacity.count, i};
    const Reading inodes{fs.inodes_free, fs.inodes, i};
    if (fs.holds_images) {
      Note(readings, Signal::kImagefsAvailable, bytes);
      Note(readings, Signal::kImagefsInodesFree, inodes);
    }
    if (fs.holds_containers) {
      Note(readings, Signal::kContainerfsAvailable, bytes);
      Note(readings, Signal::kContainerfsInodesFree, inodes);
    }
    if (fs.holds_node) {
      Note(readings, Signal::kNodefsAvailable, bytes);
      Note(readings, Signal::kNodefsInodesFree, inodes);
    }
  }
  return readings;
}

bool Met(const Threshold& threshold, const Reading& reading, bool before) {
  std::int64_t limit = threshold.value.Of(reading.capacity);
  if (before) limit += threshold.reclaim.Of(reading.capacity);
  return reading.left < limit;
}

void ThresholdWatch::Read(const Readings& readings, base::Duration now) {
  for (std::size_t i = 0; i < thresholds_.size(); ++i) {
    const auto reading = readings.find(thresholds_[i].signal);
    if (reading == readings.end()) continue;
    if (!Met(thresholds_[i], reading->second, due_[i])) {
      since_[i].reset();
    } else if (!since_[i]) {
      since_[i] = now;
    }
    due_[i] = IsDue(i, now);
  }
}

bool ThresholdWatch::IsDue(std::size_t i, base::Duration now) const {
  return since_[i] && now - *since_[i] >= thresholds_[i].grace;
}

std::vector<Threshold> ThresholdWatch::Due(base::Duration now) const {
  std::vector<Threshold> due;
  for (std::size_t i = 0; i < thresholds_.size(); ++i) {
    if (IsDue(i, now)) due.push_back(thresholds_[i]);
  }
  return due;
}

}  // namespace ebb::image
