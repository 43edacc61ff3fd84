#include "emulator/plan/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "algorithms/errors.hpp"
#include "algorithms/models/tcp_throughput.hpp"
#include "algorithms/network/forwarded_routes.hpp"
#include "algorithms/text/printable.hpp"
#include "emulator/plan/forwarding.hpp"

namespace isthmus {
namespace {

constexpr const char* management_device = "eth1";

void check_host_name(const std::string& name) {
  const bool characters = std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return c < 128 && (std::isalnum(c) != 0 || c == '-' || c == '.');
  });
  const bool letter = std::any_of(name.begin(), name.end(), [](unsigned char c) { return std::isalpha(c) != 0; });
  const bool ends = !name.empty() && std::isalnum(static_cast<unsigned char>(name.front())) != 0 &&
                    std::isalnum(static_cast<unsigned char>(name.back())) != 0;
  if (characters && letter && ends && name.size() <= 63 && name != "localhost") return;
  throw BadInput(
      fmt::format("host `{}`: cannot be emulated under this name; letters, digits, `-` and `.`, at most 63, with a "
                  "letter, would be right",
                  excerpt(name)));
}

std::string text_of_address(std::uint32_t a) {
  return fmt::format("{}.{}.{}.{}", a >> 24, a >> 16 & 255, a >> 8 & 255, a & 255);
}

class Planner {
 public:
  Planner(const Network& network, const Placement& placement, const PlanOptions& options)
      : network_(network), options_(options) {
    for (const std::vector<LinkStep>& steps : link_steps(network, options.conditions)) {
      changing_.push_back(steps.size() > 1);
    }
    for (const int host : placement.host_of_rank) ++ranks_on_[host];
    if (!connectivity_of(network, placement).complete()) add_gateways();
    for (const int host : with_forwarders(network, placement).host_of_rank) ranks_on_[host] += 0;
    for (const AmbientTraffic& traffic : options.conditions.traffic) {
      for (const std::string& name : {traffic.from, traffic.to}) ranks_on_[host_named(name)] += 0;
    }
    for (const auto& [host, ranks] : ranks_on_) hosts_.push_back(host);
    check_hosts();
    graph_ = build_forwarding(network, hosts_, options_);
    for (Hop& hop : graph_.hops) hop.queue.cut_through |= change(hop.links);
    lay_out(placement);
  }

  EmulationPlan take() { return std::move(plan_); }

 private:
  int host_named(const std::string& name) const {
    for (std::size_t i = 0; i < network_.hosts.size(); ++i) {
      if (network_.hosts[i].name == name && !network_.hosts[i].gateway) return static_cast<int>(i);
    }
    throw BadInput(fmt::format("host `{}`: none of this name in {}", name, network_.name));
  }

  /// Gateways that run no rank may forward between hosts without a route.
  void add_gateways() {
    for (int host = 0; host < static_cast<int>(network_.hosts.size()); ++host)
      if (network_.hosts[host].gateway) ranks_on_[host] += 0;
  }

  void check_hosts() const {
    std::set<std::string> names;
    std::map<int, int> loopback_of;
    for (const int host : hosts_) {
      const Host& h = network_.hosts[host];
      check_host_name(h.name);
      std::string lower = h.name;
      for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      if (!names.insert(lower).second) {
        throw BadInput(fmt::format("host `{}`: two hosts of this name; host names must differ", h.name));
      }
      if (ranks_on_.at(host) < 2) continue;
      for (const int link : h.loopback) {
        const auto [at, fresh] = loopback_of.emplace(link, host);
        if (fresh || network_.links[link].sharing == Sharing::fatpipe) continue;
        throw BadInput(fmt::format(
            "link `{}`: one loopback of `{}` and `{}` cannot be emulated; FATPIPE, a loopback for each, or one rank a "
            "host, would be right",
            network_.links[link].name, network_.hosts[at->second].name, h.name));
      }
    }
  }

  Queue host_queue(const std::vector<int>& links) const {
    if (!options_.shaping.shape_host_links) return {};
    Queue queue = queue_of(network_, links);
    queue.cut_through = change(links);
    return queue;
  }

  /// Whether one of the links changes with time.
  bool change(const std::vector<int>& links) const {
    return std::any_of(links.begin(), links.end(), [&](int link) { return changing_[link]; });
  }

  Queue up_queue(const Subnet& place, int host) const {
    return place.has_own_links ? host_queue(network_.hosts[host].up) : Queue{};
  }

