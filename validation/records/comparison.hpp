// Records side by side: one row a point, one column a source.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "validation/records/record.hpp"

namespace isthmus {

/// A question: the same for all sources that answer it.
struct ComparisonRow {
  std::string platform;
  std::string collective;
  std::string algorithm;  ///< the plan as asked for
  std::int64_t bytes = 0;
  int ranks = 0;
  int root = 0;
  double bound_seconds = 0;              ///< the lowest of the records: that of the emulation leaves overheads out
  std::vector<const Record*> by_source;  ///< one for each of all_sources; null where there is none

  const Record* of(Source source) const { return by_source[static_cast<std::size_t>(source)]; }
  std::optional<double> seconds(Source source) const;
  /// Relative to another source: seconds / the other's - 1. None where one of the two is missing.
  std::optional<double> error(Source source, Source against) const;
  /// Time over the record's own lower bound; none without a bound or a record.
  std::optional<double> over_bound(Source source) const;
  /// The plan that was run, less what `algorithm` says already: the whole plan, its parameters, or nothing. It is that
  /// of the source, or of another source if this one has no record.
  std::string chosen(Source source) const;
};

/// Whether two rows are of one platform, collective, number of ranks and root.
bool same_scene(const ComparisonRow& a, const ComparisonRow& b);

struct Comparison {
  std::vector<Source> sources;  ///< those that have records, in the order of all_sources
  Source reference = Source::emulated;
  std::vector<ComparisonRow> rows;  ///< platforms, collectives and algorithms in the order of arrival, bytes ascending
};

/// Holds pointers into `records`, which must outlive it. Errors are relative to `reference` if it has records, else to
/// the last source that has any. If there are several records for one cell, the last counts.
Comparison compare(std::span<const Record> records, Source reference = Source::emulated);

/// Sorts the rows of each platform, collective, number of ranks and root by size; within a size the quickest by
/// `source` first, rows without a record of it last. The sort is stable.
std::vector<ComparisonRow> quickest_first(std::span<const ComparisonRow> rows, Source source);

}  // namespace isthmus
