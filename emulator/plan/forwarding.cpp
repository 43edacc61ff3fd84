#include "emulator/plan/forwarding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <set>

#include "algorithms/errors.hpp"
#include "algorithms/network/link_names.hpp"

namespace isthmus {
namespace {

constexpr int arrived = -1;

/// Disjoint sets of ends of hops, and subnets, that lie at one node. Each set holds the next hop for each subnet.
class NodeSets {
 public:
  explicit NodeSets(int ends) : next_hop_(ends) {
    for (int end = 0; end < ends; ++end) parent_.push_back(end);
  }

  int find(int end) const {
    while (parent_[end] != end) end = parent_[end];
    return end;
  }

  /// False when frames for this subnet already take another hop from this end.
  bool set_next_hop(int end, int subnet, int hop) { return next_hop_[end].emplace(subnet, hop).first->second == hop; }

  /// Merges two ends, unless frames for some subnet would then have two next hops.
  void unite(int a, int b) {
    a = find(a);
    b = find(b);
    if (a == b) return;
    if (a > b) std::swap(a, b);
    const bool clash = std::any_of(next_hop_[b].begin(), next_hop_[b].end(), [&](const auto& step) {
      const auto other = next_hop_[a].find(step.first);
      return other != next_hop_[a].end() && other->second != step.second;
    });
    if (clash) return;
    next_hop_[a].merge(next_hop_[b]);
    parent_[b] = a;
  }

  const std::map<int, int>& next_hops(int end) const { return next_hop_[find(end)]; }

 private:
  std::vector<int> parent_;
  std::vector<std::map<int, int>> next_hop_;  // by representative of a set
};

class ForwardingBuilder {
 public:
  ForwardingBuilder(const Network& network, const std::vector<int>& hosts, const PlanOptions& options)
      : network_(network), options_(options) {
    find_subnets(hosts);
    find_links();
    find_hops();
    join_hops();
    find_capped_flows();
    find_cut_through();
  }

  ForwardingGraph take() { return std::move(graph_); }

 private:
  /// Null without a route.
  const std::vector<int>* trunk(int from_host, int to_host) const {
    const Host& from = network_.hosts[from_host];
    const Host& to = network_.hosts[to_host];
    const auto found = network_.trunks.find({from.endpoint, to.endpoint});
    if (found != network_.trunks.end()) return &found->second.links;
    if (network_.trunks.contains({to.endpoint, from.endpoint})) {
      throw BadInput(fmt::format("no route from host `{}` to host `{}`, only back; both or none would be right",
                                 from.name, to.name));
    }
    return nullptr;
  }

  /// Hosts of an endpoint are one subnet when only links of single hosts lie between them, one for each direction.
  void find_subnets(const std::vector<int>& hosts) {
    std::map<int, std::vector<int>> at_endpoint;
    for (const int host : hosts) at_endpoint[network_.hosts[host].endpoint].push_back(host);
    std::vector<int> uses(network_.links.size(), 0);
    const auto count = [&](const std::vector<int>& links) {
      for (const int link : links) ++uses[link];
    };
    for (const int host : hosts) {
      count(network_.hosts[host].up);
      count(network_.hosts[host].down);
    }
    for (const auto& [ends, trunk] : network_.trunks) {
      if (at_endpoint.contains(ends.first) && at_endpoint.contains(ends.second)) count(trunk.links);
    }
    const auto own = [&](int link) { return uses[link] == 1 && network_.links[link].sharing == Sharing::shared; };
    for (const auto& [endpoint, there] : at_endpoint) {
      const bool together = std::all_of(there.begin(), there.end(), [&](int host) {
        const Host& h = network_.hosts[host];
        return std::all_of(h.up.begin(), h.up.end(), own) && std::all_of(h.down.begin(), h.down.end(), own);
      });
      const auto empty = [](const std::vector<int>* links) { return links != nullptr && links->empty(); };
      if (together && (there.size() == 1 || empty(trunk(there[0], there[1])))) {
        graph_.subnets.push_back({there, true});
      } else {
        for (const int host : there) graph_.subnets.push_back({{host}, false});
      }
    }
  }