  Queue down_queue(const Subnet& place, int host) const {
    Queue queue = place.has_own_links ? host_queue(network_.hosts[host].down) : Queue{};
    queue.cut_through |= queue.payload_Bps > 0 && place.arriving_Bps <= queue.payload_Bps;
    return queue;
  }

  Queue loopback_queue(int host) const {
    const LinkList& links = network_.hosts[host].loopback;
    if (ranks_on_.at(host) < 2 || links.empty()) return {};
    Queue queue = host_queue(links);
    if (!queue.shapes()) return queue;
    for (const int link : links) queue.per_flow &= network_.links[link].sharing == Sharing::fatpipe;
    queue.both_ways = !queue.per_flow;
    queue.cut_through = queue.per_flow;
    if (queue.per_flow) check_per_flow(network_.links[links.front()].name, queue, options_);
    return queue;
  }

  static std::string hardware_address(std::size_t number) {
    return fmt::format("02:00:{:02x}:{:02x}:{:02x}:{:02x}", number >> 24 & 255, number >> 16 & 255, number >> 8 & 255,
                       number & 255);
  }

  /// Adds a cable; each device has the queue for the frames that leave there.
  void connect(Device a, Device b) {
    const std::size_t number = 2 * plan_.cables.size();
    a.address = hardware_address(number + 1);
    b.address = hardware_address(number + 2);
    plan_.cables.push_back({std::move(a), std::move(b)});
  }

  /// Puts the delay line into every shaped cable. Its device towards one end has the hardware address of the other end.
  void lead_through_delay_line() {
    plan_.delay_line = static_cast<int>(plan_.containers.size());
    plan_.containers.push_back({.name = "delay-line"});
    std::vector<Cable> cables;
    for (Cable& cable : plan_.cables) {
      if (!cable.a.queue.shapes() && !cable.b.queue.shapes()) {
        cables.push_back(std::move(cable));
        continue;
      }
      const std::size_t number = plan_.delayed.size();
      const Device near{plan_.delay_line, fmt::format("d{}", number), cable.b.address, {}, {}};
      const Device far{plan_.delay_line, fmt::format("d{}", number + 1), cable.a.address, {}, {}};
      plan_.delayed.push_back({near.name, far.name, std::exchange(cable.a.queue, {}), cable.a.links});
      plan_.delayed.push_back({far.name, near.name, std::exchange(cable.b.queue, {}), cable.b.links});
      cables.push_back({std::move(cable.a), near});
      cables.push_back({far, std::move(cable.b)});
    }
    plan_.cables = std::move(cables);
  }

  /// The kernel's weights fall by a fifth with each step of nice, for 19 steps.
  int niceness_of(int host) const {
    if (!options_.shaping.processor_weights) return 0;
    const auto slower = [&](int a, int b) { return network_.hosts[a].speed_flops < network_.hosts[b].speed_flops; };
    const Host& fastest = network_.hosts[*std::max_element(hosts_.begin(), hosts_.end(), slower)];
    const double speed = network_.hosts[host].speed_flops;
    if (speed <= 0) return 0;  // not given
    const auto steps = static_cast<int>(std::lround(std::log(fastest.speed_flops / speed) / std::log(1.25)));
    if (steps <= 19) return steps;
    throw BadInput(
        fmt::format("host `{}`: `{}` is {:.0f} times as fast, and the kernel's weights of processes reach no further "
                    "than 69; speeds "
                    "nearer to each other, or the substrate virtual, which knows no speeds, would be right",
                    network_.hosts[host].name, fastest.name, fastest.speed_flops / speed));
  }

  void lay_out(const Placement& placement) {
    plan_.lossless = !may_lose_frames(network_, options_.conditions);
    plan_.tcp = options_.conditions.tcp;
    plan_.streams =
        plan_.tcp.streams != automatic_streams ? plan_.tcp.streams : streams_to_fill(network_, options_.conditions);
    // Where host links are unshaped, each frame is expensive: several travel as one, but not so many that a whole
    // message waits for its last byte.
    plan_.max_segments = options_.shaping.shape_host_links || options_.shaping.delay_line ? 1 : 4;
    for (const int host : hosts_) {
      container_of_[host] = static_cast<int>(plan_.containers.size());
      plan_.containers.push_back({.name = network_.hosts[host].name, .host = host});
      plan_.containers.back().niceness = niceness_of(host);
      const Queue loopback = loopback_queue(host);
      if (!loopback.shapes()) continue;
      plan_.containers.back().loopback = loopback;
      plan_.containers.back().loopback_links = network_.hosts[host].loopback;
    }
    for (const int host : placement.host_of_rank) plan_.container_of_rank.push_back(container_of_[host]);
    routers_ = static_cast<int>(plan_.containers.size());
    for (int i = 0; i < graph_.nodes; ++i) plan_.containers.push_back({.name = fmt::format("router-{}", i)});
    lay_segments();
    lay_crossings();
    lay_hosts();
    if (!graph_.complete()) lay_management();
    choose_probes();
    if (options_.shaping.delay_line) lead_through_delay_line();
  }

