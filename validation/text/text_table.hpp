// A table of aligned columns for a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "algorithms/text/characters.hpp"
#include "algorithms/text/printable.hpp"

namespace isthmus {

enum class Align { left, right };

/// Cells are UTF-8, as wide as text_width() says; control characters are escaped. An empty cell is drawn as `-`;
/// the unit of a column is in a second header line.
class TextTable {
 public:
  struct Column {
    std::string head;
    std::string unit;
    Align align = Align::right;
  };
  struct Cell {
    Cell(const std::string& of = {}, bool is_alarming = false) : text(printable(of)), alarming(is_alarming) {}
    bool is_starred() const { return alarming && !text.empty(); }
    std::string text;
    bool alarming;  ///< a star stands behind it; it is red where there is colour
  };

  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// One cell a column.
  void add(std::vector<Cell> row) { rows_.push_back(std::move(row)); }
  /// An empty line before the next row.
  void gap() { rows_.emplace_back(); }

  /// Lines that end with a newline and have no blanks at their ends. Colour (ANSI) is for a terminal only. A table
  /// wider than `max_width` has the cells of its widest left-aligned column broken into several lines; 0: no limit.
  std::string text(bool colour, std::size_t max_width = 0) const;

  /// Whether a cell has a star, which the text below the table should explain.
  bool has_alarming() const;

 private:
  struct Widths {
    std::vector<std::size_t> of_columns;
    std::size_t broken_column;  // the number of columns: none
  };
  Widths widths_within(std::size_t max_width) const;
  std::vector<bool> starred_columns() const;

  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;  // an empty one is a gap
};

}  // namespace isthmus
