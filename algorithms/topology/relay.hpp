// Exchanges from group to group with the work shared by all members: who passes what on to whom.
//
// The stages go from the outermost group inwards. At the stage of a group every member of a part (a child group, or a
// rank outside any) hands what it holds to one member of each other part. The senders from outside a part are dealt
// over its members in turn, so that no member serves more than one sender more than another. After the stage the
// members of a part together hold everything, and the next stage is inside the part. So everything enters each group
// once, over one boundary of each level at most, and no member speaks for the others.
#pragma once

#include <span>
#include <vector>

#include "algorithms/topology/topology.hpp"

namespace isthmus {

/// The stage of one group, seen from one of its ranks.
struct RelayStage {
  struct Receiver {
    int part = 0;
    int rank = 0;

    bool operator==(const Receiver&) const = default;
  };

  bool innermost = false;                   ///< of a group without children: every rank is a part of its own
  std::span<const int> ranks;               ///< of the group, ascending
  std::vector<std::span<const int>> parts;  ///< by their lowest ranks
  int own_part = 0;
  int place = 0;                       ///< of this rank among `ranks`
  std::vector<std::vector<int>> held;  ///< by place: the ranks whose data that member holds before the stage
  std::vector<Receiver> receivers;     ///< who gets what this rank holds: the part behind its own first, cyclically
  std::vector<int> senders;            ///< whose data this rank gets, in the order of their parts

  const std::vector<int>& own() const { return held[place]; }
  /// What a rank of the group holds before the stage.
  const std::vector<int>& held_by(int rank) const;
};

/// The stages of a rank, one for each group around it, outermost first: the index of a stage is the level of its group.
/// Some may have a single part. After a stage a rank holds what it held before, followed by what its senders held, in
/// their order; after the last one, when none of its parts has anybody else, everything is in the ranks of that stage.
/// `topology` must outlive them. In time proportional to its size times the number of stages.
std::vector<RelayStage> relay_stages(const Topology& topology, int rank);
/// The same from the rank's group at `level` inwards, among the ranks of that group: `held` says what each of them
/// holds at the start.
std::vector<RelayStage> relay_stages(const Topology& topology, int rank, int level, std::vector<std::vector<int>> held);

}  // namespace isthmus