  /// Opposite hops between two nodes share a cable; every other hop has one of its own.
  void lay_segments() {
    const std::vector<Hop>& hops = graph_.hops;
    std::vector<bool> done(hops.size(), false);
    device_of_.resize(hops.size());
    for (std::size_t i = 0; i < hops.size(); ++i) {
      if (done[i]) continue;
      const Hop& forth = hops[i];
      device_of_[i] = fmt::format("w{}", i);
      Device back{routers_ + forth.to, fmt::format("v{}", i), {}, {}, {}};
      for (std::size_t j = i + 1; j < hops.size(); ++j) {
        if (done[j] || hops[j].from != forth.to || hops[j].to != forth.from) continue;
        done[j] = true;
        device_of_[j] = back.name = fmt::format("w{}", j);
        back.queue = hops[j].queue;
        back.links = hops[j].links;
        break;
      }
      connect({routers_ + forth.from, device_of_[i], {}, forth.queue, forth.links}, std::move(back));
    }
  }

  /// Cables between nodes that frames cross without a hop.
  void lay_crossings() {
    for (const auto& [at, there] : graph_.next_node) {
      const int here = at.first;
      if (crossings_.contains({here, there})) continue;
      const std::size_t number = crossings_.size();
      const std::string near = fmt::format("x{}", number);
      const std::string far = fmt::format("x{}", number + 1);
      crossings_[{here, there}] = near;
      crossings_[{there, here}] = far;
      connect({routers_ + here, near, {}, {}, {}}, {routers_ + there, far, {}, {}, {}});
    }
  }

  /// A block of addresses for each subnet, with consecutive addresses for its hosts.
  void lay_hosts() {
    std::vector<std::size_t> sizes;
    for (const Subnet& place : graph_.subnets) sizes.push_back(place.hosts.size());
    const std::vector<AddressBlock> blocks = address_blocks(sizes);
    for (std::size_t number = 0; number < graph_.subnets.size(); ++number) {
      const Subnet& place = graph_.subnets[number];
      const int own_router = routers_ + place.node;
      for (std::size_t i = 0; i < place.hosts.size(); ++i) {
        const int at = container_of_[place.hosts[i]];
        Container& container = plan_.containers[at];
        container.address = text_of_address(blocks[number].first + static_cast<std::uint32_t>(i) + 1);
        if (graph_.complete()) container.routes.push_back({"10.0.0.0/8", "eth0"});
        const std::string port = fmt::format("p{}", at);
        plan_.containers[own_router].routes.push_back({container.address + "/32", port});
        const Host& host = network_.hosts[place.hosts[i]];
        Device out{at, "eth0", {}, up_queue(place, place.hosts[i]), {}};
        Device in{own_router, port, {}, down_queue(place, place.hosts[i]), {}};
        if (place.has_own_links) {
          out.links = host.up;
          in.links = host.down;
        }
        connect(std::move(out), std::move(in));
      }
      const std::string block = fmt::format("{}/{}", text_of_address(blocks[number].first), blocks[number].prefix_bits);
      for (int node = 0; node < graph_.nodes; ++node) {
        const std::pair at{node, static_cast<int>(number)};
        std::vector<ContainerRoute>& routes = plan_.containers[routers_ + node].routes;
        if (const auto onward = graph_.next_hop.find(at); onward != graph_.next_hop.end()) {
          routes.push_back({block, device_of_[onward->second]});
        } else if (const auto over = graph_.next_node.find(at); over != graph_.next_node.end()) {
          routes.push_back({block, crossings_.at({node, over->second})});
        }
      }
    }
  }

