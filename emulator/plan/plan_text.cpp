// The plan as readable text.
#include <fmt/format.h>

#include <cmath>

#include "algorithms/text/counted.hpp"
#include "algorithms/text/printable.hpp"
#include "emulator/plan/plan.hpp"

namespace isthmus {
namespace {

std::string names_of(const Network& network, const std::vector<int>& links) {
  std::string text;
  for (const int link : links)
    text += fmt::format("{}{}", text.empty() ? "" : " ", printable(network.links[link].name));
  return text;
}

/// `finest_s`: the delays of the queue are multiples of it.
std::string text_of(const Queue& queue, double finest_s) {
  std::string text = fmt::format("{:g} ms", queue.delay_s * 1e3);
  const double held_s = std::round(queue.delay_s / finest_s) * finest_s;
  if (std::abs(held_s - queue.delay_s) > 1e-6 * finest_s) {
    text += fmt::format(" (held for {:g} us: the kernel's queues know whole microseconds)", held_s * 1e6);
  }
  if (queue.payload_Bps > 0) {
    text += fmt::format(", {:g} MB/s of payload ({} bit/s of frames)", queue.payload_Bps * 1e-6,
                        wire_rate_bps(queue.payload_Bps));
  }
  if (queue.per_flow) return text + ", each flow for itself";
  return text + (queue.cut_through ? ", cut-through" : "") + (queue.both_ways ? ", both directions in turn" : "");
}

std::string end_of(const EmulationPlan& plan, const Device& device) {
  return fmt::format("{}:{}", plan.containers[device.container].name, device.name);
}

std::string queues_text(const EmulationPlan& plan, const Network& network) {
  std::string text;
  int queues = 0;
  const auto line = [&](const Device& from, const Device& to, const Queue& queue) {
    if (!queue.shapes()) return;
    ++queues;
    text += fmt::format("  {} -> {}  {}  {}\n", end_of(plan, from), end_of(plan, to), text_of(queue, 1e-6),
                        names_of(network, from.links));
  };
  for (const Cable& cable : plan.cables) {
    line(cable.a, cable.b, cable.a.queue);
    line(cable.b, cable.a, cable.b.queue);
  }
  for (const Container& container : plan.containers) {
    if (!container.loopback.shapes()) continue;
    ++queues;
    text += fmt::format("  {}:lo  {}  {}\n", container.name, text_of(container.loopback, 1e-6),
                        names_of(network, container.loopback_links));
  }
  for (const DelayedHop& hop : plan.delayed) {
    ++queues;
    text += fmt::format("  delay-line:{} -> delay-line:{}  {}  {}\n", hop.from, hop.to, text_of(hop.queue, 1e-9),
                        names_of(network, hop.links));
  }
  return fmt::format("queues: {}\n{}", queues, text);
}

}  // namespace

std::string to_text(const EmulationPlan& plan, const Network& network) {
  std::string text = fmt::format("containers: {}\n", plan.containers.size());
  for (std::size_t i = 0; i < plan.containers.size(); ++i) {
    const Container& container = plan.containers[i];
    int ranks = 0;
    for (const int at : plan.container_of_rank) ranks += at == static_cast<int>(i) ? 1 : 0;
    text += fmt::format("  {}", container.name);
    if (container.host >= 0) text += fmt::format("  {}  {}", container.address, counted(ranks, "rank"));
    if (container.niceness > 0) text += fmt::format("  nice {}", container.niceness);
    for (const ContainerRoute& route : container.routes) {
      text += fmt::format("{}{} by {}", &route == container.routes.data() ? "  to " : ", ", route.destination,
                          route.device);
    }
    text += "\n";
  }
  text += fmt::format("cables: {}\n", plan.cables.size());
  for (const Cable& cable : plan.cables) {
    text += fmt::format("  {} {} - {} {}\n", end_of(plan, cable.a), cable.a.address, end_of(plan, cable.b),
                        cable.b.address);
  }
  text += queues_text(plan, network);
  if (plan.management >= 0)
    text += "no route over the links between some hosts: a management network joins all, for what is no data\n";
  if (plan.streams > 1) text += fmt::format("streams: {} TCP connections in place of one\n", plan.streams);
  text += fmt::format("probes: {}\n", plan.probes.size());
  for (const ProbePair& probe : plan.probes) {
    text += fmt::format("  {} -> {}  {:g} ms, {:g} MB/s{}\n", plan.containers[probe.from].name,
                        plan.containers[probe.to].name, probe.latency_s * 1e3, probe.bandwidth_Bps * 1e-6,
                        probe.shaped ? "" : ", not shaped");
  }
  return text;
}

}  // namespace isthmus
