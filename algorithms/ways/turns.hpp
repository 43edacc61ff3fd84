// Shares of ways that take turns on the links: what has farther to go passes first.
//
// The programme of a packing gives each way a rate, and the rates on a link add up to no more than its capacity, as if
// all ways used it from beginning to end. A way of latency l has passed its links l before the horizon T; what passes
// a link from then on leaves room that no rate uses. Where ways take turns it is enough that of those of latency l or
// more each link carries no more than in T - l:
//
//   sum of load * bytes over the ways of latency l or more <= capacity * (T - l)   for each link and each l.
//
// That holds for each link by itself, as in scheduling one machine with tails (Jackson 1955); that all links keep to it
// at once is not sure, so that such a packing is one more to be replayed.
#pragma once

#include <vector>

#include "algorithms/ways/packing_programme.hpp"

namespace isthmus {

/// A way that may be used, and what a byte of it takes of the rows.
struct WayInTurn {
  int commodity = 0;
  double latency_s = 0;
  std::vector<RowLoad> loads;
};

/// What serves all demands.
struct Turns {
  double horizon_s = 0;       ///< a forecast that is too short
  std::vector<double> bytes;  ///< of each way
};

/// What suits this horizon best, and what suits the least horizon that may do. Only one where that is the same; none if
/// the ways do not serve a commodity within the horizon. `thrift` is the share of what the ways carry that full links
/// may cost: with some, the one of many solutions is found that uses least of the links, whatever the last digits of
/// their rates.
std::vector<Turns> in_turns(const std::vector<WayInTurn>& ways, const std::vector<double>& capacity,
                            const std::vector<double>& demand, double horizon_s, double thrift);

}  // namespace isthmus
