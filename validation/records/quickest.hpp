// What maps and curves of results show: the quickest plan, the cost of a model's choice, the speed-up over a baseline,
// the distance to the bound and to a reference.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace isthmus {

/// A time of a plan. A cell is one call on one placed network; only times of one cell are compared.
struct CellTime {
  std::int64_t cell = 0;
  std::string plan;
  double seconds = 0;  ///< a NaN is ignored everywhere
};

/// The index of the smallest time of each cell, cells ascending; of equal ones the first.
std::vector<std::size_t> quickest(std::span<const CellTime> times);

/// What it costs in a cell to take the plan that a model finds quickest.
struct Penalty {
  std::size_t chosen = 0, best = 0;  ///< numbers of times of the reference
  double percent = 0;                ///< how much longer the chosen plan takes; no number where the best takes no time
};

/// One penalty for each cell in which model and reference have a plan in common, cells ascending. The model chooses
/// among plans that the reference has timed; if the reference timed a plan several times, the first counts.
std::vector<Penalty> penalties(std::span<const CellTime> model, std::span<const CellTime> reference);

/// Speed-up of each time over the plan `baseline` (its first time) in the same cell. None for the baseline itself,
/// where the baseline has no time, and for a time of 0.
std::vector<std::optional<double>> speed_ups(std::span<const CellTime> times, std::string_view baseline);

/// relative_error() of each time against the reference's first time of the same plan in the same cell.
std::vector<std::optional<double>> relative_errors(std::span<const CellTime> times,
                                                   std::span<const CellTime> reference);

/// seconds / reference - 1; none where the reference takes no time.
std::optional<double> relative_error(double seconds, double reference_s);

/// How many times the lower bound; none where no bound is known.
std::optional<double> over_bound(double seconds, double bound_s);

}  // namespace isthmus
