#include "algorithms/forwarding/relay_paths.hpp"

#include <algorithm>

namespace isthmus {

bool RelayPaths::lose(int a, int b) { return lost_.insert(std::minmax(a, b)).second; }

void RelayPaths::restore(int host) {
  std::erase_if(lost_, [&](const auto& edge) { return edge.first == host || edge.second == host; });
}

std::vector<int> RelayPaths::hops_from(int host) const {
  std::vector<int> hops(neighbours_.size(), -1);
  std::vector<int> reached{host};
  hops[static_cast<std::size_t>(host)] = 0;
  for (std::size_t at = 0; at < reached.size(); ++at) {
    const int relay = reached[at];
    for (const int next : neighbours_[static_cast<std::size_t>(relay)]) {
      if (hops[static_cast<std::size_t>(next)] >= 0 || is_lost(relay, next)) continue;
      hops[static_cast<std::size_t>(next)] = hops[static_cast<std::size_t>(relay)] + 1;
      reached.push_back(next);
    }
  }
  return hops;
}

std::vector<std::vector<int>> RelayPaths::shortest(int from, int to, std::size_t most) const {
  const std::vector<int> hops = hops_from(to);
  if (hops[static_cast<std::size_t>(from)] < 0) return {};
  std::vector<std::vector<int>> paths{{from}};
  while (paths.front().back() != to) {
    // Each path is continued in all ways: first all by their first continuation, then by their second ...
    std::vector<std::vector<int>> longer;
    bool more = true;
    for (std::size_t turn = 0; more && longer.size() < most; ++turn) {
      more = false;
      for (const std::vector<int>& path : paths) {
        std::size_t seen = 0;
        for (const int next : neighbours_[static_cast<std::size_t>(path.back())]) {
          const bool nearer = hops[static_cast<std::size_t>(next)] == hops[static_cast<std::size_t>(path.back())] - 1 &&
                              !is_lost(path.back(), next);
          if (!nearer || seen++ != turn) continue;
          more = true;
          if (longer.size() < most) longer.emplace_back(path).push_back(next);
        }
      }
    }
    paths = std::move(longer);
  }
  return paths;
}

}  // namespace isthmus
