// What the fuzzers share: the input as text, and a way to fail.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace ebb::fuzz {

inline std::string_view Text(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// Takes what stands before the next `mark`, or all there is, off the front of `text`.
inline std::string_view TakeUntil(char mark, std::string_view& text) {
  const auto part = text.substr(0, text.find(mark));
  text.remove_prefix(part.size() < text.size() ? part.size() + 1 : part.size());
  return part;
}

// A promise that must hold for every input; the input is written where libFuzzer says.
inline void Require(bool holds, std::string_view promise, std::string_view seen = {}) {
  if (holds) return;
  (void)std::fprintf(stderr, "broken: %s: %s\n", std::string(promise).c_str(),
                     std::string(seen).c_str());
  std::abort();
}

}  // namespace ebb::fuzz
