// Records as people and programs read them: aligned tables, CSV, JSON lines.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "validation/records/comparison.hpp"
#include "validation/records/record.hpp"

namespace isthmus {

enum class Format { table, csv, json };
/// Throws BadInput with the names there are.
Format format_named(std::string_view name);

/// One line a record; times in milliseconds.
std::string record_table(std::span<const Record> records, bool colour);
/// A CSV field: quoted where it must be, quotes doubled, control characters escaped.
std::string csv_field(const std::string& raw);
/// RFC 4180 with a line of heads; seconds and bytes as plain numbers.
std::string record_csv(std::span<const Record> records);
std::string csv_head();
std::string csv_line(const Record& record);
/// One JSON object, without a newline.
std::string json_line(const Record& record);

/// All records in any format. To print records as they come, use csv_line() and json_line().
std::string format_records(std::span<const Record> records, Format format, bool colour);

/// Whether a source's error in a row is out of tolerance: such cells are red on a terminal with colours.
using IsMissed = std::function<bool(const ComparisonRow&, Source)>;

/// One row a point: each source's milliseconds and its error against the reference, then the bound and the distance to
/// it. One block a platform and collective, under a heading. `by_size`: sorted by size, within a size the quickest
/// first, with the plan that was run in place of errors.
std::string comparison_table(const Comparison& comparison, bool colour, const IsMissed& is_missed = {},
                             bool by_size = false);

}  // namespace isthmus
