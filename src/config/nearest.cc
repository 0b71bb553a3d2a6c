#include "config/nearest.h"

#include <algorithm>
#include <vector>

namespace ebb::config {
namespace {

// A longer word is no misspelling of ours, and comparing it would take long.
constexpr std::size_t kLongest = 64;

std::string Fold(std::string_view word) {
  std::string folded;
  for (const char c : word) {
    if (c == '_' || c == '-') continue;
    folded += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return folded;
}

// Levenshtein distance, one row at a time.
std::size_t Distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j < row.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string Nearest(std::string_view word, std::span<const std::string_view> known) {
  if (word.size() > kLongest) return {};
  const std::string folded = Fold(word);
  // More than half of the word wrong is another word.
  std::size_t best = folded.size() / 2 + 1;
  std::string_view nearest;
  for (const std::string_view name : known) {
    const std::size_t distance = Distance(folded, Fold(name));
    if (distance >= best) continue;
    best = distance;
    nearest = name;
  }
  return std::string(nearest);
}

}  // namespace ebb::config
