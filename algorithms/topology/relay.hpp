// Exchanges from group to group with the work shared by all members: which rank sends to which.
//
// The stages go from the outermost group inwards. At the stage of a group every member of a part (a child group, or a
// rank outside all child groups) sends what it holds to one member of each other part. The senders outside a part are
// assigned to its members in turn, so that the numbers of senders per member differ by one at most. After the stage the
// members of a part together hold everything, and the next stage is inside the part. So every block enters each group
// once and crosses at most one boundary of each level, and there is no coordinator.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "algorithms/topology/topology.hpp"

namespace isthmus {

/// Lists of ranks, one after the other in one piece of memory.
class RankLists {
 public:
  RankLists() = default;
  explicit RankLists(const std::vector<std::vector<int>>& lists);
  /// Each of the ranks alone in a list.
  static RankLists of_each(std::span<const int> ranks);
  /// Lists of these sizes, to be filled.
  explicit RankLists(std::span<const std::size_t> sizes);

  std::size_t size() const { return begin_.size() - 1; }
  std::span<const int> operator[](std::size_t list) const {
    return std::span(ranks_).subspan(begin_[list], length(list));
  }
  std::span<int> operator[](std::size_t list) { return std::span(ranks_).subspan(begin_[list], length(list)); }

 private:
  std::size_t length(std::size_t list) const { return begin_[list + 1] - begin_[list]; }

  std::vector<int> ranks_;
  std::vector<std::size_t> begin_{0};
};

/// The stage of one group, as seen by one of its ranks.
struct RelayStage {
  struct Receiver {
    int part = 0;
    int rank = 0;

    bool operator==(const Receiver&) const = default;
  };

  bool innermost = false;                   ///< a group without children: every rank is a part of its own
  std::span<const int> ranks;               ///< of the group, ascending
  std::vector<std::span<const int>> parts;  ///< by their lowest ranks
  int own_part = 0;
  int place = 0;   ///< index of this rank in `ranks`
  RankLists held;  ///< by index in `ranks`: the ranks whose data that member holds before the stage
  std::vector<Receiver>
      receivers;             ///< the ranks that receive what this rank holds; the part after its own first, cyclically
  std::vector<int> senders;  ///< the ranks that send to this rank, in the order of their parts

  std::span<const int> own() const { return held[place]; }
  /// The ranks whose data a rank of the group holds before the stage.
  std::span<const int> held_by(int rank) const;
};

/// The stages of a rank, one for each group around it, outermost first: the index of a stage is the level of its group.
/// A stage may have a single part. After a stage a rank holds what it held before, followed by what its senders held,
/// in their order. After the last stage, if all its parts are single ranks, each rank of that stage holds everything.
/// `topology` must outlive them. In time proportional to its size times the number of stages.
std::vector<RelayStage> relay_stages(const Topology& topology, int rank);
/// The same from the rank's group at `level` inwards, among the ranks of that group. `held` lists what each of them
/// holds at the start.
std::vector<RelayStage> relay_stages(const Topology& topology, int rank, int level, RankLists held);

}  // namespace isthmus
