// What a plan along a packing does on a placed network: its sites by name, its ways with their shares, and what each
// link carries.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/collective/algorithm.hpp"
#include "algorithms/network/placed_network.hpp"
#include "algorithms/synthesis/commodities.hpp"
#include "algorithms/tuning/trials/link_load.hpp"

namespace isthmus {

struct MappedWay {
  Way way;
  double share = 0;  ///< of what the ways with the same ends move, above 0 to 1
  int from = -1;     ///< the first site of a path; the root of a tree
  int to = -1;       ///< the last site of a path; -1 for a tree
};

struct MappedLink : LinkLoad {
  bool inside = false;  ///< of one host alone, or used between ranks of one site too
};

/// What hosts of one site send to hosts of another.
struct MappedRoute {
  int from = -1, to = -1;  ///< sites
  double bytes = 0;
  std::vector<int> links;  ///< of all routes in use between the two, ascending
};

struct PackingMap {
  WayKind kind = WayKind::trees_out;
  std::vector<std::string> sites;   ///< by number: name of the group, or `rank 5`
  std::vector<MappedWay> ways;      ///< by their ends, the greatest share first
  std::vector<MappedLink> links;    ///< shared ones that messages use, the busiest first
  std::vector<MappedRoute> routes;  ///< by sites; those with messages

  /// How long a link is busy; 0 if no message uses it.
  double busy_s(int link) const;
  /// Of the busiest link; 0 without links.
  double busiest_s() const { return links.empty() ? 0 : links.front().seconds; }
};

/// Of a plan that has a packing and can serve the problem. Counts all messages of its schedule.
PackingMap packing_map(const PlacedNetwork& placed, const Problem& problem, const Plan& plan);

}  // namespace isthmus
