// Edges between clusters, by pair of clusters, with the ranks that relay them.
#pragma once

#include <vector>

#include "algorithms/neighbourhood/neighbourhood.hpp"
#include "algorithms/topology/topology.hpp"

namespace isthmus {

/// The edges from one cluster to another.
struct ClusterPair {
  int from = 0, to = 0;  ///< numbers of clusters: outermost groups, and ranks in none, by their lowest ranks
  int exit = 0;          ///< the rank of `from` that collects what the others of it send
  int entrance = 0;      ///< the rank of `to` that hands it out
  std::vector<Neighbourhood::Edge> edges;  ///< by receiver, then by sender, then by slot

  /// The distinct ranks of the edges, ascending.
  std::vector<int> senders() const;
  std::vector<int> receivers() const;
};

/// The pairs in which a rank sends, receives or relays, by number of `from`, then of `to`. Without groups all ranks are
/// one cluster, and there is no pair.
std::vector<ClusterPair> cluster_pairs_of(int rank, const Neighbourhood& neighbourhood, const Topology& topology);

/// The number of each rank's cluster.
std::vector<int> clusters_of_ranks(const Topology& topology);

}  // namespace isthmus
