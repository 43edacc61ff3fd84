// The aggregated allgather, for short blocks. Karonis 2000 does not treat allgather, and Lowekamp 1995 has a bottleneck
// at its tree's root. The ranks of each cluster exchange their blocks. Then for each other cluster one rank sends all
// blocks of its own cluster to one rank there; different clusters are served by different ranks as far as possible. The
// received blocks are then exchanged inside the cluster. So there is one message from each cluster to each other, over
// one wide-area link, and no coordinator. Both exchanges inside a cluster are those of multilevel, unsegmented.
//
// Compared with multilevel, where every rank sends to each other cluster: fewer messages over the wide area, but no
// message leaves a cluster before the first exchange inside has ended.
//
// Cost for C clusters of s ranks with links of their own from cluster to cluster (alpha_w, beta_w) and from rank to
// rank (alpha_l, beta_l): alpha_w + s n beta_w + 2 ceil(log2 s) alpha_l + (s - 1) C n beta_l.
#include <algorithm>
#include <utility>

#include "algorithms/allgather/allgather.hpp"
#include "algorithms/patterns/packing.hpp"
#include "algorithms/topology/clusters.hpp"

namespace isthmus {
namespace {

/// The member of a cluster that exchanges with another cluster: the other clusters are assigned to the members in turn.
int dealing_with(const Clusters& clusters, int cluster, int other) {
  const std::size_t turn = other < cluster ? other : other - 1;
  const std::span<const int> ranks = clusters.ranks(cluster);
  return ranks[turn % ranks.size()];
}

/// Sends all blocks of the own cluster to the others, and receives theirs.
void exchange_between_clusters(Program& program, const Clusters& clusters, int rank, const Blocks& all) {
  const int own = clusters.self();
  const auto message = [&](int cluster) {
    const std::span<const int> ranks = clusters.ranks(cluster);
    if (consecutive(ranks)) return all.range(ranks.front(), ranks.back() + 1);
    std::int64_t count = 0;
    for (const int of : ranks) count += all.of(of).count;
    return program.reserve(count);
  };
  std::vector<int> partners;  // the clusters that this rank exchanges with, starting after its own
  std::vector<Slice> coming;
  for (int distance = 1; distance < clusters.size(); ++distance) {
    const int other = (own + distance) % clusters.size();
    if (dealing_with(clusters, own, other) != rank) continue;
    partners.push_back(other);
    coming.push_back(message(other));
    program.receive(coming.back(), dealing_with(clusters, other, own));
  }
  if (partners.empty()) return;
  const Slice going = message(own);
  if (going.buffer == Buffer::scratch) pack(program, going, clusters.ranks(own), all);
  for (const int other : partners) program.send(going, dealing_with(clusters, other, own));
  for (std::size_t i = 0; i < partners.size(); ++i)
    if (coming[i].buffer == Buffer::scratch) unpack(program, all, clusters.ranks(partners[i]), coming[i]);
}

}  // namespace

void allgather_aggregated(Program& program, const Topology& topology, int rank, Slice own, const Blocks& all) {
  const Clusters clusters(topology, rank);
  const std::span<const int> members = clusters.ranks(clusters.self());
  // Without groups all ranks are in the group of level 0; a rank outside any cluster is a cluster of its own.
  const int level = topology.group(0).children.empty() ? 0 : 1;
  const bool is_alone = topology.depth(rank) < level;
  program.copy(all.of(rank), own);

  if (!is_alone) {
    allgather_relayed(program, relay_stages(topology, rank, level, RankLists::of_each(members)), all, 0);
  }
  exchange_between_clusters(program, clusters, rank, all);
  if (!is_alone) {
    std::vector<std::vector<int>> held(members.size());
    for (int other = 0; other < clusters.size(); ++other) {
      if (other == clusters.self()) continue;
      const int by = dealing_with(clusters, clusters.self(), other);
      std::vector<int>& ranks = held[std::lower_bound(members.begin(), members.end(), by) - members.begin()];
      ranks.insert(ranks.end(), clusters.ranks(other).begin(), clusters.ranks(other).end());
    }
    allgather_relayed(program, relay_stages(topology, rank, level, RankLists(held)), all, 0);
  }
}

}  // namespace isthmus
