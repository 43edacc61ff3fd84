#include <fmt/format.h>

#include <cmath>
#include <map>
#include <string_view>

#include "algorithms/errors.hpp"
#include "algorithms/text/printable.hpp"
#include "platforms/wide_area/csv.hpp"
#include "platforms/wide_area/from_tables.hpp"

namespace isthmus {
namespace {

enum class Field { site, hosts, host, exit, entrance };

struct Column {
  Field field;
  UnitScale scale = {};  // to bytes per second
};

/// `site`, `hosts`, or `host`, `exit`, `entrance` with a unit of bandwidth behind: `exit_MBps`.
std::optional<Column> column_named(std::string_view name) {
  if (name == "site") return Column{Field::site};
  if (name == "hosts") return Column{Field::hosts};
  const std::size_t at = name.rfind('_');
  if (at == std::string_view::npos) return {};
  const auto scale = column_scale(Quantity::bandwidth, fmt::format("bandwidth{}", name.substr(at)));
  if (!scale) return {};
  const std::string_view field = name.substr(0, at);
  if (field == "host") return Column{Field::host, *scale};
  if (field == "exit") return Column{Field::exit, *scale};
  if (field == "entrance") return Column{Field::entrance, *scale};
  return {};
}

}  // namespace

std::vector<SiteRow> read_site_rows(const std::string& file) {
  const CsvFile csv(file);
  const CsvRow& header = csv.rows().front();
  std::vector<Column> columns;
  std::map<Field, int> fields;
  for (const std::string& name : header.cells) {
    const auto column = column_named(name);
    if (!column) {
      csv.fail(header, fmt::format("no column is named `{}`; site, hosts, host_Gbps, exit_Gbps, entrance_Gbps would be "
                                   "right (Gbps: also Mbps, GBps, MBps)",
                                   excerpt(name)));
    }
    if (++fields[column->field] > 1)
      csv.fail(header, fmt::format("column {} is there twice; once would be right", excerpt(name)));
    columns.push_back(*column);
  }
  if (fields[Field::site] == 0) csv.fail(header, "no column `site`; one with the names of the sites would be right");
  std::vector<SiteRow> rows;
  std::map<std::string, int> line_of;
  for (const CsvRow& line : csv.rows().subspan(1)) {
    if (line.cells.size() != columns.size())
      csv.fail(line, fmt::format("{} cells; {}, one a column, would be right", line.cells.size(), columns.size()));
    SiteRow& row = rows.emplace_back();
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const std::string& cell = line.cells[i];
      const Column& column = columns[i];
      if (column.field == Field::site) {
        row.site = cell;
        continue;
      }
      if (cell.empty()) continue;
      const auto value = number_in(cell);
      const bool right = column.field == Field::hosts
                             ? value && *value >= 1 && *value <= max_hosts && *value == std::floor(*value)
                             : value && in_range(Quantity::bandwidth, column.scale(*value));
      if (!right) {
        csv.fail(
            line,
            fmt::format("column {}: `{}`; a number above 0{} would be right", excerpt(header.cells[i]), excerpt(cell),
                        column.field == Field::hosts ? fmt::format(", whole and up to {},", max_hosts) : ""));
      }
      if (column.field == Field::hosts) row.hosts = static_cast<int>(*value);
      if (column.field == Field::host) row.host_bandwidth_Bps = column.scale(*value);
      if (column.field == Field::exit) row.exit_Bps = column.scale(*value);
      if (column.field == Field::entrance) row.entrance_Bps = column.scale(*value);
    }
    int& before = line_of[row.site];
    if (row.site.empty()) csv.fail(line, "no name of the site; one would be right");
    if (before != 0)
      csv.fail(line,
               fmt::format("site {} is also in line {}; names that differ would be right", excerpt(row.site), before));
    before = line.line;
  }
  return rows;
}

}  // namespace isthmus
