#include "algorithms/network/ambient_traffic.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace isthmus {
namespace {

std::int64_t nanoseconds(double seconds) { return static_cast<std::int64_t>(1e9 * seconds); }

}  // namespace

AmbientTimes::AmbientTimes(const AmbientTraffic& traffic, std::uint64_t seed, std::size_t number)
    : traffic_(traffic),
      random_(seed * 1'000'003 + number),
      interval_ns_(std::max<std::int64_t>(nanoseconds(datagram_bytes / traffic.rate_Bps), 1)),
      pause_at_ns_(traffic.kind == AmbientTraffic::Kind::constant ? std::numeric_limits<std::int64_t>::max()
                                                                  : nanoseconds(drawn_s(traffic.on_s))) {}

double AmbientTimes::drawn_s(double typical_s) {
  if (traffic_.kind != AmbientTraffic::Kind::bursty) return typical_s;
  // A generator of our own, so that a seed gives the same numbers with every standard library.
  const double uniform = (static_cast<double>(random_() >> 11) + 0.5) * 0x1p-53;
  return -typical_s * std::log(uniform);
}

std::int64_t AmbientTimes::next_ns() {
  while (next_ns_ >= pause_at_ns_) {
    next_ns_ = pause_at_ns_ + nanoseconds(drawn_s(traffic_.off_s));
    pause_at_ns_ = next_ns_ + nanoseconds(drawn_s(traffic_.on_s));
  }
  const std::int64_t now_ns = next_ns_;
  next_ns_ += interval_ns_;
  return now_ns;
}

}  // namespace isthmus
