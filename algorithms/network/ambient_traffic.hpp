// The send times of ambient traffic, the same for the emulated and the simulated network.
#pragma once

#include <cstdint>
#include <random>

#include "algorithms/network/conditions.hpp"

namespace isthmus {

/// Payload of one datagram of ambient traffic, and its size on a link in units of TCP payload: Ethernet, IP and UDP add
/// 42 bytes to a datagram, and a TCP frame has 1514 bytes for 1448 of payload.
inline constexpr int datagram_bytes = 1448;
inline constexpr double datagram_link_bytes = (datagram_bytes + 42) * 1448.0 / 1514;

/// The instants at which one source of ambient traffic sends a datagram. Random values follow from the seed of the
/// conditions and the source's index in them.
class AmbientTimes {
 public:
  AmbientTimes(const AmbientTraffic& traffic, std::uint64_t seed, std::size_t number);

  /// The next instant, in nanoseconds from the start of the traffic; ascending.
  std::int64_t next_ns();

 private:
  double drawn_s(double typical_s);

  AmbientTraffic traffic_;
  std::mt19937_64 random_;
  std::int64_t interval_ns_;
  std::int64_t next_ns_ = 0;
  std::int64_t pause_at_ns_;
};

}  // namespace isthmus
