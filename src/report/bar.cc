#include "report/bar.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "report/text.h"

namespace ebb::report {
namespace {

constexpr std::size_t kCells = 50;
constexpr std::string_view kFull = "█";
constexpr std::string_view kHalf = "▌";
constexpr std::string_view kEmpty = "░";

struct Letter {
  base::Percent at;
  std::string_view glyph;
  Color color = Color::kPlain;
};

// The last cell that `percent` fills: the bar has reached a mark when its letter is passed.
std::size_t CellOf(base::Percent percent) {
  const auto cell = static_cast<std::size_t>(std::clamp(percent.value, 0, 100)) * kCells / 100;
  return std::min(cell, kCells - 1);
}

std::string Draw(base::Percent used, const std::vector<Letter>& letters, const Style& style) {
  std::array<std::string, kCells> cells;
  const auto filled = static_cast<std::size_t>(std::clamp(used.value, 0, 100)) * kCells / 100;
  for (std::size_t i = 0; i < kCells; ++i) cells.at(i) = i < filled ? kFull : kEmpty;
  std::size_t next = 0;
  std::size_t left = letters.size();
  for (const Letter& letter : letters) {
    // Every letter still to come keeps a cell at the end of the bar.
    const std::size_t place = std::min(std::max(CellOf(letter.at), next), kCells - left--);
    cells.at(place) = Paint(style, letter.color, letter.glyph);
    next = place + 1;
  }
  std::string text = "[";
  for (const std::string& cell : cells) text += cell;
  return text += "]";
}

}  // namespace

std::string UsageBar(base::Percent used, const image::Marks& marks, const Style& style) {
  std::vector<Letter> letters = {{marks.low, "L", Color::kGreen},
                                 {marks.high, "H", Color::kYellow},
                                 {marks.critical, "C", Color::kRed}};
  if (marks.kubelet_high) letters.push_back({*marks.kubelet_high, "K", Color::kBold});
  std::ranges::stable_sort(letters, {}, &Letter::at);
  return Draw(used, letters, style);
}

std::string UsageBar(base::Percent used, const Style& style) {
  return Draw(used, {}, style);
}

std::string ShareBar(base::Bytes part, base::Bytes whole, std::size_t cells) {
  if (part.count <= 0 || whole.count <= 0) return {};
  const double share = static_cast<double>(part.count) / static_cast<double>(whole.count);
  const auto most = static_cast<double>(2 * cells);
  const auto halves = static_cast<std::size_t>(std::clamp(std::round(share * most), 1.0, most));
  std::string text;
  for (std::size_t i = 0; i < halves / 2; ++i) text += kFull;
  if (halves % 2 == 1) text += kHalf;
  return text;
}

}  // namespace ebb::report
