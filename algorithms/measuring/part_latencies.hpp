// Latencies of hosts' links, of the ways out of groups and of the lines between parts, from those of routes.
#pragma once

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "algorithms/measuring/partition.hpp"

namespace isthmus {

/// What was measured between two hosts.
struct MeasuredLatency {
  int one = 0, other = 0;  ///< hosts, which are the points of the groups
  double latency_s = 0;
  double scale_s = 0;  ///< an error counts relative to this; above 0
};

/// The latency of a route is the sum of those of both hosts, of the line between the two parts of a group that hold
/// them, and of the way out of each part that it leaves or enters inside these.
struct PartLatencies {
  std::vector<double> of_host;                 ///< seconds; 0 for hosts that are in no star
  std::vector<double> of_exit;                 ///< by part; 0 if routes leave all parts of its group alike
  std::map<std::pair<int, int>, double> line;  ///< by parts, the lower first; none for hosts of one star
  std::set<int> bent;                          ///< stars whose latencies are no sums: their hosts have lines
};

/// The least squares of relative errors. `stars`: groups of hosts, whether each of these has one link out and one in.
PartLatencies part_latencies(const Partition& groups, const std::map<int, bool>& stars,
                             const std::vector<MeasuredLatency>& routes);

}  // namespace isthmus
