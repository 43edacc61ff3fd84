// Discovery: a network found by measuring between hosts of which nothing but the names is known.
//
// Round trips of empty messages say which hosts lie near each other, and so the groups (topology/partition.hpp). Long
// messages say the bandwidth between the parts of each group, and two at once whether they share it.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/measuring/partition.hpp"
#include "algorithms/network/network.hpp"

namespace isthmus {

struct DiscoverySettings {
  double alike = 2;                  ///< distances that differ by less than this factor are of one level
  int max_in_full = 32;              ///< hosts up to which every pair is measured; see partition()
  int repetitions = 10;              ///< of empty round trips, of which the quickest counts
  int long_repetitions = 3;          ///< of long ones
  std::int64_t long_bytes = 1 << 20; /**< the longest message; bandwidth is the growth from half of it on */
};

nlohmann::json to_json(const DiscoverySettings& settings);
/// Throws BadInput naming the key and what would be right.
DiscoverySettings discovery_settings_from_json(const nlohmann::json& json);

/// A host that runs ranks.
struct DiscoveredHost {
  std::string name;
  int ranks = 1;
};

/// What can be measured between hosts.
struct PairProber {
  /// The quickest of so many round trips of a message of `bytes` and an empty answer, in seconds. From a host to
  /// itself: between two of its ranks.
  std::function<double(int from, int to, std::int64_t bytes, int repetitions)> round_trip_s;
  /// The same for two at once, on average over the repetitions; the longer of the two.
  std::function<double(std::pair<int, int> one, std::pair<int, int> other, std::int64_t bytes, int repetitions)>
      together_s;
};

/// The network of the hosts, in their order: groups as zones (`site`, then `machine`, then `node`), and links as far as
/// they can be told from outside. Headers and frames are those of tcp_over_ethernet(). Latencies are half of a round
/// trip less the time of a header, and hold the overheads of both ends.
///
/// Hosts of a group that cannot send to two others at their full rate have a link out and a link in each, as on a
/// switch; else every two have a link of their own for each direction. Likewise groups: every two of a group have a
/// link for each direction, which all their hosts share, and where a part cannot send to two others at full rate, the
/// part has a link out and a link in besides. Where there are but two parts, nobody can tell, and nothing depends on
/// it. Between more than eight parts, those next to each other are measured, and their median stands for the others.
/// Hosts with several ranks have a loopback link. Latencies, and bandwidths, within 5 % of each other are taken for
/// one.
///
/// Throws BadInput when there are fewer than two hosts, or two of one name.
Network discover_network(const std::vector<DiscoveredHost>& hosts, const DiscoverySettings& settings,
                         const PairProber& prober);

}  // namespace isthmus
