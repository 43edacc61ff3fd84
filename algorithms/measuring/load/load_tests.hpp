// Rates under load: which routes between the parts of groups share a link, found by several of them at once.
//
// Measured one after the other, the rates of pairs mislead where pairs share an exit, an entrance or a line (Mohapatra
// et al. 2025: WANify, gauging and balancing runtime WAN bandwidth for geo-distributed data analytics).
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/measuring/load/joined_links.hpp"
#include "algorithms/measuring/load/route_loads.hpp"

namespace isthmus {

/// Directions whose rates differ by more than this are two links, however they disturb each other: where frames are
/// lost, tests of both at once are uncertain.
constexpr double alike_both_ways = 0.5;

struct LoadResult {
  std::vector<SharedLink> shared;
  std::map<std::pair<int, int>, double> capacity_Bps;  ///< of links between parts that carry more than one stream does
  std::set<std::pair<int, int>> one_stream_each;       ///< links that limit each stream alone, however many there are
  std::set<std::pair<int, int>> half_duplex;           ///< both directions are one link; the lower part first
  std::set<int> half_duplex_hosts;                     ///< stars whose hosts have one link each for both directions
};

/// For each group:
///   all      every part sends to every other; routes that are not slower then need no further test but `streams`
///   bus      each host of a star sends to the next, all at once; if they slow each other, every other host sends to
///            the next, which tells a bus from links of one direction at a time
///   duplex   two parts send to each other at once; first disjoint pairs at the same time, then those alone that are
///            slower
///   streams  several hosts of one part send to as many of another; first disjoint pairs likewise
///   out      one part sends to all others at once, and if its group lies within another, to one part beyond
///   in       the same towards it; if these carry more than one of them alone, pairs of routes tell several links apart
///   line     every part sends to the n-th after it, for each n, routes that meet at a known link apart
///   joined   routes over links of equal rates, which may be one, then each other route with some of a line; lines that
///            other links explain are left out
LoadResult test_under_load(const LoadInput& input, const PairProber& prober);

}  // namespace isthmus
