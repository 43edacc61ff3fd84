// Plans of emulated networks for tests, and routes through them.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/errors.hpp"
#include "emulator/plan/plan.hpp"
#include "tests/emulator/networks.hpp"

namespace isthmus::test {

inline EmulationPlan plan_of(const Network& network, const PlanOptions& options = {}) {
  return plan_emulation(network, place_ranks(network, PlacementRule::block, 1), options);
}

inline std::string refusal(const Network& network, int ranks_per_host = 1) {
  try {
    plan_emulation(network, place_ranks(network, PlacementRule::block, ranks_per_host));
  } catch (const BadInput& error) {
    return error.what();
  }
  return "accepted";
}

inline int container_named(const EmulationPlan& plan, const std::string& name) {
  for (std::size_t i = 0; i < plan.containers.size(); ++i) {
    if (plan.containers[i].name == name) return static_cast<int>(i);
  }
  ADD_FAILURE() << "no container " << name;
  return 0;
}

/// Follows the routes from a host to an address; gives the names of the containers and the queues on the route.
struct TracedRoute {
  std::vector<std::string> containers;
  std::vector<Queue> queues;
};

inline bool covers(const std::string& block, const std::string& address) {
  const auto number = [](const std::string& text) {
    unsigned a = 0, b = 0, c = 0, d = 0;
    EXPECT_EQ(std::sscanf(text.c_str(), "%u.%u.%u.%u", &a, &b, &c, &d), 4);
    return a << 24 | b << 16 | c << 8 | d;
  };
  const int bits = std::stoi(block.substr(block.find('/') + 1));
  return number(block) >> (32 - bits) == number(address) >> (32 - bits);
}

inline TracedRoute traced_route(const EmulationPlan& plan, int from, int to) {
  TracedRoute traced;
  const std::string& address = plan.containers[to].address;
  for (int at = from; at != to && traced.containers.size() < 100;) {
    std::string device;
    int longest = -1;
    for (const ContainerRoute& route : plan.containers[at].routes) {
      const int bits = std::stoi(route.destination.substr(route.destination.find('/') + 1));
      if (bits > longest && covers(route.destination, address)) {
        longest = bits;
        device = route.device;
      }
    }
    const int before = at;
    for (const Cable& cable : plan.cables) {
      for (const auto& [near, far] : {std::pair{&cable.a, &cable.b}, std::pair{&cable.b, &cable.a}}) {
        if (near->container != before || near->name != device || at != before) continue;
        if (near->queue.shapes()) traced.queues.push_back(near->queue);
        at = far->container;
        traced.containers.push_back(plan.containers[at].name);
      }
    }
    if (at == before) break;
  }
  return traced;
}

/// A cluster of hosts without links of their own to a router, and all clusters behind one core: every cluster has an
/// uplink and a downlink that all its traffic shares.
inline Network hub(int clusters) {
  Network network;
  network.name = "hub";
  for (int c = 0; c < clusters; ++c) {
    for (const char* direction : {"up", "down"}) {
      network.links.push_back({fmt::format("{}-{}", direction, c), 1e6 * (c + 1), 1e-3 * (c + 1), Sharing::shared});
    }
    Host host;
    host.name = fmt::format("h{}", c);
    host.endpoint = c;
    network.hosts.push_back(host);
  }
  for (int a = 0; a < clusters; ++a) {
    for (int b = 0; b < clusters; ++b) {
      if (a != b) network.trunks[{a, b}].links = {2 * a, 2 * b + 1};
    }
  }
  return network;
}

}  // namespace isthmus::test
