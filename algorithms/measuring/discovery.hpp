// Discovery: finds a network by measurements between hosts of which only the names are known.
//
// Round trips of empty messages show which hosts are near each other, and so the groups (measuring/group_tree.hpp).
// Long messages show the bandwidth between the parts of each group; several at once show which of them share a link.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "algorithms/measuring/line_rate.hpp"
#include "algorithms/network/network.hpp"
#include "algorithms/text/note.hpp"

namespace isthmus {

struct DiscoverySettings {
  double alike = 2;  ///< a group is nearer than what is around it by this factor or more
  double eco_threshold =
      0;                 ///< above 0: one level of subnets, by the rule of ECO with this threshold (eco_subnets.hpp)
  int max_in_full = 32;  /**< number of hosts up to which every pair is measured; as many rounds as there are pairs of
                            them if `in_rounds`; see discover_network() */
  int repetitions = 10;  ///< of empty round trips at most; the quickest counts
  int long_repetitions = 3;           ///< of long ones at most
  std::int64_t long_bytes = 1 << 20;  ///< the longest message; see growing_rate_Bps()
  int max_passes = 6;                 ///< over all pairs, until the groups are the same after two of them
  bool in_rounds = false;             ///< disjoint pairs measure at the same time; each round counts as one pair
  bool datagrams = true;              ///< trains of datagrams measure the lines between distant hosts, if they arrive
  bool under_load = true;             ///< several pairs at once are measured, for links that they share
  double answer_s = 0;                ///< how long a rank may take to answer; 0: any time
  double budget_s = 0;                ///< for all measurements, by the prober's clock; 0: any time
  bool without_silent = false;        ///< ranks that do not answer are left out; else they end the discovery
  bool common_clock = false;          ///< all hosts read one clock: each direction has a latency of its own
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

/// A stream of messages from one host to another: `messages` of `bytes` each, all handed over at once; or, if it has a
/// rate, of datagrams at that rate.
struct ProbeStream {
  int from = 0, to = 0;
  std::int64_t bytes = 0;
  int messages = 0;
  double delay_s = 0;    ///< from the order at its sender to its start
  double arrival_s = 0;  ///< from the order at its receiver to the first arrival, if nothing delays it
  double rate_Bps = 0;   ///< of TCP's payload in frames of the same size as the datagrams'; 0: messages
};

/// The quickest of several round trips of a message and an empty answer.
struct RoundTrip {
  double seconds = 0;
  double send_s = 0;   ///< of the processor, to send an empty message
  double sooner_s = 0; /**< how much sooner the message arrived than half of the round trip says, if both hosts read the
                          same clock */
};

/// A line to be measured from one host to another.
struct ProbeLine {
  int from = 0, to = 0;
  double way_s = 0;        ///< half a round trip
  double message_Bps = 0;  ///< what one message gets
};

/// Thrown by a prober whose time is up.
struct BudgetSpent {};

/// Measurements between hosts. All throw Refused when a host does not answer.
struct PairProber {
  /// For each pair, all of them at once, `repetitions` round trips, or fewer when they are alike. No host is in two
  /// pairs. From a host to itself: between two of its ranks.
  std::function<std::vector<RoundTrip>(const std::vector<std::pair<int, int>>& pairs, std::int64_t bytes,
                                       int repetitions)>
      round_trips;
  /// For each pair, all of them at once, growing_rate_Bps() from the first host to the second.
  std::function<std::vector<double>(const std::vector<std::pair<int, int>>& pairs, std::int64_t max_bytes,
                                    int repetitions)>
      rates_Bps;
  /// For each stream, all of them at once: bytes per second that arrive from the end of the first quarter of `window_s`
  /// after `arrival_s` to nine tenths of it.
  std::function<std::vector<double>(const std::vector<ProbeStream>& streams, double window_s)> streams_Bps;
  /// For each line, all of them at once, line_rate(). Empty where there are no datagrams.
  std::function<std::vector<LineRate>(const std::vector<ProbeLine>& lines)> line_rates = {};
};

/// What was measured between two hosts, and what the network that was found gives for them.
struct MeasuredRoute {
  int from = 0, to = 0;                     ///< hosts
  double empty_s = 0, found_empty_s = 0;    ///< half a round trip of an empty message
  double rate_Bps = 0, found_rate_Bps = 0;  ///< of one message alone, or of the line if that was measured; 0: not
  double message_Bps = 0;                   ///< of one message alone where the line carries more; else 0
  double lost = 0;                          ///< share of the frames that did not arrive
};

/// What streams between hosts got together when all sent at once, and what they get in the network that was found,
/// where they share links fairly.
struct MeasuredLoad {
  int streams = 0;
  int from = 0, to = 0;  ///< hosts of the stream whose rate the network explains least
  double rate_Bps = 0, found_rate_Bps = 0;
};

struct Discovered {
  Network network;
  std::vector<MeasuredRoute> routes;  ///< every pair that was measured, by from and to
  std::vector<MeasuredLoad> loads;    ///< every test of several streams at once, as they came
  double seconds = 0;                 ///< that the measurements took, by the prober's clock; 0: not known
  std::vector<std::string> silent;    ///< ranks that were left out because they did not answer: `rank 2 (node-2)`
  std::vector<Note> notes;            ///< hosts that were left out, routes that the network does not explain
};

nlohmann::json to_json(const Discovered& discovered);
/// Reads what to_json() writes. Throws BadInput.
Discovered discovered_from_json(const nlohmann::json& json);

/// The network of the hosts, in their order: groups as zones (`site`, then `machine`, then `node`), and links as far as
/// measurements between hosts can distinguish them. Headers and frames are those of tcp_over_ethernet(). A latency is
/// half of a round trip less the time of a header and of a send. The overhead of a receive is that of a send, as in
/// LogP. Figures have as few digits as clocks and tests allow.
///
/// Every two parts of a group have a link for each direction, with the latency and the rate that were measured between
/// them, which all their hosts share. The latencies of both directions are the same unless all hosts read one clock:
/// round trips alone do not tell them apart. If hosts of a group cannot send to two others at their full rate, each has
/// one link out and one link in, as on a switch, with its own latency, or one link for both if it cannot send and
/// receive at once; else every two hosts have a link for each direction. If hosts that have nothing to do with each
/// other wait for each other, all have one link in common, as on an Ethernet cable, and none of their own unless they
/// are slower. A part that cannot send to (or receive from) all others at full rate has a link out (or in) that the
/// routes which slow each other share. Where the way out of a group is longer from some of its parts, these have a link
/// that is a latency only.
///
/// Where frames are lost, or a window is narrow, one message gets less than the line between two distant hosts carries.
/// Trains of datagrams measure the line then (line_rate()), and several at once what lines share; a note says so. Where
/// datagrams do not arrive, messages measure alone.
///
/// With more than `max_in_full` hosts the innermost groups come from samples (partition()), and a few representatives
/// of each are measured with those of the others. Hosts with several ranks have a loopback link. Latencies, and
/// bandwidths, within 5 % of each other inside a group are made equal.
///
/// When the prober's time is up during measurements under load, these are left out, with a note. Throws Refused when it
/// is up before, BadInput when there are fewer than two hosts, or two of one name.
Discovered discover_network(const std::vector<DiscoveredHost>& hosts, const DiscoverySettings& settings,
                            const PairProber& prober);

}  // namespace isthmus
