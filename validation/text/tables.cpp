#include "validation/text/tables.hpp"

#include <fmt/format.h>

#include <vector>

#include "algorithms/errors.hpp"
#include "algorithms/text/printable.hpp"
#include "validation/records/fields.hpp"
#include "validation/records/quickest.hpp"
#include "validation/text/text_table.hpp"
#include "validation/text/units.hpp"

namespace isthmus {
namespace {

/// A CSV field: quoted where it must be, quotes doubled.
std::string field(const std::string& raw) {
  const std::string text = printable(raw);
  if (text.find_first_of(",\"") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

/// A value as a CSV field: numbers in full, nothing where it is unknown.
std::string plain(const nlohmann::ordered_json& value) {
  if (value.is_string()) return field(value.get_ref<const std::string&>());
  if (value.is_number_float()) return fmt::format("{}", value.get<double>());
  return value.is_null() ? "" : value.dump();
}

std::string over(double factor) { return fmt::format("{:.{}f}", factor, factor < 9.995 ? 2 : factor < 99.95 ? 1 : 0); }

}  // namespace

Format format_named(std::string_view name) {
  if (name == "table") return Format::table;
  if (name == "csv") return Format::csv;
  if (name == "json") return Format::json;
  throw BadInput(fmt::format("unknown format `{}`; there are table, csv, json", name));
}

std::string record_table(std::span<const Record> records, bool colour) {
  TextTable table({{"source", "", Align::left},
                   {"platform", "", Align::left},
                   {"algorithm", "", Align::left},
                   {"bytes", ""},
                   {"segment", ""},
                   {"ranks", ""},
                   {"root", ""},
                   {"time", "ms"},
                   {"bound", "ms"},
                   {"time/bound", ""}});
  for (const Record& record : records) {
    const auto factor = over_bound(record.seconds, record.bound_seconds);
    table.add({label(record.source), record.platform, record.collective + "/" + record.plan, format_bytes(record.bytes),
               record.segment_bytes ? format_bytes(*record.segment_bytes) : std::string(), std::to_string(record.ranks),
               std::to_string(record.root), format_milliseconds(record.seconds),
               factor ? format_milliseconds(record.bound_seconds) : std::string(),
               factor ? over(*factor) : std::string()});
  }
  return table.text(colour);
}

std::string csv_head() {
  std::vector<std::string_view> names;
  for (const RecordField& of : record_fields())
    if (of.in_csv) names.push_back(of.name);
  return fmt::format("{}", fmt::join(names, ","));
}

std::string csv_line(const Record& record) {
  std::vector<std::string> values;
  for (const RecordField& of : record_fields())
    if (of.in_csv) values.push_back(plain(value_of(record, of)));
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

std::string format_records(std::span<const Record> records, Format format, bool colour) {
  if (format == Format::table) return record_table(records, colour);
  if (format == Format::csv) return record_csv(records);
  std::string text;
  for (const Record& record : records) text += json_line(record) + "\n";
  return text;
}

std::string comparison_table(const Comparison& comparison, bool colour, const IsMissed& is_missed) {
  const bool has_errors = comparison.sources.size() > 1;
  std::string text;
  for (std::size_t begin = 0; begin < comparison.rows.size();) {
    const ComparisonRow& first = comparison.rows[begin];
    const auto same_scene = [&](const ComparisonRow& row) {
      return row.platform == first.platform && row.collective == first.collective && row.ranks == first.ranks &&
             row.root == first.root;
    };
    text += fmt::format("{}{} on {}, {} ranks, root {}{}\n\n", text.empty() ? "" : "\n", first.collective,
                        first.platform, first.ranks, first.root,
                        has_errors ? fmt::format("; errors against {}", name(comparison.reference)) : "");

    std::vector<TextTable::Column> columns = {{"algorithm", "", Align::left}, {"bytes", ""}};
    for (const Source source : comparison.sources) {
      columns.push_back({label(source), "ms"});
      if (has_errors && source != comparison.reference) columns.push_back({"error", "%"});
    }
    columns.push_back({"bound", "ms"});
    columns.push_back({fmt::format("{}/bound", name(comparison.reference)), ""});
    TextTable table(std::move(columns));

    std::size_t end = begin;
    for (; end < comparison.rows.size() && same_scene(comparison.rows[end]); ++end) {
      const ComparisonRow& row = comparison.rows[end];
      if (end > begin && row.algorithm != comparison.rows[end - 1].algorithm) table.gap();
      std::vector<TextTable::Cell> cells = {row.algorithm, format_bytes(row.bytes)};
      for (const Source source : comparison.sources) {
        const auto seconds = row.seconds(source);
        cells.emplace_back(seconds ? format_milliseconds(*seconds) : std::string());
        if (!has_errors || source == comparison.reference) continue;
        const auto error = row.error(source, comparison.reference);
        cells.emplace_back(error ? format_percent(*error) : std::string(), is_missed && is_missed(row, source));
      }
      cells.emplace_back(row.bound_seconds > 0 ? format_milliseconds(row.bound_seconds) : std::string());
      const auto factor = row.over_bound(comparison.reference);
      cells.emplace_back(factor ? over(*factor) : std::string());
      table.add(std::move(cells));
    }
    text += table.text(colour);
    begin = end;
  }
  return text;
}

}  // namespace isthmus
