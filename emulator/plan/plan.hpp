// The plan of an emulated network: containers, the devices between them, addresses, routes and queues. Pure data.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/network/conditions.hpp"
#include "algorithms/network/network.hpp"

namespace isthmus {

/// What a device does to the frames that leave it. A link carries payload at `payload_Bps`; 0 leaves the rate alone.
struct Queue {
  double delay_s = 0;
  double payload_Bps = 0;
  /// The frame has already been serialised on a hop that is no faster: let it pass and only keep the distance between
  /// frames, as a cut-through switch does. So do links that change with time, because only then frames that wait when a
  /// rate changes leave at the new one. Otherwise the frame leaves when its last byte has been serialised.
  bool cut_through = false;
  /// Frames of both directions pass, in turn: acknowledgements, which elsewhere go against the data and keep nothing
  /// waiting, take no time here.
  bool both_ways = false;
  /// Each flow (an MPI's connection) has the rate for itself.
  bool per_flow = false;
  Impairment impairment = {};  ///< on top, while ranks run
  double early_release_s = 0;  ///< frames are released so much before their delay is over: see delay_compensation.hpp

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
  std::vector<int> links = {};  ///< of the network, whose part these frames play here
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
  /// The weight of its processes on the processors that all share: that of 0 over 1.25 to the power of this.
  int niceness = 0;
};

/// Two hosts (or one, for its loopback) between which the probe measures, and the queues on the way there, for what its
/// own frames cost.
struct ProbePair {
  int from = 0, to = 0;      ///< containers
  double latency_s = 0;      ///< half of the way there and back, where one may be longer than the other
  double bandwidth_Bps = 0;  ///< there
  std::vector<Queue> forth, back;
  bool shaped = true;  ///< false: the links of this route are left unshaped, so nothing can be promised
};

/// Where the kernel has no queue for it: the delay line takes what comes in at one of its devices, applies `queue`, and
/// puts it out at another.
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
  std::vector<ProbePair> probes;  ///< one for each class of routes (latency and bandwidth) that the ranks use
  bool lossless = true;           ///< nothing is lost or overtaken, so that TCP need never slow down
  int max_segments = 1;           ///< Ethernet frames' worth in what a device hands on at once (segmentation offload)
  TcpSettings tcp = {};
};

/// What a substrate can shape.
struct Shaping {
  /// Shape the hosts' own links too. Without, only trunks are: for substrates whose timers are coarser than a local
  /// network's latency.
  bool shape_host_links = true;
  /// Every shaped cable runs through one more container, where a program delays the frames.
  bool delay_line = false;
  bool processor_weights = false;  ///< where processors take time: hosts weigh as fast as they are
  bool per_flow_rates = true;      ///< there are queues that hold each flow to a rate
};

struct PlanOptions {
  Shaping shaping = {};
  Conditions conditions = {};  ///< while the ranks run
};

/// A queue that becomes another while the ranks run.
struct QueueChange {
  double at_s = 0;    ///< after the start of the repetition or program
  int container = 0;  ///< of the device; with a delay line, its own
  std::string device;
  int hop = -1;  ///< of the delay line; -1: the device's own queue
  Queue queue;
};

/// The time of changes that are to be there before a start.
inline constexpr double before_start_s = -1;

/// What conditions and the platform's profiles do to the queues of a plan, in the order of time. Before the start: all
/// that differ from the plan, or will change, so that a start from whatever state is one. A link that is cut loses
/// every frame.
std::vector<QueueChange> queue_changes(const EmulationPlan& plan, const Network& network, const Conditions& conditions);

/// Lays out the hosts that carry ranks, and the links between them. Throws BadInput, naming the link or host, for what
/// the emulated links cannot do faithfully: routes that depend on more than the link before and the destination, one
/// loopback for several hosts, a rate for each flow (a fatpipe link that is the slowest of a route) where the substrate
/// has none; for conditions of links and hosts that are not there; and for host names that are no host names.
EmulationPlan plan_emulation(const Network& network, const Placement& placement, const PlanOptions& options = {});

/// The plan for people to read: containers with addresses and routes, cables, queues with the links that they stand
/// for, and where the probe measures.
std::string to_text(const EmulationPlan& plan, const Network& network);

/// Where the addresses of each place begin, given how many hosts it has: blocks of 10.0.0.0/8, each of a power of two
/// that holds two more. Throws BadInput when they are exhausted.
struct AddressBlock {
  std::uint32_t first = 0;
  int prefix_bits = 0;
};
std::vector<AddressBlock> address_blocks(const std::vector<std::size_t>& hosts);

/// Largest Ethernet frame and the TCP payload in it: what a payload rate costs on the wire.
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
/// Input of `tc -batch` that makes the queue of a device another one.
std::string change_commands(const std::string& device, const Queue& queue);

/// Settings of routes between hosts, as `ip route` writes them.
std::string route_settings(const EmulationPlan& plan);

}  // namespace isthmus
