// A log that only remembers.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "engine/ports.h"

namespace ebb::testing {

class CollectedLog : public engine::Log {
 public:
  struct Line {
    Level level;
    std::string message;
  };

  void Write(Level level, std::string_view message) override {
    lines.push_back({level, std::string(message)});
  }
  bool Contains(std::string_view text) const {
    return std::ranges::any_of(
        lines, [&](const Line& line) { return line.message.find(text) != std::string::npos; });
  }

  std::vector<Line> lines;
};

}  // namespace ebb::testing
