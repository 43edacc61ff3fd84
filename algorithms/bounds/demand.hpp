// What a collective asks of its hosts: which bytes have to move from whom to whom.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "algorithms/collective/problem.hpp"
#include "algorithms/network/link_graph.hpp"
#include "algorithms/network/placed_network.hpp"

namespace isthmus::bounds {

/// The placed network and problem must outlive it.
class Demand {
 public:
  Demand(const PlacedNetwork& placed, const Problem& problem);

  const PlacedNetwork& placed() const { return placed_; }
  const Network& network() const { return placed_.network(); }
  const Problem& problem() const { return problem_; }
  const LinkGraph& graph() const { return graph_; }
  Collective collective() const { return problem_.collective; }
  int size() const { return placed_.size(); }
  int host(int rank) const { return placed_.host_of(rank); }
  int class_of_rank(int rank) const { return graph_.class_of(host(rank)); }
  /// The hosts with ranks, ascending, and the ranks of each, ascending.
  const std::vector<int>& hosts() const { return hosts_; }
  const std::vector<int>& ranks_on(int host) const { return ranks_on_[host]; }
  /// Those of a class of the graph, ascending.
  const std::vector<int>& hosts_of_class(int number) const { return hosts_of_class_[number]; }

  /// Bytes of the vector; of one block, if all have one size.
  double vector_bytes() const { return static_cast<double>(problem_.bytes()); }
  double block_bytes(int rank) const;
  double block_bytes(int from, int to) const;
  double bytes_of(std::span<const int> ranks) const;
  double bytes_of_all() const { return all_bytes_; }
  double bytes_between(std::span<const int> from, std::span<const int> to) const;

 private:
  const PlacedNetwork& placed_;
  const Problem& problem_;
  LinkGraph graph_;
  std::vector<int> hosts_;
  std::vector<std::vector<int>> ranks_on_, hosts_of_class_;
  double all_bytes_ = 0;
};

/// The slowest shared link of some; -1 if there is none.
int slowest_of(const Network& network, const std::vector<int>& links);

/// Several collectives ask the same of a network, with other bytes.
bool is_allgather(Collective collective);  ///< and allgatherv

/// A set of ranks that contains all ranks of each of its hosts.
struct Part {
  std::vector<int> ranks;  ///< ascending
  LinkGraph::Hosts hosts;
};
/// None if a host has ranks inside and outside. `ranks` are ascending.
std::optional<Part> part_of(const Demand& demand, std::span<const int> ranks);
/// The ranks outside, ascending.
std::vector<int> all_but(const Demand& demand, std::span<const int> ranks);
LinkGraph::Hosts one_of(const Demand& demand, int host_class);
LinkGraph::Hosts without(LinkGraph::Hosts all, const LinkGraph::Hosts& some);

}  // namespace isthmus::bounds
