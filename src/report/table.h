// Columns of text, aligned; cut to the terminal only where its width is known.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/style.h"
#include "report/text.h"

namespace ebb::report {

enum class Align { kLeft, kRight };
// What may be left out if the terminal is too narrow: nothing, all but one end, or the whole
// column, which goes before names become too short to be read.
enum class Cut { kNever, kKeepHead, kKeepTail, kDrop };

struct Column {
  std::string title;
  Align align = Align::kLeft;
  Cut cut = Cut::kNever;
};

struct Cell {
  std::string text;
  Color color = Color::kPlain;
};

class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  // One cell per column.
  void Add(std::vector<Cell> row);
  // A line across the table, for example where a target is reached.
  void AddRule(std::string text);

  // Title row (unless no_headers) and rows; nothing at all if there are no rows.
  std::string Render(const Style& style) const;

 private:
  struct Row {
    std::vector<Cell> cells;  // empty: a rule
    std::string rule;
  };

  std::vector<std::size_t> NaturalWidths(const Style& style) const;
  std::vector<std::size_t> Widths(const Style& style) const;
  bool CanBeCut(std::size_t column) const;
  void DropColumns(std::size_t room, std::vector<std::size_t>& widths) const;
  bool NarrowWidest(std::vector<std::size_t>& widths) const;
  std::string RenderRow(const std::vector<Cell>& cells, const std::vector<std::size_t>& widths,
                        const Style& style) const;

  std::vector<Column> columns_;
  std::vector<Row> rows_;
};

}  // namespace ebb::report
