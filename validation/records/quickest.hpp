// What maps and curves of results show: which plan is quickest, what another's choice costs, how many times quicker
// than a baseline a plan is, how far from the bound and from a reference.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace isthmus {

/// A time of a plan. Times of one cell are of one call on one placed network: only they are compared.
struct CellTime {
  std::int64_t cell = 0;
  std::string plan;
  double seconds = 0;  ///< what is no number has no part in anything
};

/// The number of the least time of each cell, cells ascending; of equal ones the first.
std::vector<std::size_t> quickest(std::span<const CellTime> times);

/// What it costs in a cell to take the plan that a model finds quickest.
struct Penalty {
  std::size_t chosen = 0, best = 0;  ///< numbers of times of the reference
  double percent = 0;                ///< how much longer the chosen plan takes; no number where the best takes no time
};

/// For each cell in which both have a plan in common, cells ascending. Plans without a time of the reference are not
/// the model's choice; of several times of a plan in a cell the reference's first counts.
std::vector<Penalty> penalties(std::span<const CellTime> model, std::span<const CellTime> reference);

/// How many times quicker each is than the plan `baseline` (its first time) in the same cell; none for the baseline
/// itself, where it has no time, and for what takes no time.
std::vector<std::optional<double>> speed_ups(std::span<const CellTime> times, std::string_view baseline);

/// How far each lies from the reference's first time of the same plan and cell, see relative_error().
std::vector<std::optional<double>> relative_errors(std::span<const CellTime> times,
                                                   std::span<const CellTime> reference);

/// seconds / reference - 1; none where the reference takes no time.
std::optional<double> relative_error(double seconds, double reference_s);

/// How many times the lower bound; none where no bound is known.
std::optional<double> over_bound(double seconds, double bound_s);

}  // namespace isthmus
