#include "report/plan.h"

#include <algorithm>
#include <array>
#include <map>
#include <span>

#include "base/text.h"
#include "image/classes.h"
#include "image/kubelet_plan.h"
#include "report/json.h"
#include "report/plan_json.h"
#include "report/table.h"
#include "report/text.h"
#include "report/words.h"

namespace ebb::report {
namespace {

using image::Image;
using image::Observation;
using image::Plan;
using image::Policy;
using image::Verdict;

std::span<const Verdict> Removals(const Plan& plan) {
  return std::span(plan.verdicts).first(plan.removals);
}

std::span<const Verdict> Kept(const Plan& plan) {
  return std::span(plan.verdicts).subspan(plan.removals);
}

std::vector<Column> WaterfallColumns(const Style& style) {
  std::vector<Column> columns = {{"#", Align::kRight},
                                 {"IMAGE", Align::kLeft, Cut::kKeepTail},
                                 {"FAMILY", Align::kLeft, Cut::kKeepTail},
                                 {"LAST USED", Align::kRight},
                                 {"STARTS", Align::kRight},
                                 {"ALONE", Align::kRight},
                                 {"FREES", Align::kRight},
                                 {"TOTAL", Align::kRight},
                                 {"DISK", Align::kRight}};
  if (style.format == Format::kWide) {
    columns.push_back({"REASON"});
    columns.push_back({"SUPERSEDED BY", Align::kLeft, Cut::kKeepTail});
    columns.push_back({"ID"});
    columns.push_back({"DETAIL", Align::kLeft, Cut::kKeepHead});
  }
  return columns;
}

std::string FamilyOf(const Plan& plan, const Verdict& verdict, const Style& style) {
  if (!verdict.family) return "-";
  return ShortName(plan.families[*verdict.family].label, style);
}

std::string SupersededBy(const Observation& seen, const Verdict& verdict, const Style& style) {
  if (!verdict.superseded_by) return "-";
  return ShortName(image::DisplayName(seen.images[*verdict.superseded_by]), style);
}

std::vector<Cell> WaterfallRow(const Observation& seen, const Plan& plan, std::size_t place,
                               const Style& style) {
  const Verdict& verdict = plan.verdicts[place];
  const Image& image = seen.images[verdict.image];
  const image::Filesystem* filesystem = image::ImageFilesystem(seen, plan);
  const bool measured = filesystem != nullptr && filesystem->measured();
  const std::array alone{verdict.image};
  std::vector<Cell> row = {{std::to_string(place + 1)},
                           {ShortName(image::DisplayName(image), style)},
                           {FamilyOf(plan, verdict, style)},
                           {Ago(image.usage.last_used, seen.taken_at)},
                           {std::to_string(image.usage.starts)},
                           {base::FormatBytes(seen.store.Freed(alone))},
                           {base::FormatBytes(verdict.frees)},
                           {base::FormatBytes(verdict.total)},
                           {measured ? Text(UsedAfter(*filesystem, verdict.total)) : "-"}};
  if (style.format == Format::kWide) {
    row.push_back({std::string(image::Code(verdict.reason))});
    row.push_back({SupersededBy(seen, verdict, style)});
    row.push_back({ShortId(image.id.value, style)});
    row.push_back({verdict.detail});
  }
  return row;
}

std::string Waterfall(const Observation& seen, const Plan& plan, const Style& style) {
  Table table(WaterfallColumns(style));
  bool reached = plan.need.count <= 0;
  for (std::size_t place = 0; place < plan.removals; ++place) {
    table.Add(WaterfallRow(seen, plan, place, style));
    if (reached || plan.verdicts[place].total < plan.need) continue;
    reached = true;
    table.AddRule("target reached after " + base::Count(place + 1, "image") + ": " +
                  base::FormatBytes(plan.need) + " needed");
  }
  return table.Render(style);
}

// "2 images: over-mark 1, unused-for 1".
std::string ByReason(std::span<const Verdict> verdicts) {
  std::map<image::Reason, std::size_t> counts;
  for (const Verdict& verdict : verdicts) ++counts[verdict.reason];
  std::string text = base::Count(verdicts.size(), "image");
  const char* separator = ": ";
  for (const auto& [reason, count] : counts) {
    text.append(separator).append(image::Code(reason)).append(" ").append(std::to_string(count));
    separator = ", ";
  }
  return text;
}

// What is proved about the choice, and by how much it frees too much.
std::string ProofLine(const Plan& plan, const Style& style) {
  if (plan.removals == 0 || plan.need.count <= 0) return "";
  std::string text;
  if (plan.proved_within) {
    text = *plan.proved_within <= 0
               ? "no plan costs less (proved); "
               : "within " + PercentUp(*plan.proved_within) + " of the best plan (proved); ";
  }
  if (plan.conclusion == image::Conclusion::kReached) {
    text += base::FormatBytes(plan.overshoot) + " more than needed";
  } else {
    text += "only what is long idle and replaceable";
  }
  return Line(style, "policy", std::string(image::Code(plan.policy)) + ", " + text);
}

// The same target in the kubelet's way: what it would believe, and what would come of it.
std::string KubeletLine(const Observation& seen, const Policy& policy, const Plan& plan,
                        const Style& style) {
  const image::Filesystem* filesystem = image::ImageFilesystem(seen, plan);
  if (plan.need.count <= 0 || filesystem == nullptr || !filesystem->measured()) return "";
  const image::KubeletPlan kubelet = image::PlanOfKubelet(seen, plan.need, policy.min_seen_age);
  const bool sandbox = std::ranges::any_of(plan.verdicts, [&](const Verdict& verdict) {
    return verdict.reason == image::Reason::kSandbox &&
           std::ranges::find(kubelet.images, verdict.image) != kubelet.images.end();
  });
  return Line(style, "kubelet",
              "would remove " + base::Count(kubelet.images.size(), "image") +
                  " for this, believe in " + base::FormatBytes(kubelet.believed) + " and free " +
                  Approximately(kubelet.real, seen.store.accounting()) + " (" +
                  Text(image::UsedPercent(*filesystem)) + " → " +
                  Text(UsedAfter(*filesystem, kubelet.real)) + " used)" +
                  (sandbox ? ", the sandbox image among them" : ""));
}

std::string KeptTable(const Observation& seen, const Plan& plan, const Style& style) {
  Table table({{"KEPT", Align::kLeft, Cut::kKeepTail},
               {"LAST USED", Align::kRight},
               {"TIER"},
               {"REASON"},
               {"ALONE", Align::kRight},
               {"ID"},
               {"DETAIL", Align::kLeft, Cut::kKeepHead}});
  for (const Verdict& verdict : Kept(plan)) {
    const Image& image = seen.images[verdict.image];
    table.Add({{ShortName(image::DisplayName(image), style)},
               {Ago(image.usage.last_used, seen.taken_at)},
               {std::string(image::Code(image::TierOf(verdict.reason)))},
               {std::string(image::Code(verdict.reason))},
               {base::FormatBytes(verdict.frees)},
               {ShortId(image.id.value, style)},
               {verdict.detail}});
  }
  return table.Render(style);
}

std::string Header(const Observation& seen, const Plan& plan, const Style& style) {
  std::string text = Line(style, "target", TargetSentence(seen, plan));
  const image::Filesystem* filesystem = image::ImageFilesystem(seen, plan);
  if (plan.need.count > 0 && filesystem != nullptr) {
    text +=
        Line(style, "need", base::FormatBytes(plan.need) + " on " + Clean(filesystem->mountpoint));
  }
  return text + Line(style, "marks", Clean(MarksSentence(plan.marks)));
}

std::string Footer(const Observation& seen, const Policy& policy, const Plan& plan,
                   const Style& style) {
  const Color color = plan.conclusion == image::Conclusion::kNotReached ||
                              plan.conclusion == image::Conclusion::kInDoubt
                          ? Color::kYellow
                          : Color::kBold;
  std::string text = Line(style, "plan", Paint(style, color, ConclusionSentence(seen, plan)));
  text += ProofLine(plan, style) + KubeletLine(seen, policy, plan, style);
  const std::string refusal = image::BeyondRadius(plan, seen, policy.radius);
  const std::size_t limit = image::RemovalLimit(plan, seen, policy.radius);
  if (refusal.empty() && limit > plan.removals) {
    text += Line(style, "",
                 "should the disk measure short, up to " + std::to_string(limit - plan.removals) +
                     " more go, least recently used first");
  }
  if (!refusal.empty()) text += Line(style, "limit", Paint(style, Color::kRed, refusal));
  for (const std::string& line : MessageLines(seen, plan.notes, style)) text += line;
  return text + TrustLines(seen, style);
}

}  // namespace

std::string RenderPlan(const Observation& seen, const Policy& policy, const Plan& plan,
                       const Style& style) {
  if (IsDocument(style)) return Write(PlanDocument(seen, policy, plan), style.format);
  std::string text;
  if (style.format == Format::kName) {
    for (const Verdict& verdict : Removals(plan)) {
      text += Clean(seen.images[verdict.image].id.value) + "\n";
    }
    return text;
  }
  text = Header(seen, plan, style) + "\n";
  const std::string waterfall = Waterfall(seen, plan, style);
  if (!waterfall.empty()) text += waterfall + "\n";
  if (style.format == Format::kWide && !Kept(plan).empty()) {
    text += KeptTable(seen, plan, style) + "\n";
  }
  if (plan.removals > 0) text += Line(style, "goes", ByReason(Removals(plan)));
  return text + Line(style, "kept", ByReason(Kept(plan))) + Footer(seen, policy, plan, style);
}

}  // namespace ebb::report
