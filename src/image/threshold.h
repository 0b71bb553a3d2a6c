// Thresholds on what a filesystem still has, in the syntax and with the meaning of the kubelet's
// eviction thresholds (v1.36). Where the kubelet evicts pods, we reclaim.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "image/filesystem.h"

namespace ebb::image {

enum class Signal {
  kImagefsAvailable,
  kImagefsInodesFree,
  kContainerfsAvailable,
  kContainerfsInodesFree,
  kNodefsAvailable,
  kNodefsInodesFree,
};

// "imagefs.available", ...
std::string_view Code(Signal signal);
std::optional<Signal> ParseSignal(std::string_view code);
std::span<const Signal> AllSignals();
bool IsAboutInodes(Signal signal);

// Bytes or inodes: a number of them, or per cent of the capacity.
struct Limit {
  std::optional<double> percent;  // 0 to 100
  std::int64_t count = 0;

  // As the kubelet rounds: down.
  std::int64_t Of(std::int64_t capacity) const;
  bool operator==(const Limit&) const = default;
};

// "10%", "10.5%", "1Gi". kUsage for negative numbers, more than 100%, and anything else.
base::Result<Limit> ParseLimit(std::string_view text);
std::string FormatLimit(const Limit& limit);

struct Threshold {
  Signal signal = Signal::kImagefsAvailable;
  Limit value;             // met while less than this is left
  Limit reclaim;           // once met, until so much more than `value` is left
  base::Duration grace{};  // how long it must have been met; zero: a hard threshold
  bool operator==(const Threshold&) const = default;
};

// What is left of one thing at one instant.
struct Reading {
  std::int64_t left = 0;
  std::int64_t capacity = 0;
  std::size_t filesystem = 0;  // index of the one it was read from
};
using Readings = std::map<Signal, Reading>;

// Signals of filesystems that could not be measured, or do not count inodes, have no reading.
Readings ReadSignals(std::span<const Filesystem> filesystems);

// Met, with reclaim counted in if it was due before (hysteresis): during the grace of a soft
// threshold it is not, as in the kubelet.
bool Met(const Threshold& threshold, const Reading& reading, bool before);

// Follows thresholds through time. `now` never runs backwards.
class ThresholdWatch {
 public:
  explicit ThresholdWatch(std::vector<Threshold> thresholds)
      : thresholds_(std::move(thresholds)), since_(thresholds_.size()), due_(thresholds_.size()) {}

  // A threshold without a reading stays as it was: what cannot be measured has not got better.
  void Read(const Readings& readings, base::Duration now);
  // Those that are met and whose grace has passed.
  std::vector<Threshold> Due(base::Duration now) const;
  std::span<const Threshold> all() const { return thresholds_; }
  // Per threshold: since when it has been met.
  std::span<const std::optional<base::Duration>> since() const { return since_; }

 private:
  bool IsDue(std::size_t i, base::Duration now) const;

  std::vector<Threshold> thresholds_;
  std::vector<std::optional<base::Duration>> since_;
  std::vector<bool> due_;  // when last read
};

}  // namespace ebb::image
