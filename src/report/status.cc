#include "report/status.h"

#include <array>

#include "base/text.h"
#include "image/classes.h"
#include "image/fill_rate.h"
#include "report/bar.h"
#include "report/json.h"
#include "report/sandbox.h"
#include "report/table.h"
#include "report/text.h"
#include "report/words.h"

namespace ebb::report {
namespace {

using image::ByteClass;
using image::ByteClasses;
using image::Filesystem;
using image::Observation;
using image::Plan;
using image::Policy;
using image::Reason;

// Together with the fixed lines these keep the table form within 25.
constexpr std::size_t kFilesystemLines = 6;
constexpr std::size_t kMessageLines = 3;
constexpr std::size_t kShareCells = 20;

image::Marks MarksOf(const Filesystem& filesystem, const Policy& policy) {
  return image::ResolveMarks(policy.marks, filesystem.capacity);
}

Color ColorOf(base::Percent used, const image::Marks& marks) {
  if (used >= marks.critical) return Color::kRed;
  return used >= marks.high ? Color::kYellow : Color::kGreen;
}

std::string HoldsText(const Filesystem& filesystem) {
  if (filesystem.holds_images && filesystem.holds_containers) return "images and containers";
  return filesystem.holds_images ? "images" : "containers";
}

std::string FillText(const Filesystem& filesystem) {
  const auto full = image::TimeToFill(filesystem.available, filesystem.bytes_per_second);
  return full ? ", full in " + base::FormatAge(*full) + " as it fills now" : "";
}

std::vector<std::string> FilesystemLines(const Filesystem& filesystem, const Policy& policy,
                                         const Style& style) {
  std::string head = Clean(filesystem.mountpoint) + " (" + HoldsText(filesystem) + "): ";
  if (!filesystem.measured()) {
    const std::string why = filesystem.problem.empty() ? "capacity 0" : filesystem.problem;
    return {head + Paint(style, Color::kRed, "not measured, " + Clean(why)) + "\n"};
  }
  const base::Percent used = image::UsedPercent(filesystem);
  const image::Marks marks = MarksOf(filesystem, policy);
  const Color color = filesystem.holds_images ? ColorOf(used, marks) : Color::kPlain;
  head += Paint(style, color, Text(used) + " used") + " of " +
          base::FormatBytes(filesystem.capacity) + ", " + base::FormatBytes(filesystem.available) +
          " available" + FillText(filesystem) + "\n";
  if (!filesystem.holds_images) return {head, "  " + UsageBar(used, style) + "\n"};
  std::string legend = "  L low " + Text(marks.low) + "  H high " + Text(marks.high);
  legend += marks.kubelet_high ? "  K kubelet " + Text(*marks.kubelet_high) : "  kubelet unknown";
  legend += "  C critical " + Text(marks.critical) + "\n";
  return {head, "  " + UsageBar(used, marks, style) + "\n", legend,
          "  marks: " + Clean(marks.source) + "\n"};
}

// Filesystems as long as there is room; what does not fit is counted.
std::string Filesystems(const Observation& seen, const Policy& policy, const Style& style) {
  std::string text;
  std::size_t lines = 0;
  std::size_t hidden = 0;
  for (const Filesystem& filesystem : seen.filesystems) {
    const auto block = FilesystemLines(filesystem, policy, style);
    if (style.format != Format::kWide && lines + block.size() > kFilesystemLines) {
      ++hidden;
      continue;
    }
    lines += block.size();
    for (const std::string& line : block) text += line;
  }
  if (hidden > 0) text += "and " + base::Count(hidden, "more filesystem") + ": see -o wide\n";
  if (seen.filesystems.empty()) text = "no filesystem: the runtime reports none\n";
  return text;
}

struct Row {
  std::string name;
  std::size_t images = 0;
  base::Bytes bytes;
  std::string detail;
};

bool IsUse(Reason reason) {
  return reason == Reason::kInUse || reason == Reason::kImageVolume;
}

std::string RowName(const ByteClass& entry, const Style& style) {
  if (!entry.reason) return "removable";
  if (*entry.reason == Reason::kTooYoung) return "too young";
  if (style.format == Format::kWide) return std::string(image::Code(*entry.reason));
  return IsUse(*entry.reason) ? "in use" : "protected";
}

// Neighbours of one name share a row; a row of several reasons says which.
std::vector<Row> ClassRows(const ByteClasses& classes, const Style& style) {
  std::vector<Row> rows;
  for (const ByteClass& entry : classes.classes) {
    const std::string name = RowName(entry, style);
    if (rows.empty() || rows.back().name != name) rows.push_back({name, 0, {}, ""});
    Row& row = rows.back();
    row.images += entry.images;
    row.bytes += entry.bytes;
    if (name != "protected") continue;
    row.detail += row.detail.empty() ? "" : ", ";
    row.detail += std::string(image::Code(*entry.reason)) + " " + std::to_string(entry.images);
  }
  return rows;
}

// Bytes in the store that removing images does not free: one row, or one for each holder.
std::vector<Row> OtherRows(const ByteClasses& classes, const Style& style) {
  std::vector<Row> rows;
  for (const image::HeldElsewhere& held : classes.elsewhere) {
    if (rows.empty() || style.format == Format::kWide)
      rows.push_back({"held by others", 0, {}, ""});
    Row& row = rows.back();
    row.bytes += held.bytes;
    row.detail += (row.detail.empty() ? "" : ", ") + HolderWords(held);
  }
  if (classes.garbage.count > 0) {
    rows.push_back({"garbage", 0, classes.garbage, "goes with the runtime's next own collection"});
  }
  return rows;
}

base::Bytes Whole(const ByteClasses& classes) {
  base::Bytes whole = classes.total + classes.garbage + classes.not_images.value_or(base::Bytes{});
  for (const image::HeldElsewhere& held : classes.elsewhere) whole += held.bytes;
  return whole;
}

Table ClassTable(const Observation& seen, const ByteClasses& classes, const Style& style) {
  Table table({{"CLASS"},
               {"IMAGES", Align::kRight},
               {"BYTES", Align::kRight},
               {"SHARE"},
               {"", Align::kLeft, Cut::kKeepHead}});
  const base::Bytes whole = Whole(classes);
  for (const Row& row : ClassRows(classes, style)) {
    table.Add({{row.name},
               {std::to_string(row.images)},
               {base::FormatBytes(row.bytes)},
               {ShareBar(row.bytes, whole, kShareCells)},
               {row.detail}});
  }
  for (const Row& row : OtherRows(classes, style)) {
    table.Add({{row.name},
               {""},
               {base::FormatBytes(row.bytes)},
               {ShareBar(row.bytes, whole, kShareCells)},
               {row.detail}});
  }
  if (classes.not_images) {
    table.Add({{"not images"},
               {""},
               {base::FormatBytes(*classes.not_images)},
               {ShareBar(*classes.not_images, whole, kShareCells)},
               {classes.estimated ? "an estimate: the rest of what is used" : ""}});
  }
  table.Add(
      {{"all images"}, {std::to_string(seen.images.size())}, {base::FormatBytes(classes.total)}});
  return table;
}

std::string CollectSentence(const Observation& seen, const Policy& policy, const Plan& plan) {
  const std::string refusal = image::BeyondRadius(plan, seen, policy.radius);
  if (!refusal.empty()) return "would refuse: " + refusal;
  return ConclusionSentence(seen, plan);
}

Json StatusDocument(const Observation& seen, const Policy& policy, const Plan& plan) {
  const ByteClasses classes = image::ClassifyBytes(seen, plan);
  const SandboxState sandbox = AssessSandbox(seen, plan);
  JsonObject document = Document("Status");
  document["takenAt"] = ToJson(seen.taken_at);
  document["runtime"] = ToJson(seen.runtime);
  JsonArray& filesystems = document["filesystems"].emplace_array();
  for (const Filesystem& filesystem : seen.filesystems) {
    JsonObject object = ToJson(filesystem);
    if (filesystem.holds_images) object["marks"] = ToJson(MarksOf(filesystem, policy));
    filesystems.push_back(std::move(object));
  }
  JsonArray& by_class = document["classes"].emplace_array();
  for (const ByteClass& entry : classes.classes) {
    by_class.push_back({{"class", entry.reason ? image::Code(*entry.reason) : "removable"},
                        {"images", entry.images},
                        {"bytes", entry.bytes.count}});
  }
  JsonArray& elsewhere = document["heldElsewhere"].emplace_array();
  for (const image::HeldElsewhere& held : classes.elsewhere) {
    elsewhere.push_back({{"by", HolderWords(held)},
                         {"namespace", held.space},
                         {"count", held.roots},
                         {"bytes", held.bytes.count}});
  }
  document["garbageBytes"] = classes.garbage.count;
  document["images"] = seen.images.size();
  document["imageBytes"] = classes.total.count;
  document["notImageBytes"] = classes.not_images ? Json(classes.not_images->count) : Json(nullptr);
  document["sandbox"] = {{"state", Code(sandbox.safety)}, {"concerned", ToJson(sandbox.concerned)}};
  document["collect"] = {{"conclusion", Code(plan.conclusion)},
                         {"removals", plan.removals},
                         {"needBytes", plan.need.count},
                         {"predictedBytes", plan.predicted.count},
                         {"refusal", OrNull(image::BeyondRadius(plan, seen, policy.radius))},
                         {"sentence", CollectSentence(seen, policy, plan)}};
  document["notes"] = ToJson(plan.notes);
  AddTrust(document, seen);
  return document;
}

std::string Mountpoints(const Observation& seen) {
  std::string text;
  for (const Filesystem& filesystem : seen.filesystems) text += Clean(filesystem.mountpoint) + "\n";
  return text;
}

}  // namespace

std::string RenderStatus(const Observation& seen, const Policy& policy, const Plan& plan,
                         const Style& style) {
  if (IsDocument(style)) return Write(StatusDocument(seen, policy, plan), style.format);
  if (style.format == Format::kName) return Mountpoints(seen);
  const SandboxState sandbox = AssessSandbox(seen, plan);
  const Color sandbox_color =
      sandbox.safety == SandboxSafety::kPrevented || sandbox.safety == SandboxSafety::kRepaired
          ? Color::kGreen
          : Color::kRed;
  std::string text = Clean(seen.runtime.name + " " + seen.runtime.version + " at " +
                           seen.runtime.endpoint + ", " + base::FormatTime(seen.taken_at)) +
                     "\n\n";
  text += Filesystems(seen, policy, style) + "\n";
  text += ClassTable(seen, image::ClassifyBytes(seen, plan), style).Render(style) + "\n";
  text += Line(style, "sandbox", Paint(style, sandbox_color, Sentence(sandbox)));
  text += TrustLines(seen, style);
  const std::size_t most = style.format == Format::kWide ? 0 : kMessageLines;
  for (const std::string& line : MessageLines(seen, plan.notes, style, most)) text += line;
  return text +
         Line(style, "collect", Paint(style, Color::kBold, CollectSentence(seen, policy, plan)));
}

}  // namespace ebb::report
