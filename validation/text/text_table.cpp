#include "validation/text/text_table.hpp"

#include <algorithm>
#include <string_view>

namespace isthmus {

std::size_t text_width(std::string_view text) {
  return std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
}

std::string TextTable::text(bool colour) const {
  std::vector<std::size_t> widths;
  bool has_units = false;
  for (const Column& column : columns_) {
    widths.push_back(std::max(text_width(column.head), text_width(column.unit)));
    has_units = has_units || !column.unit.empty();
  }
  for (const auto& row : rows_)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], text_width(row[i].text));

  std::string out;
  const auto line = [&](auto&& cell_of, std::string_view before, std::string_view after) {
    std::string plain, whole(before);
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const Cell cell = cell_of(i);
      const std::string blanks(widths[i] - text_width(cell.text), ' ');
      const bool red = colour && cell.alarming;
      std::string shown = red ? "\x1b[31m" + cell.text + "\x1b[0m" : cell.text;
      plain += (i > 0 ? "  " : "") + (columns_[i].align == Align::right ? blanks + shown : shown + blanks);
    }
    plain.erase(plain.find_last_not_of(' ') + 1);
    out += whole + plain + std::string(after) + "\n";
  };

  const std::string_view bold = colour ? "\x1b[1m" : "", normal = colour ? "\x1b[0m" : "";
  line([&](std::size_t i) { return Cell(columns_[i].head); }, bold, normal);
  if (has_units) line([&](std::size_t i) { return Cell(columns_[i].unit); }, "", "");
  for (const auto& row : rows_) {
    if (row.empty()) {
      out += "\n";
      continue;
    }
    line([&](std::size_t i) { return row[i].text.empty() ? Cell("-") : row[i]; }, "", "");
  }
  return out;
}

}  // namespace isthmus