  /// Calls `visit(from, to, links)` for every pair of different subnets with a route.
  template <typename Visit>
  void for_each_path(const Visit& visit) const {
    for (const auto& [ends, links] : links_between_) visit(ends.first, ends.second, links);
  }

  void find_links() {
    for (int from = 0; from < static_cast<int>(graph_.subnets.size()); ++from) {
      for (int to = 0; to < static_cast<int>(graph_.subnets.size()); ++to) {
        if (from == to) continue;
        const Subnet& here = graph_.subnets[from];
        const Subnet& there = graph_.subnets[to];
        const Host& sender = network_.hosts[here.hosts.front()];
        const Host& receiver = network_.hosts[there.hosts.back()];
        const std::vector<int>* const middle = trunk(here.hosts.front(), there.hosts.back());
        if (middle == nullptr) continue;
        std::vector<int>& links = links_between_[{from, to}];
        if (!here.has_own_links) links = sender.up;
        links.insert(links.end(), middle->begin(), middle->end());
        if (!there.has_own_links) links.insert(links.end(), receiver.down.begin(), receiver.down.end());
      }
    }
  }

  /// Links of single hosts, which some substrates leave unshaped.
  std::set<int> links_of_hosts() const {
    std::set<int> links;
    for (const Subnet& subnet : graph_.subnets) {
      if (subnet.has_own_links) continue;
      const Host& host = network_.hosts[subnet.hosts.front()];
      links.insert(host.up.begin(), host.up.end());
      links.insert(host.down.begin(), host.down.end());
    }
    return links;
  }

  void find_hops() {
    constexpr int several = -2;
    constexpr int none = -1;
    std::map<int, int> next;
    std::map<int, int> previous;
    std::set<int> both_ways;
    const auto note = [](std::map<int, int>& neighbours, int link, int neighbour) {
      const auto [at, fresh] = neighbours.emplace(link, neighbour);
      if (!fresh && at->second != neighbour) at->second = several;
    };
    for_each_path([&](int from, int to, const std::vector<int>& links) {
      const std::vector<int>& back = links_between_.at({to, from});
      for (std::size_t i = 0; i < links.size(); ++i) {
        if (std::find(back.begin(), back.end(), links[i]) != back.end()) both_ways.insert(links[i]);
        note(next, links[i], i + 1 < links.size() ? links[i + 1] : none);
        note(previous, links[i], i > 0 ? links[i - 1] : none);
      }
    });
    const std::set<int> of_hosts = links_of_hosts();
    const auto continues = [&](int link, int after) {
      return next.at(link) == after && previous.at(after) == link &&
             of_hosts.contains(link) == of_hosts.contains(after) &&
             network_.links[link].sharing == network_.links[after].sharing;
    };
    std::map<int, int> hop_of;
    for_each_path([&](int from, int to, const std::vector<int>& links) {
      std::vector<int>& path = graph_.between[{from, to}];
      for (std::size_t i = 0; i < links.size(); ++i) {
        if (i > 0 && continues(links[i - 1], links[i])) continue;
        if (!hop_of.contains(links[i])) {
          Hop hop{{links[i]}};
          for (std::size_t j = i + 1; j < links.size() && continues(links[j - 1], links[j]); ++j) {
            hop.links.push_back(links[j]);
          }
          if (options_.shaping.shape_host_links || !of_hosts.contains(links[i])) {
            hop.queue = queue_of(network_, hop.links);
            hop.queue.both_ways = both_ways.contains(links[i]);
          }
          hop_of[links[i]] = static_cast<int>(graph_.hops.size());
          graph_.hops.push_back(std::move(hop));
        }
        path.push_back(hop_of[links[i]]);
      }
    });
  }

  int entry(int hop) const { return static_cast<int>(graph_.subnets.size()) + 2 * hop; }
  int exit(int hop) const { return entry(hop) + 1; }

