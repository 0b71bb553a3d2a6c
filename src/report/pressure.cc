#include "report/pressure.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>
#include <vector>

#include "report/json.h"
#include "report/table.h"
#include "report/text.h"

namespace ebb::report {
namespace {

using image::Observation;
using image::Policy;
using image::Threshold;

// Something that happens when less than `limit` is left.
struct Step {
  image::Signal signal = image::Signal::kImagefsAvailable;
  std::string threshold;  // as it was configured
  std::string who;
  std::string what;
  std::int64_t limit = 0;
  image::Reading reading;

  std::int64_t margin() const { return reading.left - limit; }
  double share() const {
    return static_cast<double>(margin()) / static_cast<double>(reading.capacity);
  }
};

class Steps {
 public:
  Steps(const Observation& seen, const Policy& policy)
      : readings_(image::ReadSignals(seen.filesystems)) {
    AddMarks(policy);
    AddAll(policy.triggers.thresholds, "ebb", "removes images");
    if (policy.marks.kubelet) {
      AddKubeletMark(*policy.marks.kubelet);
      AddAll(policy.marks.kubelet->evictions, "kubelet", "evicts pods");
    }
    std::ranges::stable_sort(steps_, {}, &Step::share);
  }

  const std::vector<Step>& all() const { return steps_; }

 private:
  void Add(image::Signal signal, std::string threshold, std::int64_t limit,
           std::pair<std::string, std::string> action) {
    const auto reading = readings_.find(signal);
    if (reading == readings_.end()) return;
    steps_.push_back({.signal = signal,
                      .threshold = std::move(threshold),
                      .who = std::move(action.first),
                      .what = std::move(action.second),
                      .limit = limit,
                      .reading = reading->second});
  }

  void AddMark(base::Percent mark, std::string who, std::string what) {
    const auto reading = readings_.find(image::Signal::kImagefsAvailable);
    if (reading == readings_.end()) return;
    // Used per cent rounds up: the mark is reached one point of the capacity before it is full.
    const base::Bytes left = base::AvailableAt({reading->second.capacity}, {mark.value - 1});
    Add(image::Signal::kImagefsAvailable, std::to_string(mark.value) + "% used", left.count,
        {std::move(who), std::move(what)});
  }

  void AddMarks(const Policy& policy) {
    const auto reading = readings_.find(image::Signal::kImagefsAvailable);
    if (reading == readings_.end()) return;
    AddMark(image::ResolveMarks(policy.marks, {reading->second.capacity}).high, "ebb",
            "removes images");
  }

  void AddKubeletMark(const image::KubeletThresholds& kubelet) {
    if (kubelet.image_gc_high && kubelet.image_gc_high->value < 100) {
      AddMark(*kubelet.image_gc_high, "kubelet", "removes images");
    }
  }

  void AddAll(const std::vector<Threshold>& thresholds, const std::string& who,
              const std::string& what) {
    for (const Threshold& threshold : thresholds) {
      const auto reading = readings_.find(threshold.signal);
      if (reading == readings_.end()) continue;
      const std::string grace = threshold.grace > base::Duration{}
                                    ? " for " + base::FormatDuration(threshold.grace)
                                    : std::string();
      const bool bytes = !IsAboutInodes(threshold.signal) && !threshold.value.percent;
      const std::string value =
          bytes ? base::FormatBytes({threshold.value.count}) : image::FormatLimit(threshold.value);
      Add(threshold.signal, std::string("less than ").append(value).append(grace),
          threshold.value.Of(reading->second.capacity), {who, what});
    }
  }

  image::Readings readings_;
  std::vector<Step> steps_;
};

std::string Amount(const Step& step, std::int64_t amount) {
  if (image::IsAboutInodes(step.signal)) return std::to_string(amount);
  return base::FormatBytes({amount});
}

std::string Left(const Step& step) {
  if (step.margin() < 0) return "reached";
  std::array<char, 32> share{};
  (void)std::snprintf(share.data(), share.size(), " (%.1f%%)", step.share() * 100);
  return Amount(step, step.margin()) + share.data();
}

Json ToDocument(const Steps& steps, const Observation& seen) {
  JsonObject document = Document("Pressure");
  document["takenAt"] = ToJson(seen.taken_at);
  JsonArray& array = document["thresholds"].emplace_array();
  for (const Step& step : steps.all()) {
    array.push_back({{"signal", Code(step.signal)},
                     {"threshold", step.threshold},
                     {"who", step.who},
                     {"what", step.what},
                     {"left", step.reading.left},
                     {"limit", step.limit},
                     {"capacity", step.reading.capacity},
                     {"reached", step.margin() < 0}});
  }
  return document;
}

}  // namespace

std::string RenderPressure(const Observation& seen, const Policy& policy, const Style& style) {
  const Steps steps(seen, policy);
  if (IsDocument(style)) return Write(ToDocument(steps, seen), style.format);
  Table table({{"SIGNAL"},
               {"NOW", Align::kRight},
               {"THRESHOLD"},
               {"STILL", Align::kRight},
               {"WHO"},
               {"WHAT"}});
  for (const Step& step : steps.all()) {
    const Color color = step.margin() < 0 ? Color::kRed : Color::kPlain;
    table.Add({{std::string(Code(step.signal))},
               {Amount(step, step.reading.left)},
               {step.threshold},
               {Left(step), color},
               {step.who},
               {step.what}});
  }
  std::string text = table.Render(style);
  if (!policy.marks.kubelet) text += "The kubelet of this node could not be read.\n";
  return text +
         "Evicting pods is the kubelet's alone: ebb removes images before it comes to that.\n";
}

}  // namespace ebb::report
