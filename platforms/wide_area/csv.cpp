#include "platforms/wide_area/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "algorithms/errors.hpp"
#include "algorithms/process/whole_file.hpp"
#include "algorithms/text/lines.hpp"
#include "algorithms/text/parts.hpp"

namespace isthmus {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  while (!text.empty() && blanks.find(text.back()) != std::string_view::npos) text.remove_suffix(1);
  return text;
}

}  // namespace

CsvFile::CsvFile(const std::string& file) : CsvFile(read_whole_file(file, "a table in CSV would be right"), file) {}

CsvFile::CsvFile(const std::string& text, std::string file) : file_(std::move(file)) {
  int number = 0;
  for (const std::string_view line : lines_of(text)) {
    ++number;
    if (trimmed(line).empty() || line.starts_with('#')) continue;
    CsvRow& row = rows_.emplace_back(CsvRow{number, {}});
    for (const std::string_view cell : parts_of(line, ',')) row.cells.emplace_back(trimmed(cell));
    if (line.find('"') != std::string_view::npos) fail(row, "has a quote; cells without quotes would be right");
  }
  if (rows_.empty()) throw BadInput(fmt::format("{}: no line; a header and rows would be right", file_));
  const std::string& header = rows_.front().cells.front();
  if (rows_.front().cells.size() == 1)
    for (const auto& [separator, name] : {std::pair(';', "semicolons"), std::pair('\t', "tabs")})
      if (header.find(separator) != std::string::npos)
        fail(rows_.front(),
             fmt::format("its cells are separated by {}; commas, and points in numbers, would be right", name));
}

void CsvFile::fail(const CsvRow& row, const std::string& what) const {
  throw BadInput(fmt::format("{}:{}: {}", file_, row.line, what));
}

}  // namespace isthmus
