#include "emulator/client/self_test.hpp"

#include <fmt/format.h>

#include "algorithms/network/network_json.hpp"
#include "emulator/client/agent_client.hpp"

namespace isthmus {
namespace {

void add_host(Network& network, const std::string& name, double latency_s, double bandwidth_Bps) {
  const int number = static_cast<int>(network.hosts.size());
  Host host;
  host.name = name;
  host.endpoint = number;
  network.hosts.push_back(host);
  if (number == 0) return;
  const int link = static_cast<int>(network.links.size());
  for (const char* direction : {"UP", "DOWN"}) {
    network.links.push_back({fmt::format("{}_{}", name, direction), bandwidth_Bps, latency_s, Sharing::shared});
  }
  network.trunks[{0, number}].links = {link};
  network.trunks[{number, 0}].links = {link + 1};
  // The route between two of the others leads over the first.
  for (int other = 1; other < number; ++other) {
    network.trunks[{other, number}].links = {network.trunks.at({other, 0}).links.front(), link};
    network.trunks[{number, other}].links = {link + 1, network.trunks.at({0, other}).links.front()};
  }
}

}  // namespace

Network self_test_network() {
  Network network;
  network.name = "self-test";
  add_host(network, "hub", 0, 0);
  constexpr double Mbit_Bps = 1e6 / 8;
  for (const int latency_ms : {1, 2, 5, 10, 20, 50, 100, 200}) {
    add_host(network, fmt::format("latency-{}", latency_ms), latency_ms * 1e-3, 20 * Mbit_Bps);
  }
  for (const int rate_Mbps : {1, 2, 5, 10, 50, 100, 200, 500}) {
    add_host(network, fmt::format("rate-{}", rate_Mbps), 8e-3, rate_Mbps * Mbit_Bps);
  }
  return network;
}

AgentReport self_test(const EmulationOptions& options) {
  const Network network = self_test_network();
  AgentLaunch launch = prepare_agent(network, place_ranks(network, PlacementRule::block, 1), options, 0);
  std::erase_if(launch.settings.plan.probes, [](const ProbePair& pair) { return pair.from != 0; });
  return run_agent(launch, {{"self_test", to_json(network)}}, {});
}

}  // namespace isthmus
