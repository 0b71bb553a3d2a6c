#include "daemon/tell.h"

#include <algorithm>
#include <iterator>

#include "base/text.h"

namespace ebb::daemon {
namespace {

std::string Named(const image::Image& image) {
  const std::string& name = image::DisplayName(image);
  const std::string id = base::OneLine(image.id.value);
  return name == image.id.value ? "image=" + id : "image=" + base::OneLine(name) + " id=" + id;
}

std::string Of(const image::Verdict& verdict) {
  std::string text = " reason=" + std::string(Code(verdict.reason));
  if (!verdict.detail.empty()) text += " (" + base::OneLine(verdict.detail) + ")";
  return text;
}

std::string TellRemoval(const image::Observation& seen, const image::Verdict& verdict,
                        const image::Removal& removal) {
  std::string text = std::string(Code(removal.outcome)) + " " + Named(seen.images[removal.image]) +
                     Of(verdict) + " predicted=" + base::FormatBytes(removal.predicted);
  if (!removal.detail.empty()) text += ": " + base::OneLine(removal.detail);
  return text;
}

}  // namespace

std::vector<std::string> TellRun(const image::Observation& seen, const image::Demand& demand,
                                 const image::Report& report) {
  std::vector<std::string> lines;
  lines.reserve(report.removals.size() + 1);
  std::size_t removed = 0;
  for (std::size_t i = 0; i < report.removals.size(); ++i) {
    const image::Removal& removal = report.removals[i];
    if (removal.outcome == image::Outcome::kRemoved) ++removed;
    lines.push_back(TellRemoval(seen, report.plan.verdicts[i], removal));
  }
  std::string whole = "run trigger=" + std::string(Code(demand.trigger)) + " (" + demand.why +
                      ") ending=" + std::string(Code(report.ending)) + ": " +
                      base::Count(removed, "image") + " removed, " +
                      base::FormatBytes(report.predicted) + " predicted, " +
                      base::FormatBytes(report.measured) + " measured";
  if (!report.problem.empty()) whole += "; " + base::OneLine(report.problem);
  lines.push_back(std::move(whole));
  return lines;
}

std::vector<std::string> TellDead(const image::DeadPlan& plan, const engine::DeadReport& report) {
  std::vector<std::string> lines;
  lines.reserve(report.removals.size() + 1);
  for (const engine::DeadRemoval& removal : report.removals) {
    const image::DeadThing& thing = plan.things[removal.thing];
    std::string line = std::string(Code(removal.outcome)) + " " + std::string(Code(thing.kind)) +
                       "=" + base::OneLine(thing.id) +
                       " pod=" + base::OneLine(thing.pod_namespace + "/" + thing.pod_name) +
                       " reason=" + std::string(Code(thing.reason));
    if (!removal.detail.empty()) line += ": " + base::OneLine(removal.detail);
    lines.push_back(std::move(line));
  }
  if (!report.problem.empty()) lines.push_back(base::OneLine(report.problem));
  return lines;
}

std::vector<std::string> TellPlan(const image::Observation& seen, const image::Demand& demand,
                                  const image::Plan& plan, std::string_view why) {
  std::vector<std::string> lines;
  lines.reserve(plan.removals + 1);
  for (std::size_t v = 0; v < plan.removals; ++v) {
    const image::Verdict& verdict = plan.verdicts[v];
    lines.push_back("would remove " + Named(seen.images[verdict.image]) + Of(verdict) +
                    " predicted=" + base::FormatBytes(verdict.frees));
  }
  lines.push_back("nothing is removed (" + std::string(why) +
                  "): trigger=" + std::string(Code(demand.trigger)) + " (" + demand.why +
                  ") would remove " + base::Count(plan.removals, "image") + " and free " +
                  base::FormatBytes(plan.predicted));
  return lines;
}

std::vector<std::string> TellTrouble(const engine::Pass& pass) {
  std::vector<std::string> lines;
  if (!pass.blocked.empty()) lines.push_back("nothing is removed: " + pass.blocked);
  // Notes say that and how a target is out of reach, and every doubt.
  std::ranges::copy(pass.plan.notes, std::back_inserter(lines));
  std::ranges::copy(pass.seen.warnings, std::back_inserter(lines));
  for (std::string& line : lines) line = base::OneLine(line);
  return lines;
}

std::vector<std::string> News::Fresh(std::vector<std::string> lines) {
  std::set<std::string> now;
  std::vector<std::string> fresh;
  for (std::string& line : lines) {
    std::string key = line;
    std::erase_if(key, [](char c) { return (c >= '0' && c <= '9') || c == '.'; });
    if (!now.insert(key).second || last_.contains(key)) continue;
    fresh.push_back(std::move(line));
  }
  last_ = std::move(now);
  return fresh;
}

}  // namespace ebb::daemon
