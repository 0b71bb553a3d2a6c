#include "report/words.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "image/classes.h"
#include "report/text.h"

namespace ebb::report {
namespace {

using image::Accounting;
using image::Conclusion;
using image::ContainerState;
using image::Target;

std::string NothingBecause(const image::Observation& seen, const image::Plan& plan) {
  if (plan.target.kind == Target::Kind::kAllUnused) return "no unused image may go";
  if (plan.target.kind == Target::Kind::kUnusedFor) {
    return "no image that may go is unused for that long";
  }
  const image::Filesystem* filesystem = image::ImageFilesystem(seen, plan);
  if (plan.target.kind != Target::Kind::kMarks || filesystem == nullptr) {
    return "the target is met already";
  }
  return Text(image::UsedPercent(*filesystem)) + " used is below the high mark " +
         Text(plan.marks.high);
}

std::string WouldFree(const image::Observation& seen, const image::Plan& plan) {
  if (plan.removals == 0) {
    return "would remove nothing, though " + base::FormatBytes(plan.need) + " are needed";
  }
  std::string text = "would remove " + base::Count(plan.removals, "image") + " and free " +
                     Approximately(plan.predicted, seen.store.accounting());
  if (plan.conclusion == Conclusion::kNotReached) {
    return text + ", not the " + base::FormatBytes(plan.need) + " needed";
  }
  const image::Filesystem* filesystem = image::ImageFilesystem(seen, plan);
  if (filesystem == nullptr || !filesystem->measured()) return text;
  return text + " (" + Text(image::UsedPercent(*filesystem)) + " → " +
         Text(UsedAfter(*filesystem, plan.predicted)) + " used)";
}

}  // namespace

std::string_view Code(Accounting accounting) {
  switch (accounting) {
    case Accounting::kExact: return "exact";
    case Accounting::kLayers: return "layers";
    case Accounting::kReported: return "reported";
  }
  return "";
}

std::string_view Code(Conclusion conclusion) {
  switch (conclusion) {
    case Conclusion::kNothingToDo: return "nothing-to-do";
    case Conclusion::kReached: return "reached";
    case Conclusion::kNotReached: return "not-reached";
    case Conclusion::kInDoubt: return "in-doubt";
  }
  return "";
}

std::string_view Code(Target::Kind kind) {
  switch (kind) {
    case Target::Kind::kMarks: return "marks";
    case Target::Kind::kUsedPercent: return "used-percent";
    case Target::Kind::kFreeBytes: return "free-bytes";
    case Target::Kind::kUnusedFor: return "unused-for";
    case Target::Kind::kAllUnused: return "all-unused";
    case Target::Kind::kAvailable: return "available";
    case Target::Kind::kInodes: return "inodes";
    case Target::Kind::kImages: return "images";
  }
  return "";
}

std::string_view Code(ContainerState state) {
  switch (state) {
    case ContainerState::kCreated: return "created";
    case ContainerState::kRunning: return "running";
    case ContainerState::kExited: return "exited";
    case ContainerState::kUnknown: return "unknown";
  }
  return "";
}

std::string_view Sentence(Accounting accounting) {
  switch (accounting) {
    case Accounting::kExact: return "exact";
    case Accounting::kLayers: return "layers: estimated from reported sizes";
    case Accounting::kReported: return "reported: sharing unknown";
  }
  return "";
}

std::string HolderWords(const image::HeldElsewhere& held) {
  using Kind = image::StoreRoot::Kind;
  const auto noun = [&]() -> std::string_view {
    switch (held.kind) {
      case Kind::kRecord: return "image record";
      case Kind::kContainer: return "container";
      case Kind::kLease: return "lease";
      case Kind::kLabel: return "gc.root label";
      case Kind::kIngest: return "pull in progress";
      case Kind::kOther: return "unknown rule";
    }
    return "";
  };
  const std::string text = held.kind == Kind::kIngest && held.roots != 1
                               ? std::to_string(held.roots) + " pulls in progress"
                               : base::Count(held.roots, noun());
  return held.space.empty() || held.space == "k8s.io" ? text : text + " of " + Clean(held.space);
}

std::string Approximately(base::Bytes bytes, Accounting accounting) {
  return (accounting == Accounting::kExact ? "" : "about ") + base::FormatBytes(bytes);
}

base::Percent UsedAfter(const image::Filesystem& filesystem, base::Bytes freed) {
  return base::UsedPercent(filesystem.capacity, filesystem.available + freed);
}

std::string Text(base::Percent percent) {
  return std::to_string(percent.value) + "%";
}

std::string PercentUp(double share) {
  return std::to_string(std::lround(std::ceil(share * 100))) + "%";
}

std::string MarksSentence(const image::Marks& marks) {
  std::string text = "low " + Text(marks.low) + ", high " + Text(marks.high);
  if (marks.kubelet_high) text += ", kubelet " + Text(*marks.kubelet_high);
  text += ", critical " + Text(marks.critical);
  return marks.source.empty() ? text : text + " (" + marks.source + ")";
}

std::string TargetSentence(const image::Observation& seen, const image::Plan& plan) {
  const image::Filesystem* filesystem = image::ImageFilesystem(seen, plan);
  const std::string used = filesystem != nullptr && filesystem->measured()
                               ? Text(image::UsedPercent(*filesystem)) + " used"
                               : "unknown use";
  switch (plan.target.kind) {
    case Target::Kind::kMarks:
      if (plan.need.count == 0) return used + ", to be kept below the high mark";
      return used + ", at or above the high mark: down to " + Text(plan.marks.low);
    case Target::Kind::kUsedPercent: return used + ": down to " + Text(plan.target.percent);
    case Target::Kind::kFreeBytes:
      return used + ": " + base::FormatBytes(plan.target.bytes) + " more available";
    case Target::Kind::kUnusedFor:
      return "every image unused for longer than " + base::FormatDuration(plan.target.age);
    case Target::Kind::kAllUnused: return "every unused image";
    case Target::Kind::kAvailable:
      return used + ": until " + base::FormatBytes(plan.target.bytes) + " are available";
    case Target::Kind::kInodes:
      return used + ": until " + std::to_string(plan.target.count) + " inodes are free";
    case Target::Kind::kImages:
      return "no more than " + base::Count(static_cast<std::size_t>(plan.target.count), "image") +
             " on the node";
  }
  return "";
}

std::string ConclusionSentence(const image::Observation& seen, const image::Plan& plan) {
  switch (plan.conclusion) {
    case Conclusion::kInDoubt:
      return "would remove nothing: what was seen cannot be trusted as a whole";
    case Conclusion::kNothingToDo: return "would remove nothing: " + NothingBecause(seen, plan);
    case Conclusion::kReached:
    case Conclusion::kNotReached: return WouldFree(seen, plan);
  }
  return "";
}

std::vector<std::string> MessageLines(const image::Observation& seen,
                                      const std::vector<std::string>& notes, const Style& style,
                                      std::size_t most) {
  std::vector<std::string> lines;
  const auto add = [&](std::string_view label, Color color, const std::string& text) {
    lines.push_back(Line(style, label, Paint(style, color, Clean(text))));
  };
  for (const std::string& doubt : seen.doubts) add("doubt", Color::kRed, doubt);
  for (const std::string& note : notes) {
    const auto repeats = [&](const std::string& doubt) { return note.ends_with(doubt); };
    if (std::ranges::none_of(seen.doubts, repeats)) add("note", Color::kYellow, note);
  }
  for (const std::string& warning : seen.warnings) add("warning", Color::kYellow, warning);
  if (most == 0 || lines.size() <= most) return lines;
  const std::size_t hidden = lines.size() - (most - 1);
  lines.resize(most - 1);
  lines.push_back(Line(style, "", "and " + base::Count(hidden, "more message") + ": see -o yaml"));
  return lines;
}

std::string TrustLines(const image::Observation& seen, const Style& style) {
  std::string text = Line(style, "accounting", Sentence(seen.store.accounting()));
  if (!seen.not_checked.empty()) {
    text += Line(style, "not checked", Listed(seen.not_checked, seen.not_checked.size()));
  }
  return text;
}

}  // namespace ebb::report
