#include "emulator/traffic.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cmath>
#include <random>
#include <vector>

#include "emulator/clock.hpp"
#include "emulator/plan.hpp"

namespace isthmus {
namespace {

constexpr int discard_port = 9;

using Nanoseconds = std::int64_t;

/// When it sends and when it is silent.
class Phases {
 public:
  Phases(const AmbientTraffic& traffic, std::uint64_t seed) : traffic_(traffic), random_(seed) {}

  double next_s(double typical_s) {
    if (traffic_.kind != AmbientTraffic::Kind::bursty) return typical_s;
    // Its own arithmetic, so that a seed means the same everywhere.
    const double uniform = (static_cast<double>(random_() >> 11) + 0.5) * 0x1p-53;
    return -typical_s * std::log(uniform);
  }

 private:
  const AmbientTraffic& traffic_;
  std::mt19937_64 random_;
};

}  // namespace

void send_traffic(const AmbientTraffic& traffic, const RunningContainer& from, const std::string& to_address,
                  const RunningContainer& to, std::uint64_t seed) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(discard_port);
  inet_pton(AF_INET, to_address.c_str(), &address.sin_addr);
  const auto* const generic = reinterpret_cast<const sockaddr*>(&address);
  const Descriptor sink = to.open_socket(SOCK_DGRAM);
  bind(sink.get(), generic, sizeof address);  // another flow may have done so already
  const Descriptor source = from.open_socket(SOCK_DGRAM);
  checked(connect(source.get(), generic, sizeof address), "connect ambient traffic");

  const std::vector<char> datagram(frame_payload_bytes);
  const auto interval = static_cast<Nanoseconds>(1e9 * frame_payload_bytes / traffic.rate_Bps);
  const bool pauses = traffic.kind != AmbientTraffic::Kind::constant;
  Phases phases(traffic, seed);
  for (Nanoseconds next = monotonic_ns();;) {
    const Nanoseconds pause_at = next + static_cast<Nanoseconds>(1e9 * phases.next_s(traffic.on_s));
    for (; !pauses || next < pause_at; next += interval) {
      sleep_until_ns(next);
      // Refused or dropped: the traffic of others does not care.
      if (send(source.get(), datagram.data(), datagram.size(), MSG_NOSIGNAL) < 0) continue;
    }
    next = pause_at + static_cast<Nanoseconds>(1e9 * phases.next_s(traffic.off_s));
  }
}

}  // namespace isthmus