  /// Where one hop of a path ends, the next one starts. These two ends become one node, unless frames for some subnet
  /// would then have two next hops.
  void join_hops() {
    NodeSets sets_of_ends(entry(static_cast<int>(graph_.hops.size())));
    for (int subnet = 0; subnet < static_cast<int>(graph_.subnets.size()); ++subnet)
      sets_of_ends.set_next_hop(subnet, subnet, arrived);
    for (const auto& [ends, path] : graph_.between) {
      int at = ends.first;
      for (const int hop : path) {
        set_next_hop(sets_of_ends, at, ends.second, hop);
        sets_of_ends.set_next_hop(entry(hop), ends.second, hop);
        at = exit(hop);
      }
      set_next_hop(sets_of_ends, at, ends.second, arrived);
    }
    for (const auto& [ends, path] : graph_.between) {
      int at = ends.first;
      for (const int hop : path) {
        sets_of_ends.unite(at, entry(hop));
        at = exit(hop);
      }
      sets_of_ends.unite(at, ends.second);
    }
    number_nodes(sets_of_ends);
  }

  void set_next_hop(NodeSets& sets_of_ends, int end, int subnet, int hop) const {
    if (sets_of_ends.set_next_hop(end, subnet, hop)) return;
    const int link = graph_.hops[(end - static_cast<int>(graph_.subnets.size())) / 2].links.front();
    throw BadInput(
        fmt::format("link `{}`: its routes cannot be emulated, they depend on more than where they lead; one way from "
                    "each link to each destination would be right",
                    network_.links[link].name));
  }

  void number_nodes(const NodeSets& sets_of_ends) {
    std::map<int, int> number;
    std::vector<int> sets;
    const auto node = [&](int end) {
      const auto [at, fresh] = number.emplace(sets_of_ends.find(end), static_cast<int>(number.size()));
      if (fresh) sets.push_back(at->first);
      return at->second;
    };
    for (std::size_t i = 0; i < graph_.subnets.size(); ++i) graph_.subnets[i].node = node(static_cast<int>(i));
    for (std::size_t i = 0; i < graph_.hops.size(); ++i) {
      graph_.hops[i].from = node(entry(static_cast<int>(i)));
      graph_.hops[i].to = node(exit(static_cast<int>(i)));
    }
    graph_.nodes = static_cast<int>(sets.size());
    for (int here = 0; here < graph_.nodes; ++here) {
      for (const auto& [subnet, hop] : sets_of_ends.next_hops(sets[here])) {
        const int there = hop == arrived ? graph_.subnets[subnet].node : graph_.hops[hop].from;
        if (there != here) {
          graph_.next_node[{here, subnet}] = there;
        } else if (hop != arrived) {
          graph_.next_hop[{here, subnet}] = hop;
        }
      }
    }
  }

  /// The rate of the slowest link that messages occupy in turn, between two hosts of these subnets.
  double rate_in_turn(int from, int to) const {
    double least = unlimited;
    const auto look = [&](const std::vector<int>& links) {
      for (const int link : links) {
        if (network_.links[link].sharing == Sharing::shared)
          least = std::min(least, network_.links[link].bandwidth_Bps);
      }
    };
    look(links_between_.at({from, to}));
    for (const int subnet : {from, to}) {
      double fastest = 0;
      for (const int host : graph_.subnets[subnet].hosts) {
        const Host& h = network_.hosts[host];
        const LinkList& links = subnet == from ? h.up : h.down;
        fastest = std::max(fastest, graph_.subnets[subnet].has_own_links && !links.empty()
                                        ? queue_of(network_, links).payload_Bps
                                        : unlimited);
      }
      least = std::min(least, fastest);
    }
    return least;
  }

  std::set<int> links_in_conditions() const {
    std::set<int> links;
    const auto add = [&](const std::string& pattern) {
      const std::vector<int> named = links_named(network_, pattern);
      links.insert(named.begin(), named.end());
    };
    for (const LinkCondition& condition : options_.conditions.links) add(condition.links);
    for (const LinkChange& change : options_.conditions.changes) add(change.links);
    return links;
  }

