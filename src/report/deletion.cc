#include "report/deletion.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

#include "base/text.h"
#include "report/table.h"
#include "report/text.h"

namespace ebb::report {
namespace {

using graph::Fate;
using graph::Outcome;

constexpr std::size_t kMostNamed = 3;

std::string Names(const std::vector<graph::Coordinates>& objects) {
  std::vector<std::string> names;
  names.reserve(objects.size());
  for (const auto& object : objects) names.push_back(Clean(graph::NameOf(object)));
  return Listed(names, kMostNamed);
}

Color ColorOf(const Outcome& outcome) {
  switch (outcome.fate) {
    case Fate::kDeleted: return Color::kRed;
    case Fate::kGarbage:
    case Fate::kStuck:
    case Fate::kUndecided:
    case Fate::kNever: return Color::kYellow;
    case Fate::kReleased:
    case Fate::kUntouched: return Color::kGreen;
  }
  return Color::kPlain;
}

std::string HowDeleted(const Outcome& outcome) {
  return "deleted in step " + std::to_string(outcome.wave) +
         (outcome.blocks ? ", its owner waits for it" : "");
}

std::string HowStuck(const Outcome& outcome) {
  std::string text = "stays in deletion";
  if (!outcome.finalizers.empty()) {
    text += ": waits for finalizer " + Clean(Listed(outcome.finalizers, kMostNamed));
  }
  if (!outcome.waits_for.empty()) text += ": waits for " + Names(outcome.waits_for);
  return text;
}

// Draws a forest line by line, however deep it is.
class Drawer {
 public:
  Drawer(const Deletion& deletion, const Style& style)
      : deletion_(deletion), style_(style), forest_(ForestOf(deletion)) {}

  std::string Draw() {
    for (const std::size_t root : forest_.roots) {
      open_.push_back({root, "", ""});
      while (!open_.empty()) DrawNext();
    }
    std::size_t widest = 0;
    for (const auto& [name, fate] : lines_) widest = std::max(widest, Width(name));
    std::string text;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const auto& [name, outcome] = lines_[i];
      text += name + std::string(widest + 2 - Width(name), ' ');
      text += Paint(style_, ColorOf(*outcome), FateOf(deletion_, *outcome)) + "\n";
    }
    return text;
  }

 private:
  struct Open {
    std::size_t branch = 0;
    std::string before;  // of its own line
    std::string below;   // of the lines of its children
  };

  void DrawNext() {
    const Open at = std::move(open_.back());
    open_.pop_back();
    const Outcome& outcome = deletion_.outcomes[at.branch];
    lines_.emplace_back(at.before + Clean(graph::NameOf(outcome.object.id)), &outcome);
    const auto& children = forest_.branches[at.branch].children;
    for (std::size_t i = children.size(); i-- > 0;) {
      const bool last = i + 1 == children.size();
      open_.push_back(
          {children[i], at.below + (last ? "└─ " : "├─ "), at.below + (last ? "   " : "│  ")});
    }
  }

