// Runs, removals, regrets and samples as JSON: for -o json and -o yaml, and one a line for export.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "image/past.h"
#include "image/sample.h"
#include "report/json.h"

namespace ebb::report {

JsonObject ToJson(const image::PastRun& run);
JsonObject ToJson(const image::PastRemoval& removal);
JsonObject ToJson(const image::Regret& regret);
JsonObject ToJson(const image::Sample& sample);

template <class Value>
std::string WriteList(std::string_view kind, const std::vector<Value>& values, Format format) {
  JsonObject document = Document(kind);
  JsonArray& items = document["items"].emplace_array();
  items.reserve(values.size());
  for (const Value& value : values) items.push_back(ToJson(value));
  return Write(document, format);
}

// A run with its removals.
std::string WriteRun(const image::PastRun& run, const std::vector<image::PastRemoval>& removals,
                     Format format);

// One line each, a document of its own: whatever comes between, every line can be read alone.
std::string ExportLine(const image::PastRun& run);
std::string ExportLine(const image::PastRemoval& removal);
std::string ExportLine(std::string_view mountpoint, const image::Sample& sample);

}  // namespace ebb::report
