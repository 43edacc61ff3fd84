// Shares of ways that take turns on the links: what has farther to go passes first.
//
// The programme of a packing gives each way a rate, and the rates on a link add up to no more than its capacity, as if
// all ways used it from beginning to end. But bytes that come to a link after a time h (their head) and take a time t
// from there to their end (their tail) use it for T - h - t only, T being the horizon: for the rest of the time their
// share of the capacity is idle. If ways take turns, each link has to carry no more than this:
//
//   sum of load * bytes over the loads of head h or more and tail t or more <= capacity * (T - h - t)
//
// for each link, each h and each t. One link can always keep to that if it takes the longest tail first: like one
// machine whose jobs have tails (J. R. Jackson 1955, Scheduling a production line to minimize maximum tardiness), and
// heads too if they may be interrupted (W. A. Horn 1974, Some simple scheduling algorithms). Several links together may
// not, so a replay has to time the packing. There are very many such windows: those that a solution overfills are
// added, until it overfills none.
#pragma once

#include <vector>

#include "algorithms/ways/packing_programme.hpp"

namespace isthmus {

/// What a byte of a way takes from a row, and when: not before `head_s` and not in the last `tail_s` of the time.
struct TimedLoad {
  int row = 0;
  double amount = 0;
  double head_s = 0, tail_s = 0;
};

/// A way that may be used. The head and tail of a load add up to its latency at most.
struct WayInTurn {
  int commodity = 0;
  double latency_s = 0;
  std::vector<TimedLoad> loads;
};

/// What serves all demands.
struct Turns {
  double horizon_s = 0;       ///< a forecast that is too short
  std::vector<double> bytes;  ///< of each way
};

/// Two solutions: one for this horizon, and one for the least horizon that these inequalities allow. One if both are
/// the same; none if the ways do not serve a commodity within the horizon. `thrift` is what full links cost, as a share
/// of what the ways carry: with some, the solution that uses least of the links is found among those that are as good,
/// whatever the last digits of the rates.
std::vector<Turns> in_turns(const std::vector<WayInTurn>& ways, const std::vector<double>& capacity,
                            const std::vector<double>& demand, double horizon_s, double thrift);

}  // namespace isthmus
