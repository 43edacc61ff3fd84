#include "algorithms/bounds/link_latencies.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

namespace isthmus::bounds {

std::vector<double> latencies_around_links(const Demand& demand) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  const Network& network = demand.network();
  std::map<int, std::pair<double, double>> own_s;  // by endpoint: the least latencies of hosts' own links out and in
  for (int number = 0; number < demand.graph().classes(); ++number) {
    const int endpoint = network.hosts[demand.hosts_of_class(number).front()].endpoint;
    auto& [up_s, down_s] = own_s.try_emplace(endpoint, infinite, infinite).first->second;
    up_s = std::min(up_s, demand.graph().up(number).latency_s);
    down_s = std::min(down_s, demand.graph().down(number).latency_s);
  }
  const auto own = [&](int endpoint) {
    const auto found = own_s.find(endpoint);
    return found == own_s.end() ? std::pair(0.0, 0.0) : found->second;  // a gateway's
  };
  std::vector<double> before_s(network.links.size(), infinite), behind_s(network.links.size(), infinite);
  for (const auto& [ends, trunk] : network.trunks) {
    double reached_s = own(ends.first).first;
    for (const int link : trunk.links) {
      before_s[link] = std::min(before_s[link], reached_s);
      reached_s += network.links[link].latency_s;
    }
    double left_s = own(ends.second).second;
    for (auto link = trunk.links.rbegin(); link != trunk.links.rend(); ++link) {
      behind_s[*link] = std::min(behind_s[*link], left_s);
      left_s += network.links[*link].latency_s;
    }
  }
  for (std::size_t link = 0; link < before_s.size(); ++link)
    before_s[link] += network.links[link].latency_s + behind_s[link];
  return before_s;
}

}  // namespace isthmus::bounds