  const Deletion& deletion_;
  const Style& style_;
  Forest forest_;
  std::vector<Open> open_;
  std::vector<std::pair<std::string, const Outcome*>> lines_;
};

// "3 Pods, 1 ReplicaSet", the most frequent first.
std::string CountsPerKind(const Deletion& deletion) {
  std::map<std::string, std::size_t> kinds;
  for (const Outcome& outcome : deletion.outcomes) {
    if (Goes(outcome)) ++kinds[Clean(outcome.object.id.kind)];
  }
  std::vector<std::pair<std::string, std::size_t>> sorted(kinds.begin(), kinds.end());
  std::ranges::sort(sorted, [](const auto& left, const auto& right) {
    return std::tie(right.second, left.first) < std::tie(left.second, right.first);
  });
  std::string text;
  for (const auto& [kind, count] : sorted) {
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + kind;
  }
  return text;
}

std::string Summary(const Deletion& deletion) {
  const auto& outcomes = deletion.outcomes;
  const auto go = static_cast<std::size_t>(std::ranges::count_if(outcomes, Goes));
  const auto stuck = std::ranges::count(outcomes, Fate::kStuck, &Outcome::fate);
  std::string text = base::Count(go, "object") + (go == 1 ? " goes" : " go");
  if (go > 0) text += ": " + CountsPerKind(deletion);
  const std::size_t stay = outcomes.size() - go;
  text += ". " + base::Count(stay, "object") + (stay == 1 ? " stays" : " stay");
  if (stuck > 0) text += ", " + std::to_string(stuck) + " of them in deletion";
  return text + ".\n";
}

std::string RenderTable(const Deletion& deletion, const Style& style) {
  Table table({{"STEP", Align::kRight}, {"NAMESPACE"}, {"KIND"}, {"NAME"}, {"WHAT HAPPENS"}});
  for (const Outcome& outcome : deletion.outcomes) {
    const graph::Coordinates& id = outcome.object.id;
    table.Add({{outcome.wave == 0 ? "-" : std::to_string(outcome.wave)},
               {id.ns.empty() ? "-" : Clean(id.ns)},
               {Clean(id.kind)},
               {Clean(id.name)},
               {FateOf(deletion, outcome), ColorOf(outcome)}});
  }
  return table.Render(style);
}

std::string RenderNames(const Deletion& deletion) {
  std::string text;
  for (const Outcome& outcome : deletion.outcomes) {
    const graph::Coordinates& id = outcome.object.id;
    if (Goes(outcome)) text += Clean(id.kind) + "/" + Clean(id.name) + "\n";
  }
  return text;
}

}  // namespace

bool Goes(const Outcome& outcome) {
  return outcome.fate == Fate::kDeleted || outcome.fate == Fate::kGarbage;
}

std::string FateOf(const Deletion& deletion, const Outcome& outcome) {
  switch (outcome.fate) {
    case Fate::kDeleted: return HowDeleted(outcome);
    case Fate::kGarbage: return "goes anyway: its owners are absent today";
    case Fate::kReleased:
      return outcome.kept_by.empty() ? "stays, without an owner"
                                     : "kept by " + Names(outcome.kept_by);
    case Fate::kUntouched:
      return outcome.kept_by.empty() ? "stays" : "stays with " + Names(outcome.kept_by);
    case Fate::kStuck: return HowStuck(outcome);
    case Fate::kUndecided:
      return deletion.partial ? "not known: an owner is of a kind of which nothing was read"
                              : "stays: an owner is of a kind that is not served";
    case Fate::kNever: return "never collected: cluster-scoped, its owner is in a namespace";
  }
  return "";
}

Forest ForestOf(const Deletion& deletion) {
  Forest forest;
  std::unordered_map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < deletion.outcomes.size(); ++i) {
    places.emplace(deletion.outcomes[i].object.id.uid, i);
    forest.branches.push_back({.outcome = i});
  }
  for (std::size_t i = 0; i < deletion.outcomes.size(); ++i) {
    // Owners stand before their dependents; in a circle the first that is seen stands above.
    std::size_t parent = i < deletion.targets ? i : 0;
    for (const graph::Coordinates& owner : deletion.outcomes[i].owners) {
      const auto at = places.find(owner.uid);
      if (i < deletion.targets || at == places.end() || at->second >= i) continue;
      parent = at->second;
      break;
    }
    auto& children = parent == i ? forest.roots : forest.branches[parent].children;
    children.push_back(i);
  }
  return forest;
}

std::string RenderDeletion(const Deletion& deletion, const Style& style) {
  switch (style.format) {
    case Format::kJson:
    case Format::kYaml: return DeletionDocument(deletion, style.format);
    case Format::kDot: return DeletionDot(deletion);
    case Format::kMermaid: return DeletionMermaid(deletion);
    case Format::kName: return RenderNames(deletion);
    case Format::kTable:
    case Format::kWide: return RenderTable(deletion, style) + "\n" + Summary(deletion);
    case Format::kTree: break;
  }
  return Drawer(deletion, style).Draw() + "\n" + Summary(deletion);
}

}  // namespace ebb::report
