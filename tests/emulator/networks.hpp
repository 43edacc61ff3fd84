// Networks of clusters around a router each, joined by a full mesh of wide-area links, made in code.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "algorithms/models/network.hpp"

namespace isthmus::test {

struct Mesh {
  int clusters = 4, hosts = 4;
  double wan_latency_s = 10e-3, wan_Bps = 1e6;
  double host_latency_s = 10e-6, host_Bps = 50e6;
};

/// The shape of the platforms of Kielmann 2000; clusters c0.., hosts c0-0...
inline Network mesh(const Mesh& shape) {
  Network network;
  network.name = fmt::format("das-{}x{}", shape.clusters, shape.hosts);
  network.transport.header_bytes = 100;
  const auto link = [&](std::string name, double bandwidth_Bps, double latency_s) {
    network.links.push_back({std::move(name), bandwidth_Bps, latency_s, Sharing::shared});
    return static_cast<int>(network.links.size()) - 1;
  };
  for (int c = 0; c < shape.clusters; ++c) {
    for (int h = 0; h < shape.hosts; ++h) {
      Host host;
      host.name = fmt::format("c{}-{}", c, h);
      host.zones = {{"site", fmt::format("c{}", c)}};
      host.endpoint = c;
      host.up = {link(host.name + "_UP", shape.host_Bps, shape.host_latency_s)};
      host.down = {link(host.name + "_DOWN", shape.host_Bps, shape.host_latency_s)};
      network.hosts.push_back(host);
    }
    network.trunks[{c, c}] = {};
  }
  for (int a = 0; a < shape.clusters; ++a) {
    for (int b = a + 1; b < shape.clusters; ++b) {
      const std::string name = fmt::format("wan-c{}-c{}", a, b);
      network.trunks[{a, b}].links = {link(name + "_UP", shape.wan_Bps, shape.wan_latency_s)};
      network.trunks[{b, a}].links = {link(name + "_DOWN", shape.wan_Bps, shape.wan_latency_s)};
    }
  }
  return network;
}

}  // namespace isthmus::test
