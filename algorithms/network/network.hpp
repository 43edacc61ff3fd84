// The network: what isthmus keeps of a platform. Hosts, links, routes and cost parameters; no SimGrid needed to use it.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/network/size_function.hpp"
#include "algorithms/topology/topology.hpp"

namespace isthmus {

/// shared: messages occupy the link in turn. fatpipe: the bandwidth caps each message, they do not slow each other.
/// A SimGrid SPLITDUPLEX link is two shared links, `NAME_UP` and `NAME_DOWN`, one for each direction.
enum class Sharing : std::uint8_t { shared, fatpipe };

/// What was measured of a class of links (local, site, wide area ...): P-LogP's functions of the message size in bytes,
/// in seconds (Kielmann 2000, section 2.1). They cover what is in the transport: header and affine overheads do not
/// count on these links.
struct LinkClass {
  std::string name;
  SizeFunction gap;  ///< how long a message occupies a link
  SizeFunction send_overhead, receive_overhead;
  /// A factor on the gap by the number of destinations whose messages are on the link or wait for it, from 1 on; none:
  /// 1. The finding of Pjesivac-Grbovic 2005, section 6.2: messages to many follow each other more quickly.
  std::vector<std::pair<int, double>> gap_factors = {};

  double gap_factor(int destinations) const;  ///< linear between the numbers given, constant before and beyond
};

/// How a link is from `at_s` after the start on, until its next step. A bandwidth of 0: nothing comes through.
struct LinkStep {
  double at_s = 0;
  double bandwidth_Bps = 0;
  double latency_s = 0;
};

struct Link {
  std::string name;
  double bandwidth_Bps = 0;
  double latency_s = 0;
  Sharing sharing = Sharing::shared;
  int link_class = -1;  ///< in Network::classes; -1: bandwidth and header say what a message costs
};

/// A zone around a host, from the outermost inwards, as far as it makes a group of the topology.
struct ZoneStep {
  std::string level;  ///< what the platform calls this level (`site`, `machine` ...)
  std::string name;
};

/// `endpoint` is the class of the host in `trunks`; `up` and `down` are the links that only this host uses, on its way
/// out and in (a star cluster's private links), so that hosts of one star share an endpoint. `loopback` are the links
/// from the host to itself; empty: it reaches itself at no cost.
struct Host {
  std::string name;
  double speed_flops = 0;
  int cores = 1;
  bool gateway = false;  ///< carries traffic between networks and runs no rank
  std::vector<ZoneStep> zones;
  int endpoint = 0;
  std::vector<int> up, down, loopback;
};

/// The links between two endpoints, beyond the hosts' own.
struct Trunk {
  std::vector<int> links;
};

/// From one host to another: links in order, the sum of their latencies, the least of their bandwidths.
struct Route {
  std::vector<int> links;
  double latency_s = 0;
  double bandwidth_Bps = 0;
};

/// How the transport treats messages; the same numbers for replay, simulation and emulation.
struct Transport {
  double header_bytes = 0;              ///< what a message costs on every link beyond its bytes
  std::int64_t eager_bytes = 4194304;   ///< up to this size a message leaves before its receive is posted
  std::int64_t buffered_bytes = 65536;  ///< up to this size a blocking send completes at once (see Lane)
  double send_overhead_s = 0, send_overhead_s_per_byte = 0;        ///< os(m) = a + b m, processor time of a send
  double receive_overhead_s = 0, receive_overhead_s_per_byte = 0;  ///< or(m) = a + b m
  /// What the network cuts messages in. Those that come to a shared link side by side take turns by frames; 0: each
  /// message goes as a whole.
  double frame_bytes = 0;
  double reduction_s_per_byte = 0;  ///< processor time of combining two operands, by the bytes of one
};

/// What a network costs that nothing else is said of: Open MPI's messages in TCP over Ethernet. A message costs 100
/// bytes beyond its own, of Open MPI's, TCP's, IP's and Ethernet's headers (platforms/README.md has how that was
/// measured), goes in frames of 1448 bytes, and keeps the processor of either end for 1 us.
Transport tcp_over_ethernet();

struct Network {
  std::string name;  ///< of the platform file, without folder and ending
  std::vector<Link> links;
  std::vector<Host> hosts;                      ///< in the order of the file, numbers within names sorted as numbers
  std::map<std::pair<int, int>, Trunk> trunks;  ///< (from endpoint, to endpoint); absent: no route
  Transport transport;
  std::vector<LinkClass> classes = {};  ///< from the innermost to the outermost
  /// How links change, by their numbers, in the order of time; absent: never. The simulation and the emulation follow
  /// it, the models do not.
  std::map<int, std::vector<LinkStep>> profiles = {};

  std::span<const LinkStep> profile_of(int link) const;
  /// The class of a way over these links: the outermost of their classes; -1 where none has one.
  int class_of(std::span<const int> on_links) const;
  bool has_route(int from_host, int to_host) const;
  /// Throws BadInput naming both hosts when there is none. A route without links has infinite bandwidth.
  Route route(int from_host, int to_host) const;
};

/// Which host runs each rank.
struct Placement {
  std::vector<int> host_of_rank;

  int size() const { return static_cast<int>(host_of_rank.size()); }
};

/// `ranks_per_host` consecutive ranks on each host in turn (block), or one rank on each host, round after round
/// (cyclic); cyclic goes round the outermost groups first: consecutive ranks lie in different sites. `ranks` 0: as many
/// as fit. Gateways carry no ranks. Throws BadInput when more ranks are asked for than fit.
enum class PlacementRule : std::uint8_t { block, cyclic };
Placement place(const Network& network, PlacementRule rule, int ranks_per_host, int ranks = 0);

/// The groups of the ranks: the zones of their hosts; several ranks on one host form a group of their own.
Topology topology_of(const Network& network, const Placement& placement);

}  // namespace isthmus
