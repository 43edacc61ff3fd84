// Shares of ways that follow a replay.
#pragma once

#include <span>

#include "algorithms/collective/packing.hpp"
#include "algorithms/collective/problem.hpp"

namespace isthmus {

/// The packing with more bytes on the ways whose last pieces came early, and fewer on those that came late: a forecast
/// does not know how pieces of several ways meet. `end_s`: when the last piece of each way came (packed/way_ends.hpp).
/// A way that came later than the mean by a share of the whole time loses `gain` times that share of its bytes. Bytes
/// move only between ways that serve the same; of each at least a ten-thousandth stays.
Packing balanced(const Packing& packing, Collective collective, std::span<const double> end_s, double gain);

/// Whether some ways serve the same.
bool has_shares_to_choose(const Packing& packing, Collective collective);

/// No other shares take less if all ways serve the same and each goes on at its rate: their mean end. 0 where ways
/// serve different data, so that those of one may make room for another.
double least_balanced_s(const Packing& packing, Collective collective, std::span<const double> end_s);

}  // namespace isthmus
