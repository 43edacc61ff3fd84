// Full meshes of unequal sites, of numbers or random.
#pragma once

#include <fmt/format.h>

#include <random>
#include <string>
#include <vector>

#include "algorithms/network/network.hpp"

namespace isthmus::tests {

/// Sites of hosts with links of `lan_Bps` and 10 us each; the routes between sites are added by join().
struct Mesh {
  Network network;

  explicit Mesh(const std::vector<int>& hosts, double lan_Bps = 125e6) {
    network.name = "mesh";
    for (std::size_t site = 0; site < hosts.size(); ++site) {
      const auto number = static_cast<int>(site);
      network.trunks[{number, number}];
      for (int i = 0; i < hosts[site]; ++i) {
        Host& host = network.hosts.emplace_back();
        host.name = fmt::format("s{}-{}", site, i);
        host.endpoint = number;
        host.zones = {{"site", fmt::format("s{}", site)}};
        host.up = {add_link(host.name + "_UP", lan_Bps, 10e-6)};
        host.down = {add_link(host.name + "_DOWN", lan_Bps, 10e-6)};
      }
    }
  }

  int add_link(std::string name, double bandwidth_Bps, double latency_s) {
    network.links.push_back({std::move(name), bandwidth_Bps, latency_s, Sharing::shared});
    return static_cast<int>(network.links.size()) - 1;
  }
  void join(int from, int to, double bandwidth_Bps, double latency_s) {
    network.trunks[{from, to}].links = {add_link(fmt::format("w{}-{}", from, to), bandwidth_Bps, latency_s)};
  }
  /// All sites with each other.
  void join_all(double bandwidth_Bps, double latency_s) {
    const int sites = network.hosts.back().endpoint + 1;
    for (int from = 0; from < sites; ++from)
      for (int to = 0; to < sites; ++to)
        if (from != to) join(from, to, bandwidth_Bps, latency_s);
  }
};

/// Rates over a factor of 20, the two directions different; 2 to 40 ms.
inline Mesh random_mesh(const std::vector<int>& hosts, std::mt19937& random, double lan_Bps = 125e6) {
  Mesh mesh(hosts, lan_Bps);
  constexpr double rates[] = {1, 2, 3, 5, 8, 12, 20};
  const auto rate_Bps = [&] { return rates[std::uniform_int_distribution<int>(0, 6)(random)] * 0.5e6; };
  const auto sites = static_cast<int>(hosts.size());
  for (int from = 0; from < sites; ++from)
    for (int to = from + 1; to < sites; ++to) {
      const double latency_s = std::uniform_real_distribution<double>(2e-3, 40e-3)(random);
      mesh.join(from, to, rate_Bps(), latency_s);
      mesh.join(to, from, rate_Bps(), latency_s);
    }
  return mesh;
}

/// Two regions of two sites each, 50 MB/s and 2 ms within, 1 MB/s and 40 ms on each link across.
inline Mesh regions(int hosts) {
  Mesh mesh({hosts, hosts, hosts, hosts}, 100e6);
  for (int from = 0; from < 4; ++from)
    for (int to = 0; to < 4; ++to) {
      if (from == to) continue;
      const bool within = from / 2 == to / 2;
      mesh.join(from, to, within ? 50e6 : 1e6, within ? 2e-3 : 40e-3);
    }
  return mesh;
}

}  // namespace isthmus::tests
