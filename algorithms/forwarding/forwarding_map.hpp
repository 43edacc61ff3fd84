// Who takes part in forwarding: hosts with their addresses, which of them have routes to each other, and the limits.
//
// Hosts without a route between them reach each other through hosts that both have a route to, as the gateways of
// Aumage 2003 (section 2.2.2). A forwarder (forwarder.hpp) runs on each host that sends, receives or forwards so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/network/network.hpp"

namespace isthmus {

struct ForwardingHost {
  std::string name;
  /// IPv4, as numbers in the order of the host; of a gateway one for each of its networks. Empty: takes no part.
  std::vector<std::uint32_t> addresses;
  std::uint16_t port = 0;  ///< of its forwarder
  /// The ports of its programs, for hosts that share an address.
  std::uint16_t first_program_port = 0, last_program_port = 65535;
  /// Messages up to this size leave before their receive is posted; -1: as eager_bytes_of() says.
  std::int64_t eager_bytes = -1;
};

struct ForwardingLimits {
  std::size_t segment_bytes = std::size_t{4} << 10U;    ///< messages are cut into segments of at most this size: left
                                                        ///< out, forwarded_piece_bytes() of the network
  std::size_t window_bytes = std::size_t{4} << 20U;     ///< of a connection that wait at its destination
  std::size_t gateway_bytes = std::size_t{256} << 20U;  ///< of all segments that one gateway holds
  double timeout_s = 10;                                ///< a silent neighbour counts as dead after this time
  double start_s = 30;                                  ///< a forwarder may start this much later than another
};

struct ForwardingMap {
  std::vector<ForwardingHost> hosts;         ///< in the order of the network
  std::vector<std::vector<int>> neighbours;  ///< by host: those with a route in both directions
  ForwardingLimits limits;
  std::uint64_t key = 0;  ///< forwarders and programs of other keys are refused

  bool has_route(int from, int to) const;
  /// What one host may have on its way through one gateway: all hosts together keep within `gateway_bytes`.
  std::size_t share_bytes() const;
  /// The number of a host; -1: there is none of that name. The name's part before the first dot will do.
  int number_of(const std::string& host) const;
  /// The host to which an address and a port of a program belong; -1: none.
  int host_at(std::uint32_t address, std::uint16_t port) const;
};

/// The `eager_bytes` of a host: if not given, the round trip times the rate of the way to a host without a route to it,
/// the largest such product, within usual_eager_bytes and most_eager_bytes. A shorter message takes less time than to
/// ask first whether its receive is posted.
std::int64_t eager_bytes_of(const ForwardingMap& map, const Network& network, int host);
inline constexpr std::int64_t usual_eager_bytes = 65536;  ///< Open MPI's own, over TCP
inline constexpr std::int64_t most_eager_bytes = std::int64_t{4} << 20U;

/// `setting` is `1`, for addresses by the system's names of the hosts, or a JSON file, all of whose members are
/// optional:
///   {"port": 27117, "key": "any text", "segment_bytes": 4096, "window_bytes": 4194304, "gateway_bytes": 268435456,
///    "timeout_s": 10, "start_s": 30, "eager_bytes": 65536,
///    "hosts": {"foo0": {"addresses": ["10.0.0.1"], "port": 27118, "program_ports": [20000, 20099],
///                       "eager_bytes": 16384}}}
/// Throws BadInput for wrong values, unknown hosts, and for two hosts that cannot reach each other through others.
ForwardingMap forwarding_map(const Network& network, const std::string& setting);

}  // namespace isthmus
