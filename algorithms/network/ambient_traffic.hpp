// When ambient traffic sends: the same for the emulated network and for the simulated one.
#pragma once

#include <cstdint>
#include <random>

#include "algorithms/network/conditions.hpp"

namespace isthmus {

/// Payload of one datagram of ambient traffic, and what it takes of a link beside TCP's payload, whose frames have 1514
/// bytes for 1448 of payload: Ethernet, IP and UDP add 42 bytes to it.
inline constexpr int datagram_bytes = 1448;
inline constexpr double datagram_link_bytes = (datagram_bytes + 42) * 1448.0 / 1514;

/// The instants at which one source of ambient traffic sends a datagram. The seed of the conditions and the source's
/// number among them decide what is left to chance.
class AmbientTimes {
 public:
  AmbientTimes(const AmbientTraffic& traffic, std::uint64_t seed, std::size_t number);

  /// Nanoseconds from the start of the traffic on, ascending.
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
