// Ten full meshes of 3 to 6 clusters with rates and latencies drawn at random, without any triangle inequality.
#pragma once

#include <fmt/format.h>

#include <array>
#include <vector>

#include "algorithms/network/network.hpp"

namespace isthmus::tests {

/// Rates in units of 500 kB/s, latencies in units of 100 us; [from][to].
struct RandomMesh {
  std::vector<int> sizes;
  std::vector<int> lan_MBps;  ///< of each host's link, by cluster
  std::vector<std::vector<int>> rate, latency;
};

// clang-format off
/// Drawn by Python's random.Random(1) to random.Random(10): k = randint(3, 6); sizes randint(2, 8); LAN
/// choice(50, 100, 125); for each pair latency round(uniform(.002, .040), 4), then the rates there and back
/// choice(1, 2, 3, 5, 8, 12, 20).
inline const std::array<RandomMesh, 10>& random_meshes() {
  static const std::array<RandomMesh, 10> meshes{{
      {{6, 8, 8, 8}, {50, 100, 50, 100},
       {{0, 5, 2, 20}, {12, 0, 20, 5}, {1, 20, 0, 2}, {5, 3, 8, 0}},
       {{0, 309, 164, 205}, {309, 0, 184, 21}, {164, 184, 0, 294}, {205, 21, 294, 0}}},
      {{2, 2, 4}, {50, 125, 125},
       {{0, 3, 1}, {8, 0, 5}, {8, 12, 0}},
       {{0, 344, 101}, {344, 0, 279}, {101, 279, 0}}},
      {{6, 6, 3, 4}, {125, 100, 125, 125},
       {{0, 1, 8, 12}, {20, 0, 8, 20}, {2, 5, 0, 2}, {5, 2, 20, 0}},
       {{0, 45, 198, 93}, {45, 0, 226, 171}, {198, 226, 0, 108}, {93, 171, 108, 0}}},
      {{4, 2, 7, 5}, {100, 50, 50, 50},
       {{0, 8, 20, 8}, {3, 0, 2, 2}, {1, 20, 0, 20}, {3, 1, 3, 0}},
       {{0, 28, 324, 104}, {28, 0, 125, 60}, {324, 125, 0, 335}, {104, 60, 335, 0}}},
      {{7, 4, 8, 7, 8}, {125, 125, 125, 50, 100},
       {{0, 2, 2, 20, 1}, {12, 0, 12, 2, 2}, {1, 2, 0, 2, 2}, {2, 20, 8, 0, 20}, {8, 20, 2, 1, 0}},
       {{0, 315, 40, 161, 165}, {315, 0, 115, 175, 311}, {40, 115, 0, 323, 255}, {161, 175, 323, 0, 21}, {165, 311, 255, 21, 0}}},
      {{5, 8, 4}, {50, 50, 50},
       {{0, 5, 3}, {20, 0, 5}, {20, 20, 0}},
       {{0, 272, 299}, {272, 0, 28}, {299, 28, 0}}},
      {{3, 5, 7, 2, 2}, {125, 50, 100, 125, 50},
       {{0, 2, 5, 8, 8}, {1, 0, 12, 1, 1}, {1, 12, 0, 20, 2}, {5, 8, 2, 0, 3}, {1, 2, 8, 8, 0}},
       {{0, 366, 53, 111, 42}, {366, 0, 380, 242, 243}, {53, 380, 0, 38, 130}, {111, 242, 38, 0, 65}, {42, 243, 130, 65, 0}}},
      {{4, 5, 3, 3}, {125, 50, 50, 50},
       {{0, 8, 1, 5}, {2, 0, 20, 2}, {5, 5, 0, 3}, {5, 20, 8, 0}},
       {{0, 114, 172, 205}, {114, 0, 238, 54}, {172, 238, 0, 28}, {205, 54, 28, 0}}},
      {{6, 4, 4, 3, 3, 8}, {125, 50, 100, 125, 100, 125},
       {{0, 8, 12, 5, 2, 2}, {8, 0, 8, 5, 1, 2}, {5, 1, 0, 1, 2, 20}, {12, 20, 20, 0, 1, 5}, {2, 3, 5, 5, 0, 1}, {8, 12, 1, 20, 2, 0}},
       {{0, 51, 286, 84, 181, 40}, {51, 0, 351, 314, 304, 98}, {286, 351, 0, 321, 121, 127}, {84, 314, 321, 0, 96, 41}, {181, 304, 121, 96, 0, 207}, {40, 98, 127, 41, 207, 0}}},
      {{5, 5, 6}, {50, 50, 100},
       {{0, 20, 2}, {3, 0, 3}, {1, 1, 0}},
       {{0, 329, 268}, {329, 0, 218}, {268, 218, 0}}},
  }};
  return meshes;
}
// clang-format on

/// Clusters are stars; each ordered pair has a link of its own. Host links have 10 us.
inline Network network_of(const RandomMesh& mesh, double header_bytes = 0) {
  Network network;
  network.name = "random mesh";
  network.transport.header_bytes = header_bytes;
  const auto add_link = [&](std::string name, double bandwidth_Bps, double latency_s) {
    network.links.push_back({std::move(name), bandwidth_Bps, latency_s, Sharing::shared});
    return static_cast<int>(network.links.size()) - 1;
  };
  const int k = static_cast<int>(mesh.sizes.size());
  for (int c = 0; c < k; ++c) {
    for (int h = 0; h < mesh.sizes[c]; ++h) {
      Host& host = network.hosts.emplace_back();
      host.name = fmt::format("c{}-{}", c, h);
      host.endpoint = c;
      host.zones = {{"site", fmt::format("c{}", c)}};
      host.up = {add_link(host.name + "_UP", 1e6 * mesh.lan_MBps[c], 1e-5)};
      host.down = {add_link(host.name + "_DOWN", 1e6 * mesh.lan_MBps[c], 1e-5)};
    }
  }
  for (int i = 0; i < k; ++i) {
    for (int j = 0; j < k; ++j) {
      Trunk& trunk = network.trunks[{i, j}];
      if (i == j || mesh.rate[i][j] == 0) continue;
      trunk.links = {add_link(fmt::format("wan{}-{}", i, j), 5e5 * mesh.rate[i][j], 1e-4 * mesh.latency[i][j])};
    }
  }
  for (int i = 0; i < k; ++i)
    for (int j = 0; j < k; ++j)
      if (i != j && mesh.rate[i][j] == 0) network.trunks.erase({i, j});
  return network;
}

}  // namespace isthmus::tests
