#include "report/lint.h"

#include <algorithm>

#include "base/text.h"
#include "report/json.h"
#include "report/table.h"
#include "report/text.h"

namespace ebb::report {
namespace {

using graph::Finding;
using graph::Severity;

std::string_view Code(Severity severity) {
  return severity == Severity::kError ? "error" : "warning";
}

// "owner ReplicaSet web", or nothing if no reference is to blame.
std::string OwnerOf(const Finding& finding) {
  const graph::OwnerReference& owner = finding.reference;
  return owner.uid.empty() ? "" : Clean(owner.kind + "/" + owner.name);
}

Json LintDocument(const std::vector<Finding>& findings) {
  JsonObject document = Document("Lint");
  JsonArray& list = document["findings"].emplace_array();
  for (const Finding& finding : findings) {
    const graph::Coordinates& id = finding.object;
    JsonObject entry{{"severity", Code(SeverityOf(finding))},
                     {"fault", graph::Code(finding.fault)},
                     {"apiVersion", id.api_version},
                     {"kind", id.kind},
                     {"namespace", OrNull(id.ns)},
                     {"name", id.name},
                     {"uid", id.uid},
                     {"owner", nullptr},
                     {"isDeleted", finding.deleted},
                     {"detail", OrNull(finding.detail)},
                     {"consequence", graph::Consequence(finding.fault)},
                     {"remedy", OrNull(finding.remedy)}};
    const graph::OwnerReference& owner = finding.reference;
    if (!owner.uid.empty()) {
      entry["owner"] = JsonObject{{"apiVersion", owner.api_version},
                                  {"kind", owner.kind},
                                  {"name", owner.name},
                                  {"uid", owner.uid}};
    }
    list.push_back(std::move(entry));
  }
  return document;
}

std::string Summary(const std::vector<Finding>& findings) {
  const auto errors =
      static_cast<std::size_t>(std::ranges::count(findings, Severity::kError, graph::SeverityOf));
  return base::Count(errors, "error") + ", " + base::Count(findings.size() - errors, "warning") +
         ".\n";
}

// One paragraph per finding.
std::string RenderWide(const std::vector<Finding>& findings, const Style& style) {
  std::string text;
  for (const Finding& finding : findings) {
    const bool error = SeverityOf(finding) == Severity::kError;
    text += Paint(style, error ? Color::kRed : Color::kYellow, Code(SeverityOf(finding)));
    text += ": " + Clean(graph::NameOf(finding.object)) + ": " +
            std::string(graph::Code(finding.fault));
    if (const std::string owner = OwnerOf(finding); !owner.empty()) text += ", owner " + owner;
    if (!finding.detail.empty()) text += " (" + Clean(finding.detail) + ")";
    text += "\n  " + std::string(graph::Consequence(finding.fault)) + "\n";
    if (!finding.remedy.empty()) text += "  remedy: " + Clean(finding.remedy) + "\n";
  }
  return text;
}

std::string RenderTable(const std::vector<Finding>& findings, const Style& style) {
  Table table(
      {{"SEVERITY"}, {"OBJECT"}, {"FAULT"}, {"OWNER"}, {"DETAIL", Align::kLeft, Cut::kDrop}});
  for (const Finding& finding : findings) {
    const bool error = SeverityOf(finding) == Severity::kError;
    table.Add({{std::string(Code(SeverityOf(finding))), error ? Color::kRed : Color::kYellow},
               {Clean(graph::NameOf(finding.object))},
               {std::string(graph::Code(finding.fault))},
               {OwnerOf(finding).empty() ? "-" : OwnerOf(finding)},
               {Clean(finding.detail)}});
  }
  return table.Render(style);
}

}  // namespace

std::string RenderLint(const std::vector<Finding>& findings, const Style& style) {
  if (IsDocument(style)) return Write(LintDocument(findings), style.format);
  if (findings.empty()) return "Nothing is wrong with owner references and finalizers.\n";
  if (style.format == Format::kWide) return RenderWide(findings, style) + "\n" + Summary(findings);
  return RenderTable(findings, style) + "\n" + Summary(findings) +
         "-o wide tells what follows from each and what to do.\n";
}

}  // namespace ebb::report
