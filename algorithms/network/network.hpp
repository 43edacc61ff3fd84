// The network: hosts, links, routes and cost parameters of a platform. It can be used without SimGrid.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/network/link_list.hpp"
#include "algorithms/network/name.hpp"
#include "algorithms/network/size_function.hpp"
#include "algorithms/network/zones.hpp"
#include "algorithms/topology/topology.hpp"

namespace isthmus {

/// A time that never comes; a rate that nothing limits.
inline constexpr double infinite = std::numeric_limits<double>::infinity();

/// shared: messages occupy the link in turn. fatpipe: the bandwidth limits each message; messages do not slow each
/// other. A SimGrid SPLITDUPLEX link is two shared links, `NAME_UP` and `NAME_DOWN`, one for each direction.
enum class Sharing : std::uint8_t { shared, fatpipe };

/// Measured costs of a class of links (local, site, wide area ...): P-LogP's functions of the message size in bytes, in
/// seconds (Kielmann 2000, section 2.1). On these links they replace the header and overheads of Transport.
struct LinkClass {
  std::string name;
  SizeFunction gap;  ///< time for which a message occupies a link
  SizeFunction send_overhead, receive_overhead;
  /// A factor on the gap, by the number of destinations (1 or more) whose messages are on the link or wait for it;
  /// empty: 1. Pjesivac-Grbovic 2005, section 6.2, found that messages to many destinations follow each other more
  /// quickly.
  std::vector<std::pair<int, double>> gap_factors = {};

  double gap_factor(int destinations) const;  ///< linear between the given numbers, constant outside
};

/// The state of a link from `at_s` after the start until its next step. Bandwidth 0: the link is cut.
struct LinkStep {
  double at_s = 0;
  double bandwidth_Bps = 0;
  double latency_s = 0;
};

struct Link {
  Name name;
  double bandwidth_Bps = 0;
  double latency_s = 0;
  Sharing sharing = Sharing::shared;
  int link_class = -1;      ///< in Network::classes; -1: cost from bandwidth and header
  double price_per_GB = 0;  ///< of 1e9 bytes of messages, in the platform's currency; 0: nothing
};

/// `endpoint` is the host's key in `trunks`. `up` and `down` are the links out and in that only this host uses (the
/// private links of a star cluster), so that the hosts of one star share an endpoint. `loopback` are the links from the
/// host to itself; empty: messages to itself cost nothing.
struct Host {
  Name name;
  double speed_flops = 0;
  int cores = 1;
  bool gateway = false;  ///< carries traffic between networks and runs no rank
  Zones zones;
  int endpoint = 0;
  LinkList up, down, loopback;
};

/// The links between two endpoints, without the hosts' own.
struct Trunk {
  std::vector<int> links;
  /// Not empty: no route of the platform, but one over these hosts, which pass messages on (forwarded_routes.hpp).
  /// `links` are those of one way, and messages take it and `other_ways` in turn.
  std::vector<int> forwarders = {};
  std::vector<std::vector<int>> other_ways = {};
};

/// A route between two hosts: its links in order, the sum of their latencies, the minimum of their bandwidths.
struct Route {
  std::vector<int> links;
  double latency_s = 0;
  double bandwidth_Bps = 0;
};

/// How the transport treats messages; the same numbers for replay, simulation and emulation.
struct Transport {
  double header_bytes = 0;              ///< added to the size of a message on every link
  std::int64_t eager_bytes = 4194304;   ///< up to this size a message leaves before its receive is posted
  std::int64_t buffered_bytes = 65536;  ///< up to this size a blocking send completes at once (see Lane)
  double send_overhead_s = 0, send_overhead_s_per_byte = 0;        ///< os(m) = a + b m, processor time of a send
  double receive_overhead_s = 0, receive_overhead_s_per_byte = 0;  ///< or(m) = a + b m
  /// The payload of a frame. Messages that arrive at a shared link at the same time are interleaved by frames; 0: each
  /// message crosses as a whole.
  double frame_bytes = 0;
  /// Sent back by the receiver of a message for each of its frames, at the rate of payload (acknowledgements.hpp).
  double acknowledgement_bytes = 0;
  double reduction_s_per_byte = 0;  ///< processor time of combining two operands, per byte of one
};

inline bool has_acknowledgements(const Transport& transport) {
  return transport.frame_bytes > 0 && transport.acknowledgement_bytes > 0;
}

/// Whether those of a message take time on a link that takes so long for a byte, where the slowest link of the message
/// takes `slowest_s_per_byte`. On links ten times as fast they take two thousandths of the time of other messages.
inline bool acknowledgements_count(double s_per_byte, double slowest_s_per_byte) {
  return 10 * s_per_byte > slowest_s_per_byte;
}

/// The default costs: messages of Open MPI in TCP over Ethernet. A message has 100 bytes of headers of Open MPI, TCP,
/// IP and Ethernet (measured as described in platforms/README.md), is cut into frames of 1448 bytes, and takes 1 us of
/// processor time at either end. TCP sends back a frame of 66 bytes for every two, which take on a link, whose rate is
/// that of 1448 bytes in frames of 1514, the time of 31.56 bytes each.
Transport tcp_over_ethernet();

struct Network {
  std::string name;  ///< name of the platform file, without folder and extension
  std::vector<Link> links;
  std::vector<Host> hosts;  ///< in the order of the file; numbers within names are sorted as numbers
  std::map<std::pair<int, int>, Trunk> trunks;  ///< by (from endpoint, to endpoint); absent: no route
  Transport transport;
  std::vector<LinkClass> classes = {};  ///< from the innermost to the outermost
  /// Changes of links over time, by link number, in order of time; absent: none. Used by simulation and emulation, not
  /// by the models.
  std::map<int, std::vector<LinkStep>> profiles = {};

  std::span<const LinkStep> profile_of(int link) const;
  /// The class of a route over these links: the outermost of their classes; -1 if none has a class.
  int class_of(std::span<const int> on_links) const;
  bool has_route(int from_host, int to_host) const;
  /// Throws BadInput naming both hosts when there is no route. A route without links has infinite bandwidth.
  Route route(int from_host, int to_host) const;
};

/// The host of each rank.
struct Placement {
  std::vector<int> host_of_rank;

  int size() const { return static_cast<int>(host_of_rank.size()); }
};

/// Whether a link of a host is one wire for both directions, where what it sends waits for what it receives.
bool is_wire(const Network& network, const Host& host, int link);

/// `ranks_per_host` consecutive ranks on each host in turn (block), or one rank on each host, round after round
/// (cyclic); cyclic visits the outermost groups in turn, so that consecutive ranks are in different sites. `ranks` 0:
/// as many as fit. Gateways run no ranks. Throws BadInput for more ranks than fit.
enum class PlacementRule : std::uint8_t { block, cyclic };
Placement place_ranks(const Network& network, PlacementRule rule, int ranks_per_host, int ranks = 0);

/// Which ranks have routes to which.
Connectivity connectivity_of(const Network& network, const Placement& placement);

/// Throws BadInput that names two hosts of ranks without a route between them, if no other hosts could relay either.
void check_ranks_reach_each_other(const Network& network, const Placement& placement, const Connectivity& connectivity);

/// The topology of the ranks: groups are the zones of their hosts; several ranks on one host are also a group. It has
/// the connectivity of the ranks, in which forwarded routes (forwarded_routes.hpp) count as routes.
Topology topology_of(const Network& network, const Placement& placement);

}  // namespace isthmus
