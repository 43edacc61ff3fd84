#include "platforms/wide_area/site_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <span>
#include <string_view>

#include "algorithms/errors.hpp"
#include "algorithms/network/link_range.hpp"
#include "algorithms/text/near_matches.hpp"
#include "algorithms/text/printable.hpp"
#include "platforms/wide_area/csv.hpp"

namespace isthmus {
namespace {

std::string value_name(Quantity quantity) {
  switch (quantity) {
    case Quantity::latency:
      return fmt::format("a latency of 0 to {} s", max_latency_s);
    case Quantity::bandwidth:
      return fmt::format("a bandwidth of {} to {} B/s", min_bandwidth_Bps, max_bandwidth_Bps);
    case Quantity::price:
      break;
  }
  return "a price of 0 or more";
}

class TableReading {
 public:
  TableReading(const CsvFile& csv, Quantity quantity, bool symmetric)
      : csv_(csv), rows_(csv.rows()), quantity_(quantity), symmetric_(symmetric) {}

  SiteTable read() {
    const CsvRow& header = rows_.front();
    const bool pairs = header.cells.size() >= 2 && header.cells[0] == "source" && header.cells[1] == "destination";
    if (pairs) check_columns_of_pairs(header);
    const std::string_view unit = pairs ? header.cells[2] : header.cells[0];
    const auto scale = column_scale(quantity_, unit);
    if (!scale) csv_.fail(header, fmt::format("the header has `{}`; {} would be right", excerpt(unit), right_header()));
    scale_ = *scale;
    pairs ? read_pairs() : read_square();
    complete();
    return std::move(table_);
  }

 private:
  std::string right_header() const {
    const std::string_view names = column_names(quantity_);
    const std::string_view first = names.substr(0, names.find_first_of(", "));
    return fmt::format("`source,destination,{0}` or `{0},SITE,SITE ...`, where the value's name is one of {1},", first,
                       names);
  }

  /// A third column and no further one. Of several the first that has a value's name is that of the values.
  void check_columns_of_pairs(const CsvRow& header) const {
    constexpr std::size_t places = 2;
    if (header.cells.size() == places)
      csv_.fail(header, fmt::format("no column with values; {} would be right", right_header()));
    if (header.cells.size() == places + 1) return;
    std::size_t values = places;
    while (values < header.cells.size() && !column_scale(quantity_, header.cells[values])) ++values;
    if (values == header.cells.size()) values = places;
    const std::string& more = header.cells[values == places ? places + 1 : places];
    csv_.fail(header, fmt::format("column {} is too much; `source,destination,{}` alone would be right",
                                  more.empty() ? "without a name" : fmt::format("`{}`", excerpt(more)),
                                  excerpt(header.cells[values])));
  }

  std::size_t add_site(std::string_view name) {
    const auto [at, is_new] = numbers_.try_emplace(std::string(name), table_.sites.size());
    if (is_new) table_.sites.emplace_back(name);
    return at->second;
  }

  void read_pairs() {
    for (std::size_t i = 1; i < rows_.size(); ++i) {
      const CsvRow& row = rows_[i];
      if (row.cells.size() != 3)
        csv_.fail(row, fmt::format("{} cells; source, destination and value would be right", row.cells.size()));
      for (const std::size_t end : {0, 1})
        if (row.cells[end].empty())
          csv_.fail(row, fmt::format("no name of the {}; one would be right", end == 0 ? "source" : "destination"));
      add_site(row.cells[0]);
      add_site(row.cells[1]);
    }
    start_values();
    for (std::size_t i = 1; i < rows_.size(); ++i) {
      const CsvRow& row = rows_[i];
      put(row, numbers_.find(std::string(row.cells[0]))->second, numbers_.find(std::string(row.cells[1]))->second,
          row.cells[2]);
    }
  }

