#include "algorithms/neighbourhood/pairs.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace isthmus {
namespace {

template <typename EndOf>
std::vector<int> distinct(const std::vector<Neighbourhood::Edge>& edges, EndOf end_of) {
  std::vector<int> ranks;
  for (const Neighbourhood::Edge& edge : edges) ranks.push_back(end_of(edge));
  std::sort(ranks.begin(), ranks.end());
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  return ranks;
}

}  // namespace

std::vector<int> ClusterPair::senders() const {
  return distinct(edges, [](const Neighbourhood::Edge& edge) { return edge.from; });
}

std::vector<int> ClusterPair::receivers() const {
  return distinct(edges, [](const Neighbourhood::Edge& edge) { return edge.to; });
}

std::vector<int> clusters_of_ranks(const Topology& topology) {
  std::vector<int> cluster(topology.size());
  if (topology.group(0).children.empty()) return cluster;
  std::map<int, int> number;  // by group; ranks in none are the negative numbers
  for (int rank = 0; rank < topology.size(); ++rank) {
    const int group = topology.group_at(rank, 1);
    cluster[rank] = number.try_emplace(group == 0 ? -1 - rank : group, static_cast<int>(number.size())).first->second;
  }
  return cluster;
}

std::vector<ClusterPair> cluster_pairs_of(int rank, const Neighbourhood& neighbourhood, const Topology& topology) {
  const std::vector<int> cluster = clusters_of_ranks(topology);
  const int own = cluster[rank];
  std::map<std::pair<int, int>, ClusterPair> pairs;
  for (const Neighbourhood::Edge& edge : neighbourhood.edges()) {
    const int from = cluster[edge.from];
    const int to = cluster[edge.to];
    if (from == to || (from != own && to != own)) continue;
    ClusterPair& pair = pairs[{from, to}];
    pair.from = from;
    pair.to = to;
    pair.edges.push_back(edge);
  }
  std::vector<ClusterPair> found;
  for (auto& [numbers, pair] : pairs) {
    const std::vector<int> senders = pair.senders();
    const std::vector<int> receivers = pair.receivers();
    pair.exit = senders[pair.to % senders.size()];
    pair.entrance = receivers[pair.from % receivers.size()];
    const std::vector<int>& ends = pair.from == own ? senders : receivers;
    if (!std::binary_search(ends.begin(), ends.end(), rank)) continue;
    std::sort(pair.edges.begin(), pair.edges.end(), [](const Neighbourhood::Edge& a, const Neighbourhood::Edge& b) {
      return std::tie(a.to, a.from, a.slot) < std::tie(b.to, b.from, b.slot);
    });
    found.push_back(std::move(pair));
  }
  return found;
}

}  // namespace isthmus
