// Tables in CSV: cells between commas, without quotes. Empty lines and lines that begin with # are left out.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace isthmus {

struct CsvRow {
  int line = 0;
  std::vector<std::string> cells;  ///< without blanks around them
};

class CsvFile {
 public:
  /// Throws BadInput when the file cannot be read, or has no line.
  explicit CsvFile(const std::string& file);
  /// `file` is the name in messages.
  CsvFile(const std::string& text, std::string file);

  const std::string& file() const { return file_; }
  /// One or more; the first is the header.
  std::span<const CsvRow> rows() const { return rows_; }

  /// Throws BadInput `FILE:LINE: what`.
  [[noreturn]] void fail(const CsvRow& row, const std::string& what) const;

 private:
  std::string file_;
  std::vector<CsvRow> rows_;
};

}  // namespace isthmus
