// How a report is to look. The caller knows the terminal and the environment; nothing here asks.
#pragma once

#include <cstddef>
#include <string_view>

namespace ebb::report {

enum class Format { kTable, kWide, kJson, kYaml, kName, kTree, kDot, kMermaid };

// "wide", "json", "yaml", "name", "tree", "dot", "mermaid"; everything else is a table.
constexpr Format ParseFormat(std::string_view word) {
  if (word == "wide") return Format::kWide;
  if (word == "json") return Format::kJson;
  if (word == "yaml") return Format::kYaml;
  if (word == "name") return Format::kName;
  if (word == "tree") return Format::kTree;
  if (word == "dot") return Format::kDot;
  if (word == "mermaid") return Format::kMermaid;
  return Format::kTable;
}

struct Style {
  Format format = Format::kTable;
  bool color = false;
  bool no_trunc = false;
  bool no_headers = false;
  std::size_t width = 0;  // terminal columns, 0 unknown
};

inline bool IsDocument(const Style& style) {
  return style.format == Format::kJson || style.format == Format::kYaml;
}

}  // namespace ebb::report
