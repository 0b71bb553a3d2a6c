// How a report is to look. The caller knows the terminal and the environment; nothing here asks.
#pragma once

#include <cstddef>

namespace ebb::report {

enum class Format { kTable, kWide, kJson, kYaml, kName };

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
