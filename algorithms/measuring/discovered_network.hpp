// The network that measurements between hosts give.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "algorithms/measuring/discovery.hpp"
#include "algorithms/measuring/load/load_tests.hpp"
#include "algorithms/measuring/partition.hpp"
#include "algorithms/network/network.hpp"

namespace isthmus {

/// What was measured, by hosts unless it says otherwise.
struct MeasuredParts {
  std::vector<DiscoveredHost> hosts;
  Partition groups;
  std::vector<int> representatives;                 ///< by part: the host whose rates are those of the part
  std::map<std::pair<int, int>, double> empty_s;    ///< half a round trip; the lower host first
  std::map<std::pair<int, int>, double> sooner_s;   ///< see RoundTrip; likewise; none: not known
  bool lone_hosts_are_zones = true;                 ///< beside groups and hosts that they have lines of their own to
  double send_s = 0;                                ///< overhead of a send
  std::map<std::pair<int, int>, double> rates_Bps;  ///< of messages from the one to the other
  std::map<int, bool> stars;  ///< groups of hosts: whether each of these has one link out and one link in
  std::map<int, std::pair<double, double>> loopbacks;  ///< empty_s and rate_Bps
  LoadResult load;
};

/// See discover_network().
Network network_of(const MeasuredParts& parts);

}  // namespace isthmus
