#include "report/metrics.h"

#include <algorithm>
#include <array>
#include <set>

#include "report/exposition.h"
#include "report/words.h"

namespace ebb::report {
namespace {

using image::Conclusion;
using image::Outcome;
using image::Reason;

using DeadKind = image::DeadThing::Kind;
using Fill = void (*)(const NodeMetrics&, Exposition&);

constexpr std::string_view kFilesystem = "mountpoint";

struct Metric {
  MetricDoc doc;
  Fill fill;
};

// fill(filesystem) for every measured one; the label tells them apart, so each mountpoint once.
template <class Each>
void ForFilesystems(const NodeMetrics& metrics, Each each) {
  if (metrics.seen == nullptr) return;
  std::set<std::string_view> done;
  for (const image::Filesystem& filesystem : metrics.seen->filesystems) {
    if (filesystem.measured() && done.insert(filesystem.mountpoint).second) each(filesystem);
  }
}

template <class Each>
void ForOutlooks(const NodeMetrics& metrics, Each each) {
  for (const auto& [mountpoint, outlook] : metrics.outlooks) each(mountpoint, outlook);
}

double Ratio(base::Percent percent) {
  return percent.value / 100.0;
}

void FillMarks(const NodeMetrics& metrics, Exposition& page) {
  ForOutlooks(metrics, [&](std::string_view mountpoint, const Outlook& outlook) {
    if (!outlook.marks) return;
    const auto mark = [&](std::string_view name, base::Percent at) {
      page.Number({{kFilesystem, mountpoint}, {"mark", name}}, Ratio(at));
    };
    mark("low", outlook.marks->low);
    mark("high", outlook.marks->high);
    mark("critical", outlook.marks->critical);
  });
}

void FillImages(const NodeMetrics& metrics, Exposition& page) {
  if (metrics.plan == nullptr) return;
  std::map<Reason, std::uint64_t> images;
  for (const image::Verdict& verdict : metrics.plan->verdicts) ++images[verdict.reason];
  for (const Reason reason : image::AllReasons()) {
    page.Count({{"tier", Code(image::TierOf(reason))}, {"reason", Code(reason)}}, images[reason]);
  }
}

void FillUnaccounted(const NodeMetrics& metrics, Exposition& page) {
  ForFilesystems(metrics, [&](const image::Filesystem& filesystem) {
    if (!filesystem.holds_images) return;
    page.Size({{kFilesystem, filesystem.mountpoint}},
              filesystem.used() - metrics.seen->store.Total());
  });
}

constexpr std::array kDeadKinds = {DeadKind::kContainer, DeadKind::kSandbox,
                                   DeadKind::kLogDirectory, DeadKind::kLogLink};

void FillDead(const NodeMetrics& metrics, Exposition& page) {
  using enum image::DeadVerdict;
  if (metrics.dead == nullptr) return;
  std::map<std::pair<DeadKind, image::DeadVerdict>, std::uint64_t> things;
  for (const image::DeadThing& thing : metrics.dead->things) ++things[{thing.kind, thing.verdict}];
  for (const DeadKind kind : kDeadKinds) {
    for (const image::DeadVerdict verdict : {kStays, kWouldGo, kGoes}) {
      page.Count({{"kind", Code(kind)}, {"verdict", Code(verdict)}}, things[{kind, verdict}]);
    }
  }
}

void FillDeadRemoved(const NodeMetrics& metrics, Exposition& page) {
  for (const DeadKind kind : kDeadKinds) {
    const auto removed = metrics.totals.dead_removed.find(kind);
    const bool any = removed != metrics.totals.dead_removed.end();
    page.Count({{"kind", Code(kind)}}, any ? removed->second : 0);
  }
}

void FillConclusion(const NodeMetrics& metrics, Exposition& page) {
  if (metrics.plan == nullptr) return;
  for (const Conclusion conclusion : {Conclusion::kNothingToDo, Conclusion::kReached,
                                      Conclusion::kNotReached, Conclusion::kInDoubt}) {
    page.Flag({{"conclusion", Code(conclusion)}}, metrics.plan->conclusion == conclusion);
  }
}

// A counter that is not there before its first event hides that event from rate().
template <class Key>
void FillCounts(std::string_view label, std::map<Key, std::uint64_t> counts,
                std::initializer_list<Key> always, Exposition& page) {
  for (const Key key : always) counts.try_emplace(key, 0);
  for (const auto& [key, count] : counts) page.Count({{label, Code(key)}}, count);
}

constexpr auto kMetrics = std::to_array<Metric>({
    {{"ebb_build_info", "gauge", "version", "1; the label tells which ebb this is"},
     [](const NodeMetrics& m, Exposition& page) { page.Count({{"version", m.version}}, 1); }},
    {{"ebb_enforcing", "gauge", "", "1 if images are removed, 0 if they are only observed"},
     [](const NodeMetrics& m, Exposition& page) { page.Flag({}, m.enforcing); }},
    {{"ebb_paused", "gauge", "", "1 while an operator has paused removals"},
     [](const NodeMetrics& m, Exposition& page) { page.Flag({}, m.paused); }},
    {{"ebb_config_reload_success", "gauge", "",
      "1 if the configuration file as it is now is in force, 0 if it was refused"},
     [](const NodeMetrics& m, Exposition& page) { page.Flag({}, m.config_reloaded); }},
    {{"ebb_config_last_reload_timestamp_seconds", "gauge", "",
      "when the configuration was last read, whether it was refused or not"},
     [](const NodeMetrics& m, Exposition& page) { page.Time(m.config_time); }},
    {{"ebb_last_observation_timestamp_seconds", "gauge", "",
      "when the node was last observed successfully"},
     [](const NodeMetrics& m, Exposition& page) { page.Time(m.totals.last_observation); }},
    {{"ebb_observation_age_seconds", "gauge", "", "age of the observation that this page shows"},
     [](const NodeMetrics& m, Exposition& page) {
       if (m.seen != nullptr) page.Seconds({}, m.observation_age);
     }},
    {{"ebb_observation_doubts", "gauge", "",
      "reasons why the last observation is not trusted; above 0 nothing is removed"},
     [](const NodeMetrics& m, Exposition& page) {
       if (m.seen != nullptr) page.Count({}, m.seen->doubts.size());
     }},
    {{"ebb_pod_sources_not_answered", "gauge", "",
      "configured pod sources that did not answer when last asked; for ten minutes their last "
      "answer "
      "counts"},
     [](const NodeMetrics& m, Exposition& page) {
       if (m.seen != nullptr) page.Count({}, m.seen->pods.not_answered.size());
     }},
    {{"ebb_observation_errors_total", "counter", "", "observations that failed"},
     [](const NodeMetrics& m, Exposition& page) { page.Count({}, m.totals.observation_errors); }},
    {{"ebb_event_stream_reconnects_total", "counter", "",
      "times the runtime's stream of events was opened anew"},
     [](const NodeMetrics& m, Exposition& page) { page.Count({}, m.totals.event_reconnects); }},
    {{"ebb_filesystem_size_bytes", "gauge", kFilesystem,
      "capacity of a filesystem that holds images or containers"},
     [](const NodeMetrics& m, Exposition& page) {
       ForFilesystems(m, [&](const image::Filesystem& each) {
         page.Size({{kFilesystem, each.mountpoint}}, each.capacity);
       });
     }},
    {{"ebb_filesystem_available_bytes", "gauge", kFilesystem,
      "what a writer without privileges may still take of it"},
     [](const NodeMetrics& m, Exposition& page) {
       ForFilesystems(m, [&](const image::Filesystem& each) {
         page.Size({{kFilesystem, each.mountpoint}}, each.available);
       });
     }},
    {{"ebb_filesystem_used_ratio", "gauge", kFilesystem,
      "the rest, as a share of the capacity: what the marks are compared with"},
     [](const NodeMetrics& m, Exposition& page) {
       ForFilesystems(m, [&](const image::Filesystem& each) {
         page.Number({{kFilesystem, each.mountpoint}}, Ratio(image::UsedPercent(each)));
       });
     }},
    {{"ebb_filesystem_inodes", "gauge", kFilesystem, "inodes it has"},
     [](const NodeMetrics& m, Exposition& page) {
       ForFilesystems(m, [&](const image::Filesystem& each) {
         page.Size({{kFilesystem, each.mountpoint}}, {each.inodes});
       });
     }},
    {{"ebb_filesystem_inodes_free", "gauge", kFilesystem, "inodes that are free"},
     [](const NodeMetrics& m, Exposition& page) {
       ForFilesystems(m, [&](const image::Filesystem& each) {
         page.Size({{kFilesystem, each.mountpoint}}, {each.inodes_free});
       });
     }},
    {{"ebb_filesystem_mark_ratio", "gauge", "mountpoint, mark",
      "used share at which removing ends (low), begins (high) and spares less (critical)"},
     FillMarks},
    {{"ebb_filesystem_high_mark_forecast_seconds", "gauge", kFilesystem,
      "time until the high mark if it fills as it does now; absent if it does not fill"},
     [](const NodeMetrics& m, Exposition& page) {
       ForOutlooks(m, [&](std::string_view mountpoint, const Outlook& outlook) {
         if (outlook.until_high) page.Seconds({{kFilesystem, mountpoint}}, *outlook.until_high);
       });
     }},
    {{"ebb_filesystem_full_forecast_seconds", "gauge", kFilesystem, "the same until it is full"},
     [](const NodeMetrics& m, Exposition& page) {
       ForOutlooks(m, [&](std::string_view mountpoint, const Outlook& outlook) {
         if (outlook.until_full) page.Seconds({{kFilesystem, mountpoint}}, *outlook.until_full);
       });
     }},
    {{"ebb_images", "gauge", "tier, reason", "images on the node by why they stay or go"},
     FillImages},
    {{"ebb_store_bytes", "gauge", "", "what all images hold on disk, shared layers once"},
     [](const NodeMetrics& m, Exposition& page) {
       if (m.seen != nullptr) page.Size({}, m.seen->store.Total());
     }},
    {{"ebb_unaccounted_bytes", "gauge", kFilesystem,
      "used bytes of the images' filesystem that no image explains"},
     FillUnaccounted},
    {{"ebb_dead_things", "gauge", "kind, verdict",
      "dead containers, sandboxes and logs by what becomes of them"},
     FillDead},
    {{"ebb_plan_conclusion", "gauge", "conclusion",
      "1 for what the last plan comes to, 0 for the others"},
     FillConclusion},
    {{"ebb_plan_need_bytes", "gauge", "", "what the last plan has to free"},
     [](const NodeMetrics& m, Exposition& page) {
       if (m.plan != nullptr) page.Size({}, m.plan->need);
     }},
    {{"ebb_plan_predicted_bytes", "gauge", "", "what the last plan would free"},
     [](const NodeMetrics& m, Exposition& page) {
       if (m.plan != nullptr) page.Size({}, m.plan->predicted);
     }},
    {{"ebb_plan_removals", "gauge", "", "images that the last plan would remove"},
     [](const NodeMetrics& m, Exposition& page) {
       if (m.plan != nullptr) page.Count({}, m.plan->removals);
     }},
    {{"ebb_last_run_timestamp_seconds", "gauge", "", "when a run last ended successfully"},
     [](const NodeMetrics& m, Exposition& page) { page.Time(m.totals.last_run); }},
    {{"ebb_runs_total", "counter", "trigger, outcome", "runs by what began and how they ended"},
     [](const NodeMetrics& m, Exposition& page) {
       for (const auto& [kind, count] : m.totals.runs) {
         page.Count({{"trigger", kind.trigger}, {"outcome", kind.outcome}}, count);
       }
     }},
    {{"ebb_phase_duration_seconds", "histogram", "phase",
      "how long observing, planning and removing took"},
     [](const NodeMetrics& m, Exposition& page) {
       page.Buckets("phase", "observe", m.totals.observe);
       page.Buckets("phase", "plan", m.totals.plan);
       page.Buckets("phase", "remove", m.totals.remove);
     }},
    {{"ebb_images_removed_total", "counter", "reason", "images removed, by why they went"},
     [](const NodeMetrics& m, Exposition& page) {
       FillCounts("reason", m.totals.removed,
                  {Reason::kOverMark, Reason::kAsked, Reason::kUnusedFor, Reason::kAllUnused},
                  page);
     }},
    {{"ebb_image_removal_failures_total", "counter", "outcome",
      "images that were to be removed and were not"},
     [](const NodeMetrics& m, Exposition& page) {
       FillCounts("outcome", m.totals.failed,
                  {Outcome::kHeld, Outcome::kFailed, Outcome::kCameInUse, Outcome::kRestored,
                   Outcome::kRaced},
                  page);
     }},
    {{"ebb_dead_removed_total", "counter", "kind",
      "dead containers, sandboxes and logs that were removed"},
     FillDeadRemoved},
    {{"ebb_dead_freed_bytes_total", "counter", "",
      "bytes that became available by that, as measured"},
     [](const NodeMetrics& m, Exposition& page) { page.Size({}, m.totals.dead_freed); }},
    {{"ebb_planned_bytes_total", "counter", "", "bytes that plans were to free"},
     [](const NodeMetrics& m, Exposition& page) { page.Size({}, m.totals.planned); }},
    {{"ebb_predicted_bytes_total", "counter", "",
      "bytes that were predicted for what was really removed"},
     [](const NodeMetrics& m, Exposition& page) { page.Size({}, m.totals.predicted); }},
    {{"ebb_freed_bytes_total", "counter", "", "bytes that became available, as measured"},
     [](const NodeMetrics& m, Exposition& page) { page.Size({}, m.totals.freed); }},
    {{"ebb_prediction_error_bytes", "gauge", "",
      "predicted minus measured bytes of the last run that removed anything"},
     [](const NodeMetrics& m, Exposition& page) {
       if (m.totals.prediction_error) page.Size({}, *m.totals.prediction_error);
     }},
    {{"ebb_regrets_total", "counter", "", "images that were removed and pulled again"},
     [](const NodeMetrics& m, Exposition& page) { page.Count({}, m.totals.regrets); }},
    {{"ebb_guarded_images", "gauge", "", "images that the guard keeps"},
     [](const NodeMetrics& m, Exposition& page) { page.Count({}, m.totals.guarded); }},
    {{"ebb_guard_restores_total", "counter", "",
      "times the guard brought an image back that somebody had removed"},
     [](const NodeMetrics& m, Exposition& page) { page.Count({}, m.totals.guard_restored); }},
    {{"ebb_guard_failures_total", "counter", "", "times it could not"},
     [](const NodeMetrics& m, Exposition& page) { page.Count({}, m.totals.guard_failed); }},
});

}  // namespace

std::string NodeMetricsText(const NodeMetrics& metrics) {
  Exposition page;
  for (const Metric& metric : kMetrics) {
    page.Begin(metric.doc.name, metric.doc.type, metric.doc.meaning);
    metric.fill(metrics, page);
  }
  return page.Take();
}

std::span<const MetricDoc> Metrics() {
  static const auto docs = [] {
    std::array<MetricDoc, kMetrics.size()> all;
    std::ranges::transform(kMetrics, all.begin(), &Metric::doc);
    return all;
  }();
  return docs;
}

}  // namespace ebb::report
