// The plan as input for `ip -batch` and `tc -batch`.
#include <fmt/format.h>

#include <cmath>

#include "emulator/plan/plan.hpp"

namespace isthmus {
namespace {

// The next hop's address is the same on every cable. Only its hardware address differs, and each device knows the one
// at its other end. So routers need no addresses, and there are no ARP requests.
constexpr const char* next_hop = "169.254.0.1";

// More than any message that fits the transport's buffers: nothing is lost.
constexpr std::int64_t queue_frames = 100000;

std::string impairment_words(const Queue& queue) {
  const Impairment& i = queue.impairment;
  std::string words = i.jitter_s > 0 ? fmt::format(" {}us", std::llround(i.jitter_s * 1e6)) : "";
  if (i.loss > 0) words += fmt::format(" loss {:g}%", i.loss * 100);
  if (i.reorder > 0) words += fmt::format(" reorder {:g}%", i.reorder * 100);
  if (i.duplicate > 0) words += fmt::format(" duplicate {:g}%", i.duplicate * 100);
  return words;
}

/// `verb`: add or change. The root is always netem, with the latency and the impairments; the rate is set there, or in
/// a queue behind it. Delays are whole microseconds: tc takes nothing finer.
std::string queue_command(const std::string& verb, const std::string& device, const Queue& queue) {
  const std::int64_t rate = wire_rate_bps(queue.payload_Bps);
  const std::int64_t limit = queue.impairment.queue_frames > 0 ? queue.impairment.queue_frames : queue_frames;
  const bool rate_apart = rate > 0 && (queue.cut_through || queue.both_ways);
  std::string text = fmt::format("qdisc {} dev {} root handle 1: netem delay {}us{}{} limit {}\n", verb, device,
                                 std::llround(queue.held_s() * 1e6), impairment_words(queue),
                                 rate > 0 && !rate_apart ? fmt::format(" rate {}bit", rate) : "", limit);
  if (!rate_apart) return text;
  if (queue.per_flow) {
    // The rate holds from the first frame on, and timers are not delayed to save work.
    return text +
           fmt::format(
               "qdisc {} dev {} parent 1:1 handle 2: fq maxrate {}bit low_rate_threshold {}bit limit {} flow_limit "
               "{} orphan_mask {} timer_slack 1\n",
               verb, device, rate, 8 * std::int64_t{0xffffffff}, queue_frames, queue_frames, 0xffffffff);
  }
  std::string parent = "1:1";
  if (queue.both_ways) {
    parent = "3:1";
    if (verb == "add") {
      text += fmt::format(
          "qdisc add dev {0} parent 1:1 handle 3: prio bands 2 priomap 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n"
          "qdisc add dev {0} parent 3:2 handle 4: pfifo limit {2}\n"
          "filter add dev {0} parent 3: protocol ip u32 match u16 {1} 0xffff at 2 flowid 3:2\n",
          device, acknowledgement_bytes, queue_frames);
    }
  }
  if (!queue.cut_through) {
    return text + fmt::format("qdisc {} dev {} parent {} handle 2: netem rate {}bit limit {}\n", verb, device, parent,
                              rate, queue_frames);
  }
  // A bucket of one frame lets a frame pass at once when the line has been idle for the time of a frame. A little more
  // makes up for late wake-ups, which would otherwise lower the rate a little with each frame.
  constexpr int bucket_bytes = frame_bytes + 128;
  return text + fmt::format("qdisc {} dev {} parent {} handle 2: tbf rate {}bit burst {} limit {}\n", verb, device,
                            parent, rate, bucket_bytes, std::int64_t{queue_frames} * frame_bytes);
}

template <typename Visit>
void for_each_device(const EmulationPlan& plan, int container, const Visit& visit) {
  for (const Cable& cable : plan.cables) {
    if (cable.a.container == container) visit(cable.a, cable.b);
    if (cable.b.container == container) visit(cable.b, cable.a);
  }
}

}  // namespace

std::int64_t wire_rate_bps(double payload_Bps) {
  return std::llround(payload_Bps * 8 * frame_bytes / frame_payload_bytes);
}

std::string route_settings(const EmulationPlan& plan) {
  const int asked = plan.tcp.initial_window_frames;
  // All messages between two hosts, 29 MB, may be in flight at once, because their acknowledgements may wait behind as
  // many in the other direction. The initial timeout is longer than any queue, because nothing is ever lost.
  constexpr int ample = 20000;
  std::string settings;  // otherwise TCP's defaults
  if (plan.lossless || asked > 0) settings += fmt::format("initcwnd {0} initrwnd {0} ", asked > 0 ? asked : ample);
  // An acknowledgement takes time on the way back, where it competes with data. TCP's default, one for two frames, is
  // enough where windows need not grow. Where they must grow, there is one for each frame.
  if (!plan.lossless || asked > 0) settings += "quickack 1 ";
  if (plan.lossless) settings += "rto_min 60s ";
  settings.pop_back();
  return settings;
}

std::string change_commands(const std::string& device, const Queue& queue) {
  return queue_command("change", device, queue);
}

std::string cable_commands(const EmulationPlan& plan, const std::vector<int>& process_of_container) {
  std::string text;
  for (const Cable& cable : plan.cables) {
    text += fmt::format("link add name {} netns {} address {} type veth peer name {} netns {} address {}\n",
                        cable.a.name, process_of_container[cable.a.container], cable.a.address, cable.b.name,
                        process_of_container[cable.b.container], cable.b.address);
  }
  return text;
}

std::string address_commands(const EmulationPlan& plan, int container) {
  const Container& self = plan.containers[container];
  std::string text = "link set lo up\n";
  for_each_device(plan, container, [&](const Device& device, const Device& other) {
    text += fmt::format("link set {} up txqueuelen 10000{}\n", device.name,
                        fmt::format(" gso_max_segs {}", plan.max_segments));
    text += fmt::format("neigh add {} lladdr {} dev {} nud permanent\n", next_hop, other.address, device.name);
  });
  const bool host = self.host >= 0;
  if (self.loopback.shapes()) text += "link set lo mtu 1500 gso_max_segs 1\n";
  // The prefix length makes all hosts neighbours for programs that look at it; the routes below carry the frames.
  if (host) text += fmt::format("addr add {}/8 dev eth0 noprefixroute\n", self.address);
  for (const ContainerRoute& route : self.routes) {
    text += fmt::format("route add {} via {} dev {} onlink{}\n", route.destination, next_hop, route.device,
                        host ? fmt::format(" {}", route_settings(plan)) : "");
  }
  return text;
}

std::string queue_commands(const EmulationPlan& plan, int container) {
  std::string text;
  for_each_device(plan, container, [&](const Device& device, const Device&) {
    if (device.queue.shapes()) text += queue_command("add", device.name, device.queue);
  });
  if (plan.containers[container].loopback.shapes())
    text += queue_command("add", "lo", plan.containers[container].loopback);
  return text;
}

}  // namespace isthmus
