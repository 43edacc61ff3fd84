// Who sends to whom in a collective among neighbours: a directed graph whose edges join a place in the sender's list of
// destinations to a place in the receiver's list of sources.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "algorithms/mapping/grid.hpp"

namespace isthmus {

/// The neighbours of one rank, in the order of its blocks; -1 where there is none, as beyond the end of a grid: the
/// block is then neither sent nor received.
struct NeighbourLists {
  std::vector<int> sources, destinations;

  bool operator==(const NeighbourLists&) const = default;
};

/// Every rank knows it whole: relays have to.
class Neighbourhood {
 public:
  /// Block `slot` of rank `from` becomes block `place` of rank `to`.
  struct Edge {
    int from = 0, slot = 0, to = 0, place = 0;

    bool operator==(const Edge&) const = default;
  };

  /// The neighbours of a Cartesian communicator, in MPI's order: for each dimension the one below and the one above.
  /// What a rank sends downwards its neighbour receives from above, also where both neighbours are the same rank.
  /// `rank_of_position` is the rank at each position; empty: position p is rank p.
  static Neighbourhood of_grid(const CartesianGrid& grid, std::span<const int> rank_of_position = {});

  /// By rank. Where a rank is several times in a list, the first of its edges goes to the first place, and so on, as
  /// messages between two ranks are matched. Throws BadInput when a rank has another number of edges to a rank than
  /// that has from it, or a neighbour is no rank.
  static Neighbourhood of_lists(const std::vector<NeighbourLists>& lists);

  int size() const { return static_cast<int>(in_degree_.size()); }
  /// The blocks that a rank receives and sends, with those for which there is no neighbour.
  int in_degree(int rank) const { return in_degree_[rank]; }
  int out_degree(int rank) const { return out_degree_[rank]; }

  /// All edges, by sender, then by slot.
  std::span<const Edge> edges() const { return edges_; }
  std::span<const Edge> edges_from(int rank) const {
    return std::span(edges_).subspan(begin_[rank], begin_[rank + 1] - begin_[rank]);
  }
  /// The edges to a rank, by sender, then by slot: the order in which its messages match.
  std::span<const Edge> edges_to(int rank) const {
    return std::span(incoming_).subspan(incoming_begin_[rank], incoming_begin_[rank + 1] - incoming_begin_[rank]);
  }

 private:
  Neighbourhood(std::vector<int> in_degree, std::vector<int> out_degree, std::vector<Edge> edges);

  std::vector<int> in_degree_, out_degree_;
  std::vector<Edge> edges_, incoming_;
  std::vector<std::size_t> begin_, incoming_begin_;
};

}  // namespace isthmus
