// Records as people and programs read them: aligned tables, CSV, JSON lines.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "validation/records/comparison.hpp"
#include "validation/records/record.hpp"
#include "validation/text/terminal.hpp"

namespace isthmus {

enum class Format { table, csv, json, osu };
/// Throws BadInput with the names there are. `osu` is for times of plans alone.
Format format_named(std::string_view name, bool has_osu = false);

/// `five-sites`, `five-sites with w12.bandwidth=x2`: a platform and how its links were changed.
std::string platform_text(const std::string& platform, std::span<const std::string> set_links);

/// One line a record under a heading; times in milliseconds. What is the same for all records is in the heading, and
/// has no column. With repetitions, the least time and half the 95 % confidence interval of the median (from
/// few_repetitions on; else half of the range) stand beside the median.
std::string record_table(std::span<const Record> records, Look look);
/// A CSV field: quoted where it must be, quotes doubled, control characters escaped.
std::string csv_field(const std::string& raw);
/// RFC 4180 with a line of heads; seconds and bytes as plain numbers.
std::string record_csv(std::span<const Record> records);
std::string csv_head();
std::string csv_line(const Record& record);
/// One JSON object, without a newline.
std::string json_line(const Record& record);

/// What OSU's micro-benchmarks print, sizes and microseconds, in a block for each plan with `#` before its heading.
std::string record_osu(std::span<const Record> records);

/// All records in any format. To print records as they come, use csv_line() and json_line().
std::string format_records(std::span<const Record> records, Format format, Look look);

/// Whether a source's error in a row is out of tolerance: such cells have a star, and are red where there is colour.
using IsMissed = std::function<bool(const ComparisonRow&, Source)>;

/// One row a point: each source's milliseconds and its error against the reference, then the bound and the distance to
/// it. One block a platform and collective, under a heading. `by_size`: sorted by size, within a size the quickest
/// first, with the plan that was run in place of errors.
std::string comparison_table(const Comparison& comparison, Look look, const IsMissed& is_missed = {},
                             bool by_size = false);

}  // namespace isthmus
