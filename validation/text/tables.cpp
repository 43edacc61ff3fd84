#include "validation/text/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <vector>

#include "algorithms/errors.hpp"
#include "algorithms/text/counted.hpp"
#include "algorithms/text/near_matches.hpp"
#include "algorithms/text/printable.hpp"
#include "validation/records/fields.hpp"
#include "validation/records/quickest.hpp"
#include "validation/text/plan_text.hpp"
#include "validation/text/text_table.hpp"
#include "validation/text/units.hpp"
#include "validation/text/wrapped.hpp"

namespace isthmus {

std::string csv_field(const std::string& raw) {
  const std::string text = printable(raw);
  if (text.find_first_of(",\"") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

namespace {

/// A value as a CSV field: numbers in full, nothing where it is unknown.
std::string plain(const nlohmann::ordered_json& value) {
  if (value.is_string()) return csv_field(value.get_ref<const std::string&>());
  if (value.is_number_float()) return fmt::format("{}", value.get<double>());
  return value.is_null() ? "" : value.dump();
}

std::string milliseconds(const std::optional<double>& seconds) {
  return seconds ? format_milliseconds(*seconds) : std::string();
}

/// The end of a comparison's row: the bound, and the source's time as a multiple of it.
void add_bound(std::vector<TextTable::Cell>& cells, const ComparisonRow& row, Source source) {
  const auto factor = row.over_bound(source);
  cells.emplace_back(row.bound_seconds > 0 ? format_milliseconds(row.bound_seconds) : std::string());
  cells.emplace_back(factor ? format_factor(*factor) : std::string());
}

}  // namespace

Format format_named(std::string_view name, bool has_osu) {
  static constexpr std::string_view names[] = {"table", "csv", "json", "osu"};
  static constexpr Format formats[] = {Format::table, Format::csv, Format::json, Format::osu};
  const std::span<const std::string_view> known(names, has_osu ? 4 : 3);
  for (std::size_t i = 0; i < known.size(); ++i)
    if (name == known[i]) return formats[i];
  throw BadInput(fmt::format("unknown format `{}`{}", excerpt(name), near_matches(name, known)));
}

std::string csv_head() {
  std::vector<std::string_view> names;
  for (const RecordField& of : record_fields())
    if (of.in_csv) names.push_back(of.name);
  names.insert(names.end(), std::begin(csv_extras), std::end(csv_extras));
  return fmt::format("{}", fmt::join(names, ","));
}

std::string csv_line(const Record& record) {
  std::vector<std::string> values;
  for (const RecordField& of : record_fields())
    if (of.in_csv) values.push_back(plain(value_of(record, of)));
  for (const std::string_view name : csv_extras) {
    const auto known = record.extra.find(name);
    values.push_back(known == record.extra.end() ? "" : plain(*known));
  }
  return fmt::format("{}", fmt::join(values, ","));
}

std::string record_csv(std::span<const Record> records) {
  std::string text = csv_head() + "\n";
  for (const Record& record : records) text += csv_line(record) + "\n";
  return text;
}

std::string json_line(const Record& record) {
  return to_json(record).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string format_records(std::span<const Record> records, Format format, Look look) {
  if (format == Format::table) return record_table(records, look);
  if (format == Format::csv) return record_csv(records);
  if (format == Format::osu) return record_osu(records);
  std::string text;
  for (const Record& record : records) text += json_line(record) + "\n";
  return text;
}

namespace {

/// The rows of one platform, collective, number of ranks and root, algorithm by algorithm.
TextTable table_by_algorithm(std::span<const ComparisonRow> rows, const Comparison& comparison,
                             const IsMissed& is_missed) {
  const bool has_errors = comparison.sources.size() > 1;
  std::vector<TextTable::Column> columns = {{"algorithm", "", Align::left}, {"bytes", ""}};
  for (const Source source : comparison.sources) {
    columns.push_back({label(source), "ms"});
    if (has_errors && source != comparison.reference) columns.push_back({"error", "%"});
  }
  columns.push_back({"bound", "ms"});
  columns.push_back({fmt::format("{}/bound", name(comparison.reference)), ""});
  TextTable table(std::move(columns));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const ComparisonRow& row = rows[i];
    if (i > 0 && row.algorithm != rows[i - 1].algorithm) table.gap();
    std::vector<TextTable::Cell> cells = {short_plan(row.algorithm), format_bytes(row.bytes)};
    for (const Source source : comparison.sources) {
      cells.emplace_back(milliseconds(row.seconds(source)));
      if (!has_errors || source == comparison.reference) continue;
      const auto error = row.error(source, comparison.reference);
      cells.emplace_back(error ? format_percent(*error) : std::string(), is_missed && is_missed(row, source));
    }
    add_bound(cells, row, comparison.reference);
    table.add(std::move(cells));
  }
  return table;
}

/// The same rows size by size, with the plan that was run; a time out of tolerance is marked.
TextTable table_by_size(std::span<const ComparisonRow> rows, const Comparison& comparison, const IsMissed& is_missed) {
  std::vector<TextTable::Column> columns = {{"bytes", ""}, {"algorithm", "", Align::left}};
  for (const Source source : comparison.sources) columns.push_back({label(source), "ms"});
  columns.push_back({"bound", "ms"});
  columns.push_back({fmt::format("{}/bound", name(comparison.reference)), ""});
  columns.push_back({"chosen", "", Align::left});
  TextTable table(std::move(columns));
  const std::vector<ComparisonRow> sorted = quickest_first(rows, comparison.reference);
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const ComparisonRow& row = sorted[i];
    if (i > 0 && row.bytes != sorted[i - 1].bytes) table.gap();
    std::vector<TextTable::Cell> cells = {format_bytes(row.bytes), short_plan(row.algorithm)};
    for (const Source source : comparison.sources)
      cells.emplace_back(milliseconds(row.seconds(source)), is_missed && is_missed(row, source));
    add_bound(cells, row, comparison.reference);
    cells.emplace_back(short_plan(row.chosen(comparison.reference)));
    table.add(std::move(cells));
  }
  return table;
}

}  // namespace

std::string comparison_table(const Comparison& comparison, Look look, const IsMissed& is_missed, bool by_size) {
  const std::span<const ComparisonRow> rows = comparison.rows;
  std::string text;
  for (std::size_t begin = 0, end = 0; begin < rows.size(); begin = end) {
    const ComparisonRow& first = rows[begin];
    while (end < rows.size() && same_scene(first, rows[end])) ++end;
    std::string remark;
    if (by_size) {
      remark = fmt::format("; quickest by {} first", name(comparison.reference));
    } else if (comparison.sources.size() > 1) {
      remark = fmt::format("; errors against {}", name(comparison.reference));
    }
    const std::string heading = fmt::format("{} on {}, {}, root {}{}", first.collective, first.platform,
                                            counted(first.ranks, "rank"), first.root, remark);
    text += (text.empty() ? "" : "\n") + wrapped("", heading, look.width) + "\n";
    const std::span<const ComparisonRow> some = rows.subspan(begin, end - begin);
    const TextTable table = (by_size ? table_by_size : table_by_algorithm)(some, comparison, is_missed);
    text += table.text(look.colour, look.width);
    if (table.has_alarming()) text += "* out of tolerance\n";
  }
  return text;
}

}  // namespace isthmus
