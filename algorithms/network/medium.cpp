#include "algorithms/network/medium.hpp"

#include <algorithm>
#include <vector>

namespace isthmus {

std::string_view name(Medium medium) { return medium == Medium::shared ? "shared" : "switched"; }

Medium medium_between(const Network& network, std::span<const int> hosts) {
  constexpr std::size_t max_hosts = 16;
  const std::span<const int> seen = hosts.first(std::min(hosts.size(), max_hosts));
  std::vector<int> common;
  bool is_first = true;
  for (const int from : seen) {
    for (const int to : seen) {
      if (from == to) continue;
      if (!network.has_route(from, to)) return Medium::switched;
      const std::vector<int> links = network.route(from, to).links;
      if (is_first) common = links;
      is_first = false;
      std::erase_if(common, [&](int link) {
        return network.links[link].sharing != Sharing::shared || std::ranges::find(links, link) == links.end();
      });
      if (common.empty()) return Medium::switched;
    }
  }
  return common.empty() ? Medium::switched : Medium::shared;
}

}  // namespace isthmus
