#include "image/demand.h"

#include <algorithm>
#include <array>
#include <utility>

namespace ebb::image {
namespace {

constexpr std::array<std::pair<Trigger, std::string_view>, 8> kCodes = {{
    {Trigger::kUsed, "used"},
    {Trigger::kAvailable, "available"},
    {Trigger::kInodes, "inodes"},
    {Trigger::kHeadroom, "headroom"},
    {Trigger::kWindow, "window"},
    {Trigger::kImages, "images"},
    {Trigger::kAge, "age"},
    {Trigger::kSignal, "signal"},
}};
constexpr std::array<Trigger, 8> kTriggers = {
    Trigger::kUsed,   Trigger::kAvailable, Trigger::kInodes, Trigger::kHeadroom,
    Trigger::kWindow, Trigger::kImages,    Trigger::kAge,    Trigger::kSignal};

constexpr base::Duration kDay = std::chrono::hours(24);
constexpr base::Duration kRecent = 7 * kDay;

std::string Text(base::Percent percent) {
  return std::to_string(percent.value) + "%";
}

Demand About(const Filesystem& fs, Trigger trigger, Target target, std::string why) {
  target.mountpoint = fs.mountpoint;
  return {.trigger = trigger,
          .target = std::move(target),
          .why = std::move(why),
          .by_images = fs.holds_images,
          .by_containers = fs.holds_containers};
}

Demand OfThreshold(const Threshold& threshold, const Filesystem& fs, const Reading& reading) {
  const bool inodes = IsAboutInodes(threshold.signal);
  const std::int64_t wanted =
      threshold.value.Of(reading.capacity) + threshold.reclaim.Of(reading.capacity);
  Target target{.kind = inodes ? Target::Kind::kInodes : Target::Kind::kAvailable};
  (inodes ? target.count : target.bytes.count) = wanted;
  const std::string left =
      inodes ? std::to_string(reading.left) : base::FormatBytes({reading.left});
  return About(fs, inodes ? Trigger::kInodes : Trigger::kAvailable, std::move(target),
               std::string(Code(threshold.signal)) + " is " + left + ", the threshold is " +
                   FormatLimit(threshold.value));
}

std::vector<Demand> OfThresholds(std::span<const Filesystem> filesystems,
                                 std::span<const Threshold> due, bool hard) {
  std::vector<Demand> demands;
  const Readings readings = ReadSignals(filesystems);
  for (const Threshold& threshold : due) {
    const auto at = readings.find(threshold.signal);
    if (at == readings.end() || (threshold.grace == base::Duration{}) != hard) continue;
    demands.push_back(OfThreshold(threshold, filesystems[at->second.filesystem], at->second));
  }
  return demands;
}

std::vector<Demand> OfMark(const Filesystem& fs, const Policy& policy) {
  const Marks marks = ResolveMarks(policy.marks, fs.capacity);
  if (UsedPercent(fs) < marks.high) return {};
  Demand demand = About(fs, Trigger::kUsed, {.kind = Target::Kind::kMarks},
                        Text(UsedPercent(fs)) + " of " + fs.mountpoint +
                            " is used, the high mark is " + Text(marks.high));
  demand.critical = UsedPercent(fs) >= marks.critical;
  return {std::move(demand)};
}

std::vector<Demand> OfHeadroom(const Filesystem& fs, const Triggers& triggers,
                               base::Bytes largest) {
  const base::Bytes wanted = std::min(triggers.headroom.value_or(largest), fs.capacity);
  if (fs.available >= wanted) return {};
  return {About(fs, Trigger::kHeadroom, {.kind = Target::Kind::kAvailable, .bytes = wanted},
                base::FormatBytes(fs.available) + " of " + fs.mountpoint +
                    " are left, the headroom is " + base::FormatBytes(wanted))};
}

std::vector<Demand> OfWindow(const Filesystem& fs, const Triggers& triggers, base::TimePoint now) {
  if (!triggers.window || !Within(*triggers.window, now)) return {};
  if (UsedPercent(fs) <= triggers.window->low) return {};
  return {About(fs, Trigger::kWindow,
                {.kind = Target::Kind::kUsedPercent, .percent = triggers.window->low},
                Text(UsedPercent(fs)) + " of " + fs.mountpoint +
                    " is used, in the daily window the mark is " + Text(triggers.window->low))};
}

void Append(std::vector<Demand>& to, std::vector<Demand> more) {
  std::ranges::move(more, std::back_inserter(to));
}

}  // namespace

std::string_view Code(Trigger trigger) {
  return std::ranges::find(kCodes, trigger, [](const auto& pair) { return pair.first; })->second;
}

std::span<const Trigger> AllTriggers() {
  return kTriggers;
}

std::string NameOf(const Demand& demand) {
  const Target& target = demand.target;
  std::string name = std::string(Code(demand.trigger)) + " " + target.mountpoint;
  // Hard and soft thresholds of one signal are apart by what they want.
  if (target.bytes.count > 0) name += " " + std::to_string(target.bytes.count);
  if (target.count > 0) name += " " + std::to_string(target.count);
  return demand.critical ? name + " critical" : name;
}

bool Within(const DailyWindow& window, base::TimePoint now) {
  base::Duration time = now.time_since_epoch() % kDay;
  if (time < base::Duration{}) time += kDay;
  if (window.from <= window.to) return time >= window.from && time < window.to;
  return time >= window.from || time < window.to;
}

std::vector<Demand> DemandsOfDisk(std::span<const Filesystem> filesystems, const Policy& policy,
                                  std::span<const Threshold> due, base::Bytes largest_pull,
                                  base::TimePoint now) {
  std::vector<Demand> demands = OfThresholds(filesystems, due, true);
  std::vector<Demand> later = OfThresholds(filesystems, due, false);
  for (const Filesystem& fs : filesystems) {
    if (!fs.holds_images || !fs.measured()) continue;
    Append(demands, OfMark(fs, policy));
    Append(later, OfHeadroom(fs, policy.triggers, largest_pull));
    Append(later, OfWindow(fs, policy.triggers, now));
  }
  Append(demands, std::move(later));
  return demands;
}

std::vector<Demand> DemandsOfImages(const Observation& seen, const Policy& policy) {
  std::vector<Demand> demands;
  const std::size_t most = policy.triggers.max_images;
  if (most > 0 && seen.images.size() > most) {
    demands.push_back(
        {.trigger = Trigger::kImages,
         .target = {.kind = Target::Kind::kImages, .count = static_cast<std::int64_t>(most)},
         .why = std::to_string(seen.images.size()) + " images are on the node, maxImages is " +
                std::to_string(most)});
  }
  if (policy.max_idle_age > base::Duration{} || !policy.unused_for.empty()) {
    demands.push_back({.trigger = Trigger::kAge,
                       .target = {.kind = Target::Kind::kMarks},
                       .why = "images past the age at which they go"});
  }
  return demands;
}

base::Bytes LargestRecentPull(const Observation& seen) {
  const FreedSoFar alone(seen.store);
  base::Bytes largest;
  for (std::size_t i = 0; i < seen.images.size(); ++i) {
    const Usage& usage = seen.images[i].usage;
    const base::TimePoint came = std::max(usage.first_seen, usage.last_pulled);
    if (seen.taken_at - came > kRecent) continue;
    largest = std::max({largest, alone.Marginal(i), seen.images[i].size});
  }
  return largest;
}

}  // namespace ebb::image
