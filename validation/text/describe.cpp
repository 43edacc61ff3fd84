// What is in a network, for people: groups, kinds of links, kinds of routes.
#include "validation/text/describe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "algorithms/errors.hpp"
#include "algorithms/network/placed_network.hpp"
#include "algorithms/replay/acknowledgements.hpp"
#include "algorithms/text/counted.hpp"
#include "algorithms/text/printable.hpp"
#include "validation/text/units.hpp"

namespace isthmus {
namespace {

void print_groups(const Topology& topology, int number, int indent) {
  const Group& group = topology.group(number);
  fmt::print("{:{}}{}: {}\n", "", indent, group.name.empty() ? "all" : printable(group.name),
             counted(group.ranks.size(), "host"));
  // Of many groups of one size only a few are listed.
  const std::size_t shown = group.children.size() > 16 ? 8 : group.children.size();
  for (std::size_t i = 0; i < shown; ++i) print_groups(topology, group.children[i], indent + 2);
  if (shown < group.children.size())
    fmt::print("{:{}}... and {} more groups\n", "", indent + 2, group.children.size() - shown);
}

/// Links that differ in name only: the first of them, and their number.
void print_links(const Network& network) {
  std::map<std::tuple<double, double, Sharing>, std::pair<std::string, int>> kinds;
  for (const Link& link : network.links) {
    auto& [first, number] = kinds[{link.latency_s, link.bandwidth_Bps, link.sharing}];
    if (number++ == 0) first = printable(link.name);
  }
  fmt::print("links: {}\n", network.links.size());
  for (const auto& [kind, of] : kinds) {
    const auto& [latency_s, bandwidth_Bps, sharing] = kind;
    fmt::print("  {:>6} x  {:>9}  {:>10}  {:<7}  {}{}\n", of.second, format_seconds(latency_s),
               format_rate(bandwidth_Bps), sharing == Sharing::shared ? "shared" : "fatpipe", of.first,
               of.second > 1 ? " ..." : "");
  }
}

/// The links that are paid by the byte, if there are any.
void print_prices(const Network& network) {
  std::vector<double> prices;
  for (const Link& link : network.links)
    if (link.price_per_GB > 0) prices.push_back(link.price_per_GB);
  if (prices.empty()) return;
  const auto [least, most] = std::minmax_element(prices.begin(), prices.end());
  fmt::print("prices: {} to {} for 10^9 bytes, on {}\n", *least, *most, counted(prices.size(), "link"));
}

std::string forwarders_of(const Network& network, const Trunk& trunk) {
  const auto name_of = [&](int host) { return printable(network.hosts[host].name); };
  const std::vector<int>& hosts = trunk.forwarders;
  if (hosts.size() > 3) return fmt::format("{} ... {}", name_of(hosts.front()), name_of(hosts.back()));
  std::string names;
  for (const int host : hosts) names += (names.empty() ? "" : ", ") + name_of(host);
  return names;
}

/// Routes between the first hosts of every pair of innermost groups (and within a group), equal ones together.
void print_routes(const Network& network, const Topology& topology, const Placement& placement) {
  struct Kind {
    std::string example;
    int number = 0;
  };
  std::map<std::pair<double, double>, Kind> kinds;
  int without = 0;
  std::vector<std::pair<int, int>> pairs;
  std::vector<int> representatives;
  for (const Group& group : topology.groups()) {
    if (!group.children.empty()) continue;
    representatives.push_back(placement.host_of_rank[group.ranks.front()]);
    if (group.ranks.size() > 1)
      pairs.emplace_back(placement.host_of_rank[group.ranks[0]], placement.host_of_rank[group.ranks[1]]);
  }
  for (int from : representatives)
    for (int to : representatives)
      if (from != to) pairs.emplace_back(from, to);
  for (const auto& [from, to] : pairs) {
    if (!network.has_route(from, to)) {
      ++without;
      continue;
    }
    const Route route = network.route(from, to);
    Kind& kind = kinds[{route.latency_s, route.bandwidth_Bps}];
    if (kind.number++ == 0) {
      kind.example =
          fmt::format("{} -> {} over", printable(network.hosts[from].name), printable(network.hosts[to].name));
      for (int link : route.links) kind.example += " " + printable(network.links[link].name);
      if (route.links.empty()) kind.example += " no link";
      const auto trunk = network.trunks.find({network.hosts[from].endpoint, network.hosts[to].endpoint});
      if (from != to && trunk != network.trunks.end() && !trunk->second.forwarders.empty())
        kind.example += ", forwarded by " + forwarders_of(network, trunk->second);
    }
  }
  fmt::print("routes between groups and inside them, one host of each: {}\n", pairs.size());
  for (const auto& [key, kind] : kinds)
    fmt::print("  {:>6} x  {:>9}  {:>10}  {}\n", kind.number, format_seconds(key.first), format_rate(key.second),
               kind.example);
  if (without > 0) fmt::print("  {:>6} x  no route\n", without);
}

/// Pairs of ranks without a route, and who relays between them.
void print_relays(const Network& network, const Topology& topology, const Placement& placement) {
  const Connectivity& connectivity = topology.connectivity();
  if (connectivity.complete()) return;
  const auto name_of = [&](int rank) { return printable(network.hosts[placement.host_of_rank[rank]].name); };
  const auto names_of = [&](int number) {
    const std::span<const int> members = connectivity.members(number);
    return members.size() < 3 ? name_of(members.front()) + (members.size() == 2 ? ", " + name_of(members.back()) : "")
                              : fmt::format("{} ... {}", name_of(members.front()), name_of(members.back()));
  };
  fmt::print("pairs without a route:\n");
  for (int from = 0; from < connectivity.classes(); ++from) {
    for (int to = 0; to < connectivity.classes(); ++to) {
      const int source = connectivity.members(from).front(), target = connectivity.members(to).front();
      if (from == to || connectivity.direct(source, target)) continue;
      std::string relays;
      try {
        for (const int number : connectivity.classes_between(source, target))
          relays += (relays.empty() ? "relayed by " : ", then ") + names_of(number);
      } catch (const BadInput&) {
        relays = "no other host can relay";
      }
      fmt::print("  {} -> {}: {}\n", names_of(from), names_of(to), relays);
    }
  }
}

}  // namespace

void print_network(const Network& platform) {
  const PlacedNetwork placed(platform, place_ranks(platform, PlacementRule::block, 1));
  const Network& network = placed.network();
  const Placement& placement = placed.placement();
  const Topology& topology = placed.topology();
  const auto gateways = network.hosts.size() - placement.host_of_rank.size();
  fmt::print("platform {}: {}{}\n", printable(network.name), counted(placement.size(), "host"),
             gateways > 0 ? " and " + counted(gateways, "gateway") : "");
  print_groups(topology, 0, 2);
  print_links(network);
  print_prices(network);
  print_routes(network, topology, placement);
  print_relays(network, topology, placement);
  const Transport& transport = network.transport;
  std::string frames = "no frames";
  if (transport.frame_bytes > 0) frames = fmt::format("frames of {} B", transport.frame_bytes);
  if (has_acknowledgements(transport))
    frames += fmt::format(", {} B of acknowledgements for each", transport.acknowledgement_bytes);
  fmt::print("transport: header {} B, {}, eager up to {}, buffered up to {}\n", transport.header_bytes, frames,
             format_bytes(transport.eager_bytes), format_bytes(transport.buffered_bytes));
  fmt::print("processors: os {} + {}/B, or {} + {}/B, combining {}/B\n", format_seconds(transport.send_overhead_s),
             format_seconds(transport.send_overhead_s_per_byte), format_seconds(transport.receive_overhead_s),
             format_seconds(transport.receive_overhead_s_per_byte), format_seconds(transport.reduction_s_per_byte));
}

}  // namespace isthmus
