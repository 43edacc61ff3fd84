#include "validation/text/text_table.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace isthmus {

namespace {

constexpr std::size_t gap_width = 2, continuation_indent = 2, min_broken_width = 16;

/// Pieces of at most `width` characters, broken behind a comma, colon, slash or blank where there is one; pieces after
/// the first are indented.
std::vector<std::string> broken(const std::string& text, std::size_t width) {
  std::vector<std::string> pieces;
  std::string line;
  std::size_t columns = 0, last_break = 0, last_break_columns = 0;
  for (std::size_t i = 0; i < text.size();) {
    const Character character = first_character(std::string_view(text).substr(i));
    const std::size_t next = i + std::max<std::size_t>(character.bytes, 1);
    const std::size_t own_width = text_width(std::string_view(text).substr(i, next - i));
    if (columns + own_width > width) {
      const std::size_t cut = last_break > continuation_indent ? last_break : line.size();
      pieces.push_back(line.substr(0, cut));
      line = std::string(continuation_indent, ' ') + line.substr(cut);
      columns = columns - (last_break > continuation_indent ? last_break_columns : columns) + continuation_indent;
      last_break = 0;
    }
    line += text.substr(i, next - i);
    columns += own_width;
    if (std::string_view(",:/ ").find(text[i]) != std::string_view::npos) {
      last_break = line.size();
      last_break_columns = columns;
    }
    i = next;
  }
  pieces.push_back(line);
  return pieces;
}

}  // namespace

std::vector<bool> TextTable::starred_columns() const {
  std::vector<bool> starred(columns_.size());
  for (const auto& row : rows_)
    for (std::size_t i = 0; i < row.size(); ++i) starred[i] = starred[i] || row[i].is_starred();
  return starred;
}

bool TextTable::has_alarming() const {
  return std::ranges::any_of(starred_columns(), [](bool starred) { return starred; });
}

TextTable::Widths TextTable::widths_within(std::size_t max_width) const {
  const std::vector<bool> starred = starred_columns();
  std::vector<std::size_t> widths;
  for (const Column& column : columns_) widths.push_back(std::max(text_width(column.head), text_width(column.unit)));
  for (const auto& row : rows_)
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], text_width(row[i].text) + (starred[i] ? 1 : 0));

  std::size_t total = 0, broken_column = columns_.size();
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    total += widths[i] + (i > 0 ? gap_width : 0);
    if (columns_[i].align == Align::left && (broken_column == columns_.size() || widths[i] > widths[broken_column]))
      broken_column = i;
  }
  if (max_width > 0 && total > max_width && broken_column < columns_.size()) {
    const std::size_t excess = total - max_width,
                      least = std::max(min_broken_width, text_width(columns_[broken_column].head));
    std::size_t& width = widths[broken_column];
    width = std::min(width, std::max(least, width > excess ? width - excess : 0));
  } else {
    broken_column = columns_.size();
  }
  return {std::move(widths), broken_column};
}

std::string TextTable::text(bool colour, std::size_t max_width) const {
  const Widths widths = widths_within(max_width);
  const std::vector<std::size_t>& of_columns = widths.of_columns;
  const std::size_t broken_column = widths.broken_column;
  const std::vector<bool> starred = starred_columns();
  const bool has_units = std::ranges::any_of(columns_, [](const Column& column) { return !column.unit.empty(); });
  std::string out;
  const auto line = [&](auto&& cell_of, std::string_view before, std::string_view after, bool of_head = false) {
    std::string plain, whole(before);
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const Cell cell = cell_of(i);
      const bool has_mark = starred[i] && !of_head;
      const std::string blanks(of_columns[i] - text_width(cell.text) - (has_mark ? 1 : 0), ' ');
      const bool red = colour && cell.alarming;
      std::string shown = red ? "\x1b[31m" + cell.text + "\x1b[0m" : cell.text;
      if (has_mark) shown += cell.is_starred() ? '*' : ' ';  // the ends of numbers stay below each other
      plain += (i > 0 ? "  " : "") + (columns_[i].align == Align::right ? blanks + shown : shown + blanks);
    }
    plain.erase(plain.find_last_not_of(' ') + 1);
    out += whole + plain + std::string(after) + "\n";
  };

  const std::string_view bold = colour ? "\x1b[1m" : "", normal = colour ? "\x1b[0m" : "";
  line([&](std::size_t i) { return Cell(columns_[i].head); }, bold, normal, true);
  if (has_units) line([&](std::size_t i) { return Cell(columns_[i].unit); }, "", "", true);
  for (const auto& row : rows_) {
    if (row.empty()) {
      out += "\n";
      continue;
    }
    std::vector<std::string> pieces;
    if (broken_column < row.size())
      pieces = broken(row[broken_column].text, of_columns[broken_column] - (starred[broken_column] ? 1 : 0));
    line(
        [&](std::size_t i) {
          Cell cell = row[i].text.empty() ? Cell("-") : row[i];
          if (i == broken_column && !row[i].text.empty()) cell.text = pieces.front();
          return cell;
        },
        "", "");
    for (std::size_t piece = 1; piece < pieces.size(); ++piece)
      line([&](std::size_t i) { return i == broken_column ? Cell(pieces[piece]) : Cell(); }, "", "");
  }
  return out;
}

}  // namespace isthmus
