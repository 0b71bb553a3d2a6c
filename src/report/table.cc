#include "report/table.h"

#include <algorithm>

namespace ebb::report {
namespace {

constexpr std::size_t kGap = 2;
constexpr std::size_t kReadable = 24;   // other columns are dropped before one is cut below this
constexpr std::size_t kNarrowest = 16;  // a column that is cut keeps at least this much
constexpr auto kDropped = static_cast<std::size_t>(-1);
constexpr std::string_view kEllipsis = "…";

std::string CutTo(const std::string& text, std::size_t width, Cut cut) {
  if (Width(text) <= width || (cut != Cut::kKeepHead && cut != Cut::kKeepTail)) return text;
  if (cut == Cut::kKeepHead) return std::string(Head(text, width - 1)).append(kEllipsis);
  return std::string(kEllipsis).append(Tail(text, width - 1));
}

std::string Rule(const std::string& text, std::size_t width) {
  std::string line = "── " + text + " ";
  while (Width(line) < width) line += "─";
  return line;
}

std::size_t TotalOf(const std::vector<std::size_t>& widths) {
  std::size_t total = 0;
  for (const std::size_t width : widths) {
    if (width != kDropped) total += width + kGap;
  }
  return total - std::min(total, kGap);
}

}  // namespace

void Table::Add(std::vector<Cell> row) {
  for (Cell& cell : row) cell.text = Clean(cell.text);
  row.resize(columns_.size());
  rows_.push_back({std::move(row), {}});
}

void Table::AddRule(std::string text) {
  rows_.push_back({{}, std::move(text)});
}

bool Table::CanBeCut(std::size_t column) const {
  return columns_[column].cut == Cut::kKeepHead || columns_[column].cut == Cut::kKeepTail;
}

std::vector<std::size_t> Table::NaturalWidths(const Style& style) const {
  std::vector<std::size_t> widths;
  widths.reserve(columns_.size());
  for (const Column& column : columns_) {
    widths.push_back(style.no_headers ? 0 : Width(column.title));
  }
  for (const Row& row : rows_) {
    for (std::size_t c = 0; c < row.cells.size(); ++c) {
      widths[c] = std::max(widths[c], Width(row.cells[c].text));
    }
  }
  return widths;
}

// From the right, until columns that can be cut would keep a readable width.
void Table::DropColumns(std::size_t room, std::vector<std::size_t>& widths) const {
  std::vector<std::size_t> least = widths;
  for (std::size_t c = 0; c < least.size(); ++c) {
    if (CanBeCut(c)) least[c] = std::min(least[c], kReadable);
  }
  for (std::size_t c = widths.size(); c-- > 0 && TotalOf(least) > room;) {
    if (columns_[c].cut == Cut::kDrop) least[c] = widths[c] = kDropped;
  }
}

// Takes one from the widest column that can be cut; false if none can give any more.
bool Table::NarrowWidest(std::vector<std::size_t>& widths) const {
  std::size_t* widest = nullptr;
  for (std::size_t c = 0; c < widths.size(); ++c) {
    if (!CanBeCut(c) || widths[c] <= kNarrowest) continue;
    if (widest == nullptr || widths[c] > *widest) widest = &widths[c];
  }
  if (widest != nullptr) --*widest;
  return widest != nullptr;
}

std::vector<std::size_t> Table::Widths(const Style& style) const {
  std::vector<std::size_t> widths = NaturalWidths(style);
  if (style.width == 0 || style.no_trunc) return widths;
  DropColumns(style.width, widths);
  while (TotalOf(widths) > style.width && NarrowWidest(widths)) {
  }
  return widths;
}

std::string Table::RenderRow(const std::vector<Cell>& cells, const std::vector<std::size_t>& widths,
                             const Style& style) const {
  std::string line;
  std::size_t pending = 0;  // spaces owed: written only if something follows
  for (std::size_t c = 0; c < cells.size(); ++c) {
    if (widths[c] == kDropped) continue;
    const std::string text = CutTo(cells[c].text, widths[c], columns_[c].cut);
    const std::size_t space = widths[c] - std::min(widths[c], Width(text));
    if (columns_[c].align == Align::kRight) pending += space;
    if (!text.empty()) {
      line.append(pending, ' ').append(Paint(style, cells[c].color, text));
      pending = 0;
    }
    pending += kGap + (columns_[c].align == Align::kLeft ? space : 0);
  }
  return line += '\n';
}

std::string Table::Render(const Style& style) const {
  if (rows_.empty()) return {};
  const std::vector<std::size_t> widths = Widths(style);
  const std::size_t total = TotalOf(widths);
  std::string text;
  if (!style.no_headers) {
    std::vector<Cell> titles;
    titles.reserve(columns_.size());
    for (const Column& column : columns_) titles.push_back({column.title, Color::kBold});
    text += RenderRow(titles, widths, style);
  }
  for (const Row& row : rows_) {
    text += row.cells.empty() ? Paint(style, Color::kGreen, Rule(row.rule, total)) + "\n"
                              : RenderRow(row.cells, widths, style);
  }
  return text;
}

}  // namespace ebb::report
