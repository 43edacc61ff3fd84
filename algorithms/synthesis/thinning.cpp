#include "algorithms/synthesis/thinning.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "algorithms/ways/arborescence.hpp"

namespace isthmus {
namespace {

constexpr int kMaxSites = 16;
constexpr int kMaxDegree = 8;
/// Edges that are kept of a site in each direction.
constexpr std::size_t kByRate = 4, kByLatency = 1;
/// The size of message by which latencies are compared.
constexpr double kSmallBytes = 1;

/// The least bandwidth of the links on an edge.
double bandwidth_Bps(const SiteNetwork& network, int from, int to) {
  double least = unlimited_Bps;
  for (const int link : network.edge(from, to).links)
    least = std::min(least, network.network().links[link].bandwidth_Bps);
  return least;
}

/// What the edges of a site carry together at most, out of it or into it: edges that share the link next to the site
/// carry no more than that link.
double together_Bps(const SiteNetwork& network, int site, bool out) {
  std::map<int, double> edges_Bps;  // by the link next to the site
  double free_Bps = 0;
  for (int other = 0; other < network.size(); ++other) {
    const int from = out ? site : other, to = out ? other : site;
    if (!network.edge(from, to).exists) continue;
    const auto& links = network.edge(from, to).links;
    (links.empty() ? free_Bps : edges_Bps[out ? links.front() : links.back()]) += bandwidth_Bps(network, from, to);
  }
  double sum_Bps = free_Bps;
  for (const auto& [number, carried_Bps] : edges_Bps) {
    const Link& link = network.network().links[number];
    sum_Bps += link.sharing == Sharing::fatpipe ? carried_Bps : std::min(carried_Bps, link.bandwidth_Bps);
  }
  return sum_Bps;
}

}  // namespace

bool needs_thinning(const SiteNetwork& network) {
  if (network.size() <= kMaxSites) return false;
  int edges = 0;
  for (int i = 0; i < network.size(); ++i)
    for (int j = 0; j < network.size(); ++j) edges += network.edge(i, j).exists ? 1 : 0;
  return edges > kMaxDegree * network.size();
}

SiteNetwork thinned(const SiteNetwork& network, int root_site) {
  const int k = network.size();
  EdgeTable seconds(k);
  for (int i = 0; i < k; ++i)
    for (int j = 0; j < k; ++j)
      if (network.edge(i, j).exists)
        seconds.at(i, j) = message_s(network.network(), network.edge(i, j).links, kSmallBytes);
  std::vector<char> kept(static_cast<std::size_t>(k) * k);
  const auto keep = [&](int from, int to) { kept[static_cast<std::size_t>(from) * k + to] = 1; };
  for (int s = 0; s < k; ++s) {
    for (const bool out : {true, false}) {
      struct Candidate {
        double value;
        int from, to;
      };
      std::vector<Candidate> by_rate, by_latency;
      for (int other = 0; other < k; ++other) {
        const int from = out ? s : other, to = out ? other : s;
        if (!network.edge(from, to).exists) continue;
        by_rate.push_back({-bandwidth_Bps(network, from, to), from, to});
        by_latency.push_back({seconds.at(from, to), from, to});
      }
      const auto keep_best = [&](std::vector<Candidate>& candidates, std::size_t number) {
        // Neighbours in number first among equals, and not the same ones for all.
        std::stable_sort(candidates.begin(), candidates.end(), [&](const Candidate& a, const Candidate& b) {
          const auto distance = [&](const Candidate& c) { return (c.from + c.to - 2 * s + k) % k; };
          return a.value < b.value || (a.value == b.value && distance(a) < distance(b));
        });
        for (std::size_t i = 0; i < std::min(number, candidates.size()); ++i)
          keep(candidates[i].from, candidates[i].to);
      };
      keep_best(by_rate, kByRate);
      keep_best(by_latency, kByLatency);
    }
  }
  const ShortestPaths from_root = shortest_paths(seconds, root_site);
  const ShortestPaths to_root = shortest_paths(seconds.transposed(), root_site);
  for (int v = 0; v < k; ++v) {
    if (from_root.parent[v] != v) keep(from_root.parent[v], v);
    if (to_root.parent[v] != v) keep(v, to_root.parent[v]);
  }
  return network.with_edges(kept);
}

double cut_rate_per_s(const SiteNetwork& network, const Commodities& commodities) {
  const int k = network.size();
  std::vector<double> leaving(k), entering(k);
  for (const Commodity& commodity : commodities.list) {
    if (commodities.kind == WayKind::paths) {
      if (commodity.from == commodity.to) continue;
      leaving[commodity.from] += commodity.bytes;
      entering[commodity.to] += commodity.bytes;
      continue;
    }
    for (int s = 0; s < k; ++s) {
      const bool root = s == commodity.from;
      if (commodities.kind == WayKind::trees_both || (commodities.kind == WayKind::trees_out) == root)
        leaving[s] += commodity.bytes;
      if (commodities.kind == WayKind::trees_both || (commodities.kind == WayKind::trees_in) == root)
        entering[s] += commodity.bytes;
    }
  }
  double rate = unlimited_Bps;
  for (int s = 0; s < k; ++s) {
    if (leaving[s] > 0)
      rate = std::min(rate, std::min(together_Bps(network, s, true), network.site(s).out_Bps) / leaving[s]);
    if (entering[s] > 0)
      rate = std::min(rate, std::min(together_Bps(network, s, false), network.site(s).in_Bps) / entering[s]);
  }
  return rate;
}

}  // namespace isthmus