  void read_square() {
    const CsvRow& header = rows_.front();
    for (std::size_t column = 1; column < header.cells.size(); ++column) {
      const std::string_view name = header.cells[column];
      if (name.empty()) csv_.fail(header, fmt::format("column {} has no name; a site's would be right", column + 1));
      if (add_site(name) != column - 1)
        csv_.fail(header, fmt::format("column {} is there twice; once would be right", excerpt(name)));
    }
    start_values();
    std::vector<bool> seen(table_.size());
    for (std::size_t i = 1; i < rows_.size(); ++i) {
      const CsvRow& row = rows_[i];
      const std::string_view name = row.cells[0];
      const auto site = numbers_.find(std::string(name));
      if (site == numbers_.end()) {
        const std::vector<std::string_view> known(table_.sites.begin(), table_.sites.end());
        csv_.fail(row, fmt::format("row {} is no column{}", excerpt(name), near_matches(name, known)));
      }
      if (seen[site->second]) csv_.fail(row, fmt::format("row {} is there twice; once would be right", excerpt(name)));
      seen[site->second] = true;
      if (row.cells.size() != header.cells.size()) {
        csv_.fail(row, fmt::format("row {} has {} values; {}, one a column, would be right", excerpt(name),
                                   row.cells.size() - 1, table_.size()));
      }
      for (std::size_t to = 0; to < table_.size(); ++to)
        if (!row.cells[to + 1].empty()) put(row, site->second, to, row.cells[to + 1]);
    }
  }

  void start_values() {
    table_.values.assign(table_.size() * table_.size(), std::numeric_limits<double>::quiet_NaN());
    line_of_.assign(table_.values.size(), 0);
  }

  std::string pair_text(std::size_t from, std::size_t to) const {
    return fmt::format("row {}, column {}", excerpt(table_.sites[from]), excerpt(table_.sites[to]));
  }

  void put(const CsvRow& row, std::size_t from, std::size_t to, std::string_view text) {
    if (from == to) return;
    const auto value = number_in(text);
    if (!value || !in_range(quantity_, scale_(*value))) {
      const char* what = !value ? "no number" : *value < 0 ? "negative" : *value == 0 ? "no capacity" : "out of range";
      csv_.fail(row, fmt::format("{}: `{}` is {}; {} would be right", pair_text(from, to), excerpt(text), what,
                                 value_name(quantity_)));
    }
    int& line = line_of_[from * table_.size() + to];
    if (line != 0)
      csv_.fail(row, fmt::format("{}: also in line {}; one value would be right", pair_text(from, to), line));
    line = row.line;
    table_.values[from * table_.size() + to] = scale_(*value);
  }

  void complete() {
    const std::size_t n = table_.size();
    if (n < 2) throw BadInput(fmt::format("{}: {} site; 2 or more would be right", csv_.file(), n));
    for (std::size_t from = 0; from < n; ++from) {
      table_.values[from * n + from] = 0;
      for (std::size_t to = 0; to < n; ++to) {
        if (from == to || line_of_[from * n + to] != 0) continue;
        const int other = line_of_[to * n + from];
        if (symmetric_ && other != 0) {
          table_.values[from * n + to] = table_.at(to, from);
          continue;
        }
        throw BadInput(fmt::format("{}: {}: no value{}; {} would be right", csv_.file(), pair_text(from, to),
                                   other == 0 || symmetric_
                                       ? std::string()
                                       : fmt::format(", and line {} has one of the other direction", other),
                                   other == 0 || symmetric_ ? "one for each pair" : "one here, or --symmetric,"));
      }
    }
  }

  const CsvFile& csv_;
  std::span<const CsvRow> rows_;
  Quantity quantity_;
  bool symmetric_;
  UnitScale scale_;
  SiteTable table_;
  std::map<std::string, std::size_t> numbers_;  // of the sites, by name
  std::vector<int> line_of_;                    // of each value; 0: none
};

}  // namespace

SiteTable read_site_table(const std::string& file, Quantity quantity, bool symmetric) {
  const CsvFile csv(file);
  return TableReading(csv, quantity, symmetric).read();
}

}  // namespace isthmus
