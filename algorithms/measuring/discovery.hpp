// Discovery: finds a network by measurements between hosts of which only the names are known.
//
// Round trips of empty messages show which hosts are near each other, and so the groups (measuring/partition.hpp). Long
// messages show the bandwidth between the parts of each group; two at once show whether they share it.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "algorithms/measuring/partition.hpp"
#include "algorithms/network/network.hpp"

namespace isthmus {

struct DiscoverySettings {
  double alike = 2;  ///< distances that differ by less than this factor belong to one level
  double eco_threshold =
      0;                 ///< above 0: one level of subnets, by the rule of ECO with this threshold (eco_subnets.hpp)
  int max_in_full = 32;  ///< number of hosts up to which every pair is measured; see partition()
  int repetitions = 10;  ///< of empty round trips; the quickest counts
  int long_repetitions = 3;  ///< of long ones
  std::int64_t long_bytes =
      1 << 20; /**< the longest message; bandwidth follows from the increase from half this size */
};

/// Sets the rule by which groups are found: `levels` (`alike`), or `eco` or `eco:THRESHOLD`. Throws BadInput.
void set_rule(DiscoverySettings& settings, std::string_view rule);

nlohmann::json to_json(const DiscoverySettings& settings);
/// Throws BadInput naming the key and what would be right.
DiscoverySettings discovery_settings_from_json(const nlohmann::json& json);

/// A host that runs ranks.
struct DiscoveredHost {
  std::string name;
  int ranks = 1;
};

/// Measurements between hosts.
struct PairProber {
  /// The quickest of `repetitions` round trips of a message of `bytes` and an empty answer, in seconds. From a host to
  /// itself: between two of its ranks.
  std::function<double(int from, int to, std::int64_t bytes, int repetitions)> round_trip_s;
  /// The same for two round trips at once: the mean over the repetitions of the longer one.
  std::function<double(std::pair<int, int> one, std::pair<int, int> other, std::int64_t bytes, int repetitions)>
      together_s;
};

/// The network of the hosts, in their order: groups as zones (`site`, then `machine`, then `node`), and links as far as
/// measurements between hosts can distinguish them. Headers and frames are those of tcp_over_ethernet(). A latency is
/// half of a round trip less the time of a header; it includes the overheads of both ends.
///
/// If hosts of a group cannot send to two others at their full rate, each has one link out and one link in, as on a
/// switch. If also messages in opposite directions, or of hosts that have nothing to do with each other, wait for each
/// other, the hosts have one link in common, as on an Ethernet cable. Else every two hosts have a link for each
/// direction. The same for groups, without the cable: every two parts of a group have a
/// link for each direction, which all their hosts share; if a part cannot send to two others at full rate it also has a
/// link out and a link in. With only two parts this cannot be measured, and makes no difference. With more than eight
/// parts only neighbouring parts are measured, and the median is used for the others. Hosts with several ranks have a
/// loopback link. Latencies, and bandwidths, within 5 % of each other are made equal.
///
/// Throws BadInput when there are fewer than two hosts, or two of one name.
Network discover_network(const std::vector<DiscoveredHost>& hosts, const DiscoverySettings& settings,
                         const PairProber& prober);

}  // namespace isthmus
