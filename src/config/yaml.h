// One strict reader for every YAML or JSON file we look at: text in, a small tree out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ebb::config {

struct Entry;

// A scalar stays the text that was written; whoever knows the key decides what it means. So
// "012", "yes" and "1e3" are never numbers or booleans by accident.
struct YamlNode {
  enum class Kind { kScalar, kMap, kSequence };
  Kind kind = Kind::kScalar;
  int line = 1;
  std::string text;             // kScalar: without its quotes; empty for null
  bool quoted = false;          // kScalar: "85" in quotes (or a block) is text and never a number
  std::vector<Entry> entries;   // kMap, in the order written; no key twice
  std::vector<YamlNode> items;  // kSequence

  // Nothing after the colon, or null.
  bool IsNull() const { return kind == Kind::kScalar && !quoted && text.empty(); }
};

struct Entry {
  std::string key;
  int line = 1;
  YamlNode value;
};

// The value of `key`, or null if `map` is no map or has no such key.
const YamlNode* Find(const YamlNode& map, std::string_view key);

// Reads one document. Refused with kUsage and "file:line: what is wrong": text that is no YAML or
// no UTF-8, control characters, duplicate keys, keys that are not text, anchors, aliases, tags,
// a second document, nesting deeper than 32 levels, more than 1 MiB. An empty text is a null.
base::Result<YamlNode> ReadYaml(std::string_view text, std::string_view file);

// The error for a line of a file, in the one form all our messages about files have.
base::Error ErrorAt(std::string_view file, int line, std::string_view what);

}  // namespace ebb::config