  /// A network of its own for what is no data, over which hosts without a route reach each other.
  void lay_management() {
    plan_.management = static_cast<int>(plan_.containers.size());
    plan_.containers.push_back({.name = "management"});
    const Queue slow{.delay_s = management_latency_s / 2, .payload_Bps = management_Bps};
    std::vector<std::size_t> sizes;
    for (const Subnet& place : graph_.subnets) sizes.push_back(place.hosts.size());
    const std::vector<AddressBlock> blocks = address_blocks(sizes);
    for (int here = 0; here < static_cast<int>(graph_.subnets.size()); ++here) {
      for (const int host : graph_.subnets[here].hosts) {
        const int at = container_of_.at(host);
        const std::string port = fmt::format("m{}", at);
        plan_.containers[plan_.management].routes.push_back({plan_.containers[at].address + "/32", port});
        connect({at, management_device, {}, slow, {}}, {plan_.management, port, {}, slow, {}});
        for (int there = 0; there < static_cast<int>(graph_.subnets.size()); ++there) {
          const bool over_links = here == there || graph_.between.contains({here, there});
          plan_.containers[at].routes.push_back(
              {fmt::format("{}/{}", text_of_address(blocks[there].first), blocks[there].prefix_bits),
               over_links ? "eth0" : management_device});
        }
      }
    }
  }

  std::vector<Queue> queues_between(int from, int to) const {
    if (from == to) return {plan_.containers[container_of_.at(from)].loopback};
    const int here = place_of_.at(from);
    const int there = place_of_.at(to);
    std::vector<Queue> queues{up_queue(graph_.subnets[here], from)};
    if (here != there) {
      for (const int hop : graph_.between.at({here, there})) queues.push_back(graph_.hops[hop].queue);
    }
    queues.push_back(down_queue(graph_.subnets[there], to));
    std::erase_if(queues, [](const Queue& queue) { return !queue.shapes(); });
    return queues;
  }

  void choose_probes() {
    for (std::size_t place = 0; place < graph_.subnets.size(); ++place) {
      for (const int host : graph_.subnets[place].hosts) place_of_[host] = static_cast<int>(place);
    }
    std::set<std::string> classes;
    for (const int from : hosts_) {
      for (const int to : hosts_) {
        if (from == to && !plan_.containers[container_of_.at(from)].loopback.shapes()) continue;
        if (!network_.has_route(from, to)) continue;
        const Route route = network_.route(from, to);
        if (route.links.empty()) continue;  // no links, nothing to measure
        const double latency_s = (route.latency_s + network_.route(to, from).latency_s) / 2;
        if (!classes
                 .insert(fmt::format("{:.6g} {:.6g} {:.6g} {}", route.latency_s, latency_s, route.bandwidth_Bps,
                                     from == to ? "loopback" : ""))
                 .second) {
          continue;
        }
        ProbePair probe{container_of_.at(from), container_of_.at(to),     latency_s,
                        route.bandwidth_Bps,    queues_between(from, to), queues_between(to, from)};
        probe.shaped = options_.shaping.shape_host_links || !probe.forth.empty();
        plan_.probes.push_back(std::move(probe));
      }
    }
  }

  const Network& network_;
  PlanOptions options_;
  std::vector<bool> changing_;   // by link
  std::map<int, int> ranks_on_;  // the hosts in use
  std::vector<int> hosts_;
  ForwardingGraph graph_;
  int routers_ = 0;                                       // the container of the first node
  std::map<int, int> container_of_, place_of_;            // of a host
  std::vector<std::string> device_of_;                    // of a hop, where it starts
  std::map<std::pair<int, int>, std::string> crossings_;  // from node to node: the device
  EmulationPlan plan_;
};

}  // namespace

std::vector<AddressBlock> address_blocks(const std::vector<std::size_t>& hosts) {
  std::vector<AddressBlock> blocks;
  constexpr std::uint64_t end = std::uint64_t{11} << 24;
  std::uint64_t next = std::uint64_t{10} << 24;
  for (const std::size_t count : hosts) {
    int bits = 2;
    while (bits < 32 && (std::uint64_t{1} << bits) < count + 2) ++bits;
    const std::uint64_t size = std::uint64_t{1} << bits;
    next = std::max((next + size - 1) / size * size, (std::uint64_t{10} << 24) + size);
    if (next + size > end) {
      throw BadInput(
          fmt::format("{} hosts at {} subnets: more than the addresses of 10.0.0.0/8 are enough for; fewer ranks "
                      "would be right",
                      std::accumulate(hosts.begin(), hosts.end(), std::size_t{0}), hosts.size()));
    }
    blocks.push_back({static_cast<std::uint32_t>(next), 32 - bits});
    next += size;
  }
  return blocks;
}

EmulationPlan plan_emulation(const Network& network, const Placement& placement, const PlanOptions& options) {
  if (has_forwarded_routes(network)) return plan_emulation(without_forwarded_routes(network), placement, options);
  return Planner(network, placement, options).take();
}

}  // namespace isthmus
