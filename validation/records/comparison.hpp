// Records side by side: one row a point, one column a source.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "validation/records/record.hpp"

namespace isthmus {

/// What was asked, whoever answers.
struct ComparisonRow {
  std::string platform;
  std::string collective;
  std::string algorithm;  ///< the plan as asked for
  std::int64_t bytes = 0;
  int ranks = 0;
  int root = 0;
  double bound_seconds = 0;
  std::vector<const Record*> by_source;  ///< one for each of all_sources; null where there is none

  const Record* of(Source source) const { return by_source[static_cast<std::size_t>(source)]; }
  std::optional<double> seconds(Source source) const;
  /// Relative to another source: seconds / the other's - 1. None where one of the two is missing.
  std::optional<double> error(Source source, Source against) const;
  /// Time over the lower bound; none without a bound or a record.
  std::optional<double> over_bound(Source source) const;
  /// What was run in answer to `algorithm`, in the words that `algorithm` does not say already: the whole plan, or its
  /// parameters, or nothing. Of the source, or of another where it has no record.
  std::string chosen(Source source) const;
};

/// Whether two rows are of one platform, collective, number of ranks and root.
bool same_scene(const ComparisonRow& a, const ComparisonRow& b);

struct Comparison {
  std::vector<Source> sources;  ///< those that have records, in the order of all_sources
  Source reference = Source::emulated;
  std::vector<ComparisonRow> rows;  ///< platforms, collectives and algorithms in the order of arrival, bytes ascending
};

/// Points into `records`, which must outlive it. Errors are against `reference` if it has records, else against the
/// last source that has. Of several records for one cell the last counts.
Comparison compare(std::span<const Record> records, Source reference = Source::emulated);

/// The rows of each platform, collective, number of ranks and root with sizes ascending, and of each size the quickest
/// by `source` first; those without a record of it last. Those who are equally quick keep their order.
std::vector<ComparisonRow> quickest_first(std::span<const ComparisonRow> rows, Source source);

}  // namespace isthmus