  /// A FATPIPE link limits each flow. When every path over it has another link that is no faster, it only adds latency.
  void find_capped_flows() {
    std::vector<bool> caps(graph_.hops.size(), false);
    const std::set<int> may_change = links_in_conditions();
    for (std::size_t i = 0; i < graph_.hops.size(); ++i) {
      for (const int link : graph_.hops[i].links) caps[i] = caps[i] || may_change.contains(link);
    }
    for (const auto& [ends, path] : graph_.between) {
      for (const int hop : path) {
        const Queue& queue = graph_.hops[hop].queue;
        if (queue.per_flow && rate_in_turn(ends.first, ends.second) > queue.payload_Bps) caps[hop] = true;
      }
    }
    for (std::size_t i = 0; i < graph_.hops.size(); ++i) {
      Queue& queue = graph_.hops[i].queue;
      if (!queue.per_flow) continue;
      queue.both_ways = false;
      if (!caps[i]) {
        queue.payload_Bps = 0;
        queue.per_flow = false;
        continue;
      }
      check_per_flow(network_.links[graph_.hops[i].links.front()].name, queue, options_);
    }
  }

  /// The rate at which frames come from the fastest host of a subnet.
  double fastest_up(int subnet) const {
    double fastest = 0;
    for (const int host : graph_.subnets[subnet].hosts) {
      const bool shaped = graph_.subnets[subnet].has_own_links && options_.shaping.shape_host_links;
      const double rate = shaped ? queue_of(network_, network_.hosts[host].up).payload_Bps : 0;
      fastest = std::max(fastest, rate == 0 ? unlimited : rate);
    }
    return fastest;
  }

  /// A queue is cut-through when every path to it has already serialised the frames at no higher rate.
  void find_cut_through() {
    std::vector<double> before(graph_.hops.size(), 0);
    for (std::size_t i = 0; i < graph_.subnets.size(); ++i)
      graph_.subnets[i].arriving_Bps = fastest_up(static_cast<int>(i));
    for (const auto& [ends, path] : graph_.between) {
      double rate = fastest_up(ends.first);
      for (const int hop : path) {
        before[hop] = std::max(before[hop], rate);
        const double own = graph_.hops[hop].queue.payload_Bps;
        if (own > 0 && !graph_.hops[hop].queue.per_flow) rate = std::min(rate, own);
      }
      double& arriving = graph_.subnets[ends.second].arriving_Bps;
      arriving = std::max(arriving, rate);
    }
    for (std::size_t i = 0; i < graph_.hops.size(); ++i) {
      Queue& queue = graph_.hops[i].queue;
      queue.cut_through = queue.per_flow || before[i] <= queue.payload_Bps;
    }
  }

  static constexpr double unlimited = std::numeric_limits<double>::infinity();

  const Network& network_;
  const PlanOptions& options_;
  std::map<std::pair<int, int>, std::vector<int>> links_between_;  // from one subnet to another
  ForwardingGraph graph_;
};

}  // namespace

Queue queue_of(const Network& network, const std::vector<int>& links) {
  Queue queue;
  for (const int number : links) {
    const Link& link = network.links[number];
    queue.delay_s += link.latency_s;
    queue.payload_Bps = queue.payload_Bps == 0 ? link.bandwidth_Bps : std::min(queue.payload_Bps, link.bandwidth_Bps);
    queue.per_flow = link.sharing == Sharing::fatpipe;
  }
  return queue;
}

void check_per_flow(const std::string& link, const Queue& queue, const PlanOptions& options) {
  constexpr double max_bps = 8.0 * std::numeric_limits<std::uint32_t>::max();
  if (!options.shaping.per_flow_rates) {
    throw BadInput(
        fmt::format("link `{}`: FATPIPE, and slower than all links of a route that messages share: the substrate has "
                    "no rate for each "
                    "flow; virtual or native, or SHARED, would be right",
                    link));
  }
  if (static_cast<double>(wire_rate_bps(queue.payload_Bps)) >= max_bps) {
    throw BadInput(
        fmt::format("link `{}`: FATPIPE, {:g} B/s for each flow are more than the kernel can count; at most {:g}, "
                    "or SHARED, would be right",
                    link, queue.payload_Bps, max_bps / 8 * frame_payload_bytes / frame_bytes));
  }
}

ForwardingGraph build_forwarding(const Network& network, const std::vector<int>& hosts, const PlanOptions& options) {
  return ForwardingBuilder(network, hosts, options).take();
}

}  // namespace isthmus
