#include <functional>
#include <unordered_map>

#include "report/deletion.h"
#include "report/text.h"

namespace ebb::report {
namespace {

using graph::Outcome;

// Dashed: it stays.
bool Dashed(const Outcome& outcome) {
  return !Goes(outcome);
}

// Both languages take a text in double quotes; what would end it, or start markup, is replaced.
std::string Quoted(const std::string& text, std::string_view quote, std::string_view backslash) {
  std::string quoted;
  for (const char c : Clean(text)) {
    if (c == '"') {
      quoted += quote;
    } else if (c == '\\') {
      quoted += backslash;
    } else {
      quoted += c;
    }
  }
  return quoted;
}

// each(owner, dependent) by their places.
void ForEachEdge(const Deletion& deletion,
                 const std::function<void(std::size_t, std::size_t)>& each) {
  std::unordered_map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < deletion.outcomes.size(); ++i) {
    places.emplace(deletion.outcomes[i].object.id.uid, i);
  }
  for (std::size_t i = 0; i < deletion.outcomes.size(); ++i) {
    for (const graph::Coordinates& owner : deletion.outcomes[i].owners) {
      const auto at = places.find(owner.uid);
      if (at != places.end()) each(at->second, i);
    }
  }
}

}  // namespace

std::string DeletionDot(const Deletion& deletion) {
  std::string text = "digraph deletion {\n  rankdir=LR;\n  node [shape=box, fontname=sans];\n";
  const auto label = [](const std::string& line) { return Quoted(line, "\\\"", "\\\\"); };
  for (std::size_t i = 0; i < deletion.outcomes.size(); ++i) {
    const Outcome& outcome = deletion.outcomes[i];
    text += "  n" + std::to_string(i) + " [label=\"" + label(graph::NameOf(outcome.object.id)) +
            "\\n" + label(FateOf(deletion, outcome)) + "\"" +
            (Dashed(outcome) ? ", style=dashed" : "") + "];\n";
  }
  ForEachEdge(deletion, [&](std::size_t owner, std::size_t dependent) {
    text += "  n" + std::to_string(owner) + " -> n" + std::to_string(dependent) + ";\n";
  });
  return text + "}\n";
}

std::string DeletionMermaid(const Deletion& deletion) {
  std::string text = "flowchart LR\n  classDef stays stroke-dasharray: 4\n";
  const auto label = [](const std::string& line) { return Quoted(line, "#quot;", "#92;"); };
  for (std::size_t i = 0; i < deletion.outcomes.size(); ++i) {
    const Outcome& outcome = deletion.outcomes[i];
    text += "  n" + std::to_string(i) + "[\"" + label(graph::NameOf(outcome.object.id)) + "<br/>" +
            label(FateOf(deletion, outcome)) + "\"]" + (Dashed(outcome) ? ":::stays" : "") + "\n";
  }
  ForEachEdge(deletion, [&](std::size_t owner, std::size_t dependent) {
    text += "  n" + std::to_string(owner) + " --> n" + std::to_string(dependent) + "\n";
  });
  return text;
}

}  // namespace ebb::report
