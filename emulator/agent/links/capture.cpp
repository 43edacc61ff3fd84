#include "emulator/agent/links/capture.hpp"

#include <fmt/format.h>
#include <linux/if_packet.h>
#include <sys/socket.h>

#include <algorithm>
#include <ctime>

#include "algorithms/errors.hpp"
#include "algorithms/network/link_names.hpp"
#include "algorithms/process/control_message.hpp"
#include "emulator/agent/links/packet_socket.hpp"

namespace isthmus {
namespace {

constexpr std::size_t longest_kept = 65536;
constexpr int buffer_bytes = 64 << 20;

template <typename Value>
void append(std::string& text, Value value) {
  text.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::string head_of_file() {
  std::string head;
  append<std::uint32_t>(head, 0xa1b23c4d);  // times in nanoseconds
  append<std::uint16_t>(head, 2);
  append<std::uint16_t>(head, 4);
  append<std::uint32_t>(head, 0);
  append<std::uint32_t>(head, 0);
  append<std::uint32_t>(head, longest_kept);
  append<std::uint32_t>(head, 1);  // Ethernet
  return head;
}

/// The devices at which the frames of a link arrive.
std::vector<Device> exits_of(const std::vector<int>& links, const EmulationPlan& plan) {
  const auto carries = [&](const std::vector<int>& of) {
    return std::any_of(of.begin(), of.end(),
                       [&](int link) { return std::find(links.begin(), links.end(), link) != links.end(); });
  };
  std::vector<Device> exits;
  for (const Cable& cable : plan.cables) {
    for (const auto& [near, far] : {std::pair{&cable.a, &cable.b}, {&cable.b, &cable.a}}) {
      if (far->container != plan.delay_line && near->container != plan.delay_line && carries(near->links)) {
        exits.push_back(*far);
      }
      if (near->container != plan.delay_line) continue;
      const auto hop = std::find_if(plan.delayed.begin(), plan.delayed.end(),
                                    [&device = *near](const DelayedHop& h) { return h.to == device.name; });
      if (hop != plan.delayed.end() && carries(hop->links)) exits.push_back(*far);
    }
  }
  return exits;
}

Descriptor listen_on(const Device& device, const RunningContainer& container) {
  Descriptor made;
  container.inside_network([&] { made = packet_socket(device.name, {.buffer_bytes = buffer_bytes}); });
  return made;
}

}  // namespace

Capture::Capture(const std::string& link, const EmulationPlan& plan, const Network& network,
                 const std::vector<RunningContainer>& containers)
    : head_(head_of_file()) {
  const std::vector<Device> exits = exits_of(links_named(network, link), plan);
  if (exits.empty()) throw BadInput(fmt::format("link `{}`: no frame of these ranks crosses it", link));
  for (const Device& device : exits) sockets_.push_back(listen_on(device, containers[device.container]));
}

std::string Capture::take() {
  std::string taken = std::exchange(head_, {});
  std::vector<char> frame(longest_kept);
  for (const Descriptor& socket : sockets_) {
    for (;;) {
      ControlMessage<sizeof(timespec)> message(frame.data(), frame.size());
      const ssize_t count = recvmsg(socket.get(), message.get(), MSG_DONTWAIT | MSG_TRUNC);
      if (count < 0) break;
      const timespec stamp = message.stamp().value_or(timespec{});
      const std::size_t kept = std::min(static_cast<std::size_t>(count), frame.size());
      append(taken, static_cast<std::uint32_t>(stamp.tv_sec));
      append(taken, static_cast<std::uint32_t>(stamp.tv_nsec));
      append(taken, static_cast<std::uint32_t>(kept));
      append(taken, static_cast<std::uint32_t>(count));
      taken.append(frame.data(), kept);
    }
  }
  return taken;
}

std::int64_t Capture::missed() const {
  std::int64_t missed = 0;
  for (const Descriptor& socket : sockets_) {
    tpacket_stats statistics{};
    socklen_t bytes = sizeof statistics;
    if (getsockopt(socket.get(), SOL_PACKET, PACKET_STATISTICS, &statistics, &bytes) == 0) {
      missed += statistics.tp_drops;
    }
  }
  return missed;
}

}  // namespace isthmus
