#include "algorithms/models/plogp.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

namespace isthmus {

namespace {

/// The time for which m bytes occupy a link.
SizeFunction occupation_of(const Network& network, const Link& link) {
  if (link.link_class >= 0) return network.classes[link.link_class].gap;
  return SizeFunction::linear(network.transport.header_bytes / link.bandwidth_Bps, 1 / link.bandwidth_Bps);
}

/// The gap of a sequence of links. Links without a class differ only in bandwidth: the slowest counts.
PLogP layer_of(const Network& network, std::span<const int> links) {
  const Transport& transport = network.transport;
  const int route_class = network.class_of(links);
  PLogP layer{0, SizeFunction::linear(transport.send_overhead_s, transport.send_overhead_s_per_byte),
              SizeFunction::linear(transport.receive_overhead_s, transport.receive_overhead_s_per_byte),
              SizeFunction({{0, 0}})};
  if (route_class >= 0) {
    layer.send_overhead = network.classes[route_class].send_overhead;
    layer.receive_overhead = network.classes[route_class].receive_overhead;
  }
  const Link* slowest = nullptr;
  std::vector<int> seen;
  for (int number : links) {
    const Link& link = network.links[number];
    layer.latency_s += link.latency_s;
    if (link.link_class < 0) {
      if (slowest == nullptr || link.bandwidth_Bps < slowest->bandwidth_Bps) slowest = &link;
    } else if (std::find(seen.begin(), seen.end(), link.link_class) == seen.end()) {
      const SizeFunction gap = occupation_of(network, link);
      layer.gap = seen.empty() ? gap : SizeFunction::larger(layer.gap, gap);
      seen.push_back(link.link_class);
    }
  }
  if (slowest != nullptr) {
    const SizeFunction gap = occupation_of(network, *slowest);
    layer.gap = seen.empty() ? gap : SizeFunction::larger(layer.gap, gap);
  }
  const auto costs = [](const SizeFunction& overhead) {
    return std::any_of(overhead.points().begin(), overhead.points().end(),
                       [](const SizeFunction::Point& point) { return point.seconds > 0; });
  };
  if (costs(layer.send_overhead) || costs(layer.receive_overhead)) {
    layer.gap = SizeFunction::larger(layer.gap, SizeFunction::larger(layer.send_overhead, layer.receive_overhead));
  }
  return layer;
}

PLogP costless() { return {0, SizeFunction({{0, 0}}), SizeFunction({{0, 0}}), SizeFunction({{0, 0}})}; }

// The layer of a coordinator's own links, which it uses for every destination.
PLogP own_links_of(const Network& network, int from_host, std::span<const int> to_hosts) {
  std::vector<int> own = network.route(from_host, to_hosts.front()).links;
  for (int to_host : to_hosts) {
    const std::vector<int> links = network.route(from_host, to_host).links;
    std::erase_if(own, [&](int link) { return std::find(links.begin(), links.end(), link) == links.end(); });
  }
  return layer_of(network, own);
}

bool is_as_large(const SizeFunction& one, const SizeFunction& other) {
  const auto is_so_at = [&](const SizeFunction::Point& point) { return one(point.bytes) >= other(point.bytes); };
  return std::ranges::all_of(one.points(), is_so_at) && std::ranges::all_of(other.points(), is_so_at);
}

// Raises the costs of the layer to those of the route between two hosts where there is one and it costs more.
void slow_down(std::optional<PLogP>& layer, const Network& network, int from_host, int to_host) {
  if (!network.has_route(from_host, to_host)) return;
  PLogP other = plogp_of(network, from_host, to_host);
  if (!layer) {
    layer = std::move(other);
    return;
  }
  layer->latency_s = std::max(layer->latency_s, other.latency_s);
  const auto take_larger = [](SizeFunction& function, const SizeFunction& of_other) {
    if (is_as_large(function, of_other)) return;
    function = is_as_large(of_other, function) ? of_other : SizeFunction::larger(function, of_other);
  };
  take_larger(layer->gap, other.gap);
  take_larger(layer->send_overhead, other.send_overhead);
  take_larger(layer->receive_overhead, other.receive_overhead);
}

}  // namespace

PLogP plogp_of(const Network& network, int from_host, int to_host) {
  return layer_of(network, network.route(from_host, to_host).links);
}

TwoLayers two_layers_of(const PlacedNetwork& placed) {
  const Network& network = placed.network();
  const Topology& topology = placed.topology();
  const Group& everybody = topology.group(0);
  const std::span<const int> coordinators = everybody.children.empty() ? std::span<const int>{} : topology.members(0);
  const std::vector<int>& host = placed.placement().host_of_rank;

  std::optional<PLogP> wan, lan;
  for (int from : coordinators) {
    for (int to : coordinators) {
      if (from != to) slow_down(wan, network, host[from], host[to]);
    }
  }
  int cluster_size = 1;
  const auto look_inside = [&](const Group& group) {
    cluster_size = std::max(cluster_size, static_cast<int>(group.ranks.size()));
    // The routes of the group's first member give the layer, in linear time: hosts of one group mostly differ little.
    const int first = group.ranks.front();
    for (int rank : group.ranks) {
      if (host[rank] == host[first] && rank != group.ranks.back()) continue;
      if (rank == first) continue;
      slow_down(lan, network, host[first], host[rank]);
      slow_down(lan, network, host[rank], host[first]);
    }
  };
  if (everybody.children.empty()) {
    look_inside(everybody);
  } else {
    for (int child : everybody.children) look_inside(topology.group(child));
  }
  // Clusters of one rank have no LAN, but their messages still pass the host's own links: g_l bounds s_w.
  if (!lan && wan) {
    std::vector<int> others;
    for (int rank : coordinators) {
      const int first = host[coordinators.front()];
      if (host[rank] != first && network.has_route(first, host[rank])) others.push_back(host[rank]);
    }
    if (!others.empty()) lan = own_links_of(network, host[coordinators.front()], others);
  }
  TwoLayers layers{wan.value_or(costless()), lan.value_or(costless()),
                   std::max(1, static_cast<int>(coordinators.size())), cluster_size};
  return layers;
}

}  // namespace isthmus
