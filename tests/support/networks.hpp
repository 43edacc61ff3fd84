// Networks that tests and benchmarks share, made in code.
#pragma once

#include <fmt/format.h>

#include <string>

#include "algorithms/network/network.hpp"

namespace isthmus::tests {

/// What the clusters of `grid` are made of.
struct Shape {
  int clusters = 4;
  int hosts = 16;  ///< per cluster
  double wan_latency_s = 10e-3, wan_bandwidth_Bps = 1e6;
  double lan_latency_s = 20e-6, lan_bandwidth_Bps = 50e6;  ///< host to host; each host link has half the latency
  double header_bytes = 100;
};

/// Stars of hosts joined by a full mesh, as Kielmann 2000, section 2 describes the DAS: one WAN link for each direction
/// of each pair of clusters, host links of one direction each. A wide-area route has the latency of the WAN link and of
/// two host links. One cluster makes a plain star.
inline Network grid(const Shape& shape) {
  Network network;
  network.name = fmt::format("{}x{}", shape.clusters, shape.hosts);
  network.transport.header_bytes = shape.header_bytes;
  network.hosts.reserve(static_cast<std::size_t>(shape.clusters) * shape.hosts);
  network.links.reserve(2 * network.hosts.capacity() + static_cast<std::size_t>(shape.clusters) * shape.clusters);
  const auto add_link = [&](std::string name, double bandwidth_Bps, double latency_s) {
    network.links.push_back({std::move(name), bandwidth_Bps, latency_s, Sharing::shared});
    return static_cast<int>(network.links.size()) - 1;
  };
  for (int c = 0; c < shape.clusters; ++c) {
    const Zones zones = shape.clusters > 1 ? Zones{{"site", fmt::format("c{}", c)}} : Zones();
    for (int h = 0; h < shape.hosts; ++h) {
      Host& host = network.hosts.emplace_back();
      host.name = fmt::format("c{}-{}", c, h);
      host.endpoint = c;
      host.zones = zones;
      host.up = {add_link(host.name + "_UP", shape.lan_bandwidth_Bps, shape.lan_latency_s / 2)};
      host.down = {add_link(host.name + "_DOWN", shape.lan_bandwidth_Bps, shape.lan_latency_s / 2)};
    }
    for (int other = 0; other < shape.clusters; ++other) {
      Trunk& trunk = network.trunks[{c, other}];
      if (other == c) continue;
      trunk.links = {add_link(fmt::format("wan{}-{}", c, other), shape.wan_bandwidth_Bps, shape.wan_latency_s)};
    }
  }
  return network;
}

inline Network das(int clusters, int hosts) { return grid({.clusters = clusters, .hosts = hosts}); }

/// One cluster whose messages cost nothing but latency and gap on the host links.
inline Network star(int hosts, double latency_s, double bandwidth_Bps, double header_bytes = 0) {
  return grid({.clusters = 1,
               .hosts = hosts,
               .lan_latency_s = latency_s,
               .lan_bandwidth_Bps = bandwidth_Bps,
               .header_bytes = header_bytes});
}

}  // namespace isthmus::tests
