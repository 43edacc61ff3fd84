// Networks of clusters around a router each, joined by a full mesh of wide-area links, made in code.
#pragma once

#include <fmt/format.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/network/network.hpp"

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

/// Replaces each pair of links by one link for both directions.
inline Network with_shared_wide_area(Network network) {
  for (auto& [ends, trunk] : network.trunks) {
    if (ends.first > ends.second) {
      const std::vector<int>& back = network.trunks.at({ends.second, ends.first}).links;
      trunk.links.assign(back.rbegin(), back.rend());
    }
  }
  return network;
}

inline Network with_shared_host_links(Network network) {
  for (Host& host : network.hosts) host.down = host.up;
  return network;
}

/// A backbone in each cluster: all its traffic passes it, including what leaves or enters the cluster.
inline Network with_backbones(Network network, Sharing sharing) {
  for (int c = 0; c < static_cast<int>(network.hosts.back().endpoint) + 1; ++c) {
    const int bone = static_cast<int>(network.links.size());
    network.links.push_back({fmt::format("bone-{}", c), 1e8, 5e-6, sharing});
    for (auto& [ends, trunk] : network.trunks) {
      if (ends.first == c) trunk.links.insert(trunk.links.begin(), bone);
      if (ends.second == c && ends.first != c) trunk.links.push_back(bone);
    }
  }
  return network;
}

/// Clusters in a row (or a ring), joined to their neighbours by a link for each direction, of unequal speeds.
inline Network row(int clusters, bool ring) {
  Network network = mesh({.clusters = clusters, .hosts = 2});
  std::map<std::pair<int, int>, int> hop;
  for (int c = 0; c < clusters; ++c) {
    for (const auto& [from, to] : {std::pair{c, (c + 1) % clusters}, {(c + 1) % clusters, c}}) {
      hop[{from, to}] = static_cast<int>(network.links.size());
      network.links.push_back({fmt::format("hop-{}-{}", from, to), 1e6 * (1 + from), 1e-3 * (1 + to), Sharing::shared});
    }
  }
  for (auto& [ends, trunk] : network.trunks) {
    trunk.links.clear();
    const int steps_up = (ends.second - ends.first + clusters) % clusters;
    const bool up = ring ? steps_up <= clusters / 2 : ends.second > ends.first;
    for (int at = ends.first; at != ends.second;) {
      const int next = (at + (up ? 1 : clusters - 1)) % clusters;
      trunk.links.push_back(hop.at({at, next}));
      at = next;
    }
  }
  return network;
}

}  // namespace isthmus::test
