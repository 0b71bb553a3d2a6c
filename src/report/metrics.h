// What a monitoring system reads of the daemon. All metrics stand in one table, which
// docs/operations.md repeats.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/time.h"
#include "image/dead.h"
#include "image/observation.h"
#include "image/plan.h"
#include "image/policy.h"
#include "image/report.h"
#include "report/duration_histogram.h"

namespace ebb::report {

// A trigger and an outcome are codes of ours, never words from outside: labels stay bounded.
struct RunKind {
  std::string trigger;
  std::string outcome;
  auto operator<=>(const RunKind&) const = default;
};

// What the daemon adds up from its start on.
struct RunTotals {
  std::map<RunKind, std::uint64_t> runs;
  std::map<image::Reason, std::uint64_t> removed;
  std::map<image::Outcome, std::uint64_t> failed;  // planned, tried or about to be, and still there
  base::Bytes planned;                             // predicted for all that was planned
  base::Bytes predicted;                           // of it: for what was really removed
  base::Bytes freed;                               // measured; a run that gained none counts 0
  std::map<image::DeadThing::Kind, std::uint64_t> dead_removed;
  base::Bytes dead_freed;            // measured
  std::uint64_t guarded = 0;         // images the guard keeps, as of now
  std::uint64_t guard_restored = 0;  // times it brought one back
  std::uint64_t guard_failed = 0;    // times that came to nothing
  std::uint64_t regrets = 0;         // images removed and pulled again
  std::uint64_t observation_errors = 0;
  std::uint64_t event_reconnects = 0;
  base::TimePoint last_observation = base::kNever;  // that succeeded
  base::TimePoint last_run = base::kNever;          // likewise
  std::optional<base::Bytes> prediction_error;      // of the last run: predicted minus measured
  DurationHistogram observe;
  DurationHistogram plan;
  DurationHistogram remove;
};

// What is known about one filesystem beyond its measurement.
struct Outlook {
  std::optional<image::Marks> marks;
  std::optional<base::Duration> until_high;  // as it fills now; nullopt: it does not, or not known
  std::optional<base::Duration> until_full;
};

struct NodeMetrics {
  std::string version;
  bool enforcing = false;
  bool paused = false;
  bool config_reloaded = true;  // the file as it is now is in force
  base::TimePoint config_time = base::kNever;
  const image::Observation* seen = nullptr;  // the last one; null: none yet
  const image::Plan* plan = nullptr;         // of `seen`; null: none yet
  const image::DeadPlan* dead = nullptr;     // likewise
  base::Duration observation_age{};
  std::map<std::string, Outlook> outlooks;  // by Filesystem::mountpoint
  RunTotals totals;
};

// The whole page, always in the same order.
std::string NodeMetricsText(const NodeMetrics& metrics);

// What the page is to be called in Content-Type.
inline constexpr std::string_view kMetricsContentType = "text/plain; version=0.0.4; charset=utf-8";

struct MetricDoc {
  std::string_view name;
  std::string_view type;    // "counter", "gauge" or "histogram"
  std::string_view labels;  // "phase", "tier, reason"; empty: none
  std::string_view meaning;
};

// Every metric once, in the order of the page.
std::span<const MetricDoc> Metrics();

}  // namespace ebb::report
