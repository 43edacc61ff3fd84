// The plan of an emulated network: containers, the devices between them, addresses, routes and queues. Pure data.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/network/conditions.hpp"
#include "algorithms/network/network.hpp"

namespace isthmus {

/// What a device does to the frames that leave it. A link carries payload at `payload_Bps`; 0: not limited.
struct Queue {
  double delay_s = 0;
  double payload_Bps = 0;
  /// The frame has already been serialised on a hop that is no faster. It passes at once, and only the distance between
  /// frames is kept, as in a cut-through switch. Links that change with time are cut-through as well: only then do
  /// waiting frames leave at the new rate after a change. Otherwise a frame leaves when its last byte has been
  /// serialised.
  bool cut_through = false;
  /// Frames of both directions pass this queue in turn. Acknowledgements take no time in it: elsewhere they go against
  /// the data and delay nothing.
  bool both_ways = false;
  /// Each flow (an MPI's connection) has the rate for itself.
  bool per_flow = false;
  Impairment impairment = {};  ///< in addition, while ranks run
  double early_release_s = 0;  ///< frames are released this much before their delay is over: see delay_compensation.hpp

  double held_s() const {
    return delay_s > early_release_s ? delay_s - early_release_s : 0;
  }  ///< how long a frame waits
  bool shapes() const { return delay_s > 0 || payload_Bps > 0; }
  bool operator==(const Queue&) const = default;
};

/// One end of a virtual Ethernet cable.
struct Device {
  int container = 0;
  std::string name;             ///< inside its container
  std::string address;          ///< hardware address
  Queue queue;                  ///< on frames that leave here
  std::vector<int> links = {};  ///< of the network; the queue stands for them
};

struct Cable {
  Device a, b;
};

/// Everything for `destination` (CIDR) leaves through `device`; its other end is the next hop.
struct ContainerRoute {
  std::string destination;
  std::string device;
};

/// A host of the network, or a router where links meet.
struct Container {
  std::string name;          ///< the host's own name, or `router-N`
  int host = -1;             ///< number of the host in the network; -1 for a router
  std::string address = {};  ///< IPv4 of a host's eth0
  std::vector<ContainerRoute> routes = {};
  Queue loopback = {};  ///< between several ranks on a host
  std::vector<int> loopback_links = {};
  /// The nice value of its processes. Their weight on the shared processors is that of 0, divided by 1.25 to this
  /// power.
  int niceness = 0;
};

/// Two hosts (or one, for its loopback) between which the probe measures. The queues on the path give the cost of the
/// probe's own frames.
struct ProbePair {
  int from = 0, to = 0;      ///< containers
  double latency_s = 0;      ///< half of the round trip, whose two directions may differ
  double bandwidth_Bps = 0;  ///< from `from` to `to`
  std::vector<Queue> forth, back;
  bool shaped = true;  ///< false: the links of this route are left unshaped, so nothing can be promised
};

/// For kernels without such a queue: the delay line takes the frames that arrive at one of its devices, applies
/// `queue`, and sends them from another.
struct DelayedHop {
  std::string from, to;
  Queue queue;
  std::vector<int> links;  ///< of the network
};

struct EmulationPlan {
  std::vector<Container> containers;
  std::vector<Cable> cables;
  int delay_line = -1;  ///< the container of the delay line; -1: queues are the kernel's
  std::vector<DelayedHop> delayed;
  std::vector<int> container_of_rank;
  /// The container that joins all hosts by a slow network of its own, if some have no route to each other over the
  /// links: an MPI starts and ends over it, and makes communicators. -1: none.
  int management = -1;
  std::vector<ProbePair> probes;  ///< one for each class of routes (latency and bandwidth) that the ranks use
  bool lossless = true;           ///< no frame is lost or overtaken, so TCP never needs to slow down
  int max_segments = 1;           ///< Ethernet frames that a device may pass on as one (segmentation offload)
  TcpSettings tcp = {};
  int streams = 1;  ///< TCP connections for each of Open MPI's that leaves a local network (preload/streams.cpp)
};

/// What a substrate can shape.
struct Shaping {
  /// Shape the hosts' own links too. If false, only trunks are shaped: for substrates whose timers are coarser than a
  /// local network's latency.
  bool shape_host_links = true;
  /// Every shaped cable runs through one more container, where a program delays the frames.
  bool delay_line = false;
  bool processor_weights = false;  ///< where processors take time: processes are weighted by their host's speed
  bool per_flow_rates = true;      ///< there are queues that limit the rate of each flow
};

struct PlanOptions {
  Shaping shaping = {};
  Conditions conditions = {};  ///< while the ranks run
};

/// A change of a queue while the ranks run.
struct QueueChange {
  double at_s = 0;    ///< after the start of the repetition or program
  int container = 0;  ///< of the device; with a delay line, the delay line's
  std::string device;
  int hop = -1;  ///< of the delay line; -1: the device's own queue
  Queue queue;
};

/// The time of changes that are made before a start.
inline constexpr double before_start_s = -1;

/// The changes that conditions and the platform's profiles make to the queues of a plan, in order of time. Before the
/// start: every queue that differs from the plan or will change, so that every start begins in the same state. A link
/// that is cut loses every frame.
std::vector<QueueChange> queue_changes(const EmulationPlan& plan, const Network& network, const Conditions& conditions);

/// What the management network gives each host: as a Fast Ethernet's tenth.
inline constexpr double management_Bps = 1.25e6, management_latency_s = 100e-6;

/// Lays out the hosts that carry ranks, and the links between them. Throws BadInput, naming the link or host, for what
/// the emulated links cannot do faithfully: routes that depend on more than the previous link and the destination, one
/// loopback for several hosts, a rate for each flow (a fatpipe link that is the slowest of a route) where the substrate
/// has none; for conditions on unknown links and hosts; and for invalid host names.
EmulationPlan plan_emulation(const Network& network, const Placement& placement, const PlanOptions& options = {});

/// The plan as readable text: containers with addresses and routes, cables, queues with the links that they stand for,
/// and where the probe measures.
std::string to_text(const EmulationPlan& plan, const Network& network);

/// The address block of each subnet, given its number of hosts: part of 10.0.0.0/8, a power of two in size, with room
/// for two more addresses than hosts. Throws BadInput when 10.0.0.0/8 is exhausted.
struct AddressBlock {
  std::uint32_t first = 0;
  int prefix_bits = 0;
};
std::vector<AddressBlock> address_blocks(const std::vector<std::size_t>& hosts);

/// Largest Ethernet frame and the TCP payload in it; their ratio converts a payload rate to a rate on the wire.
inline constexpr int frame_bytes = 1514;
inline constexpr int frame_payload_bytes = 1448;
/// An IPv4 packet of TCP that carries nothing but an acknowledgement and a time stamp.
inline constexpr int acknowledgement_bytes = 52;

/// The rate to which a queue must be set, in bit/s on the wire, for a payload rate.
std::int64_t wire_rate_bps(double payload_Bps);

/// Input of `ip -batch` that makes all cables; `process_of_container` names the network namespaces.
std::string cable_commands(const EmulationPlan& plan, const std::vector<int>& process_of_container);
/// Inputs of `ip -batch` and `tc -batch` inside a container; the latter is empty when nothing is shaped there.
std::string address_commands(const EmulationPlan& plan, int container);
std::string queue_commands(const EmulationPlan& plan, int container);
/// Input of `tc -batch` that changes the queue of a device to `queue`.
std::string change_commands(const std::string& device, const Queue& queue);

/// Settings of routes between hosts, as `ip route` writes them.
std::string route_settings(const EmulationPlan& plan);

}  // namespace isthmus
