// The tree of groups over the ranks, and who reaches whom directly: all that an algorithm may know of a platform.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "algorithms/topology/connectivity.hpp"

namespace isthmus {

/// One node of the topology. Level 0 is everybody, level 1 the sites, then machines, nodes ...
struct Group {
  std::string name;           ///< of this group, e.g. `c2`; empty for the group of everybody in a flat topology
  int level = 0;              ///< distance from the root of the tree
  int parent = -1;            ///< group number; -1 for the root
  std::vector<int> children;  ///< group numbers, ordered by their lowest rank
  std::vector<int> ranks;     ///< all ranks below, ascending; never empty
  std::vector<int> members;   ///< the lowest rank of each child, and the ranks in no child, ascending; empty
                              ///< if there are no children (then the members are `ranks`)
};

/// Groups may differ in size, and ranks in depth. A group may hold ranks that are in none of its child groups.
/// Invariants: group 0 holds ranks 0..size-1; the children of a group are disjoint; every parent's number is below its
/// children's.
class Topology {
 public:
  /// One group of all ranks. Throws BadInput when `size` < 1.
  static Topology flat(int size);

  /// `paths[rank]` names the rank's groups from the sites inwards; a rank with an empty path belongs to level 0 alone.
  /// Two paths name the same group when they agree in its name and in all names outside it. Throws BadInput when there
  /// is no path.
  static Topology from_paths(const std::vector<std::vector<std::string>>& paths);

  /// The same ranks with the outermost `levels` levels of groups merged into one. Groups of level `levels` become level
  /// 1, and so do the ranks of outer groups that are in no child group; groups further inside follow below. The names
  /// of merged groups are numbers.
  Topology with_merged(int levels) const;

  /// The same groups, with routes between some pairs of ranks only. Programs are then relayed (relays/relays.hpp).
  Topology with_connectivity(Connectivity connectivity) const;
  const Connectivity& connectivity() const { return connectivity_; }

  int size() const { return static_cast<int>(groups_.front().ranks.size()); }
  std::span<const Group> groups() const { return groups_; }
  const Group& group(int number) const { return groups_[number]; }

  /// The innermost group of a rank, and how many groups lie around it (0 for level 0 alone).
  int innermost(int rank) const { return innermost_[rank]; }
  int depth(int rank) const { return groups_[innermost_[rank]].level; }
  /// The rank's group at a level; its innermost group if it has none at that level.
  int group_at(int rank, int level) const;
  bool contains(int group, int rank) const;
  /// The largest level of any group.
  int levels() const;

  /// The coordinator of a group: the root if it is a member (Karonis 2000), else the lowest rank.
  int coordinator(int group, int root) const;

  /// The participants of the exchange at a group: the coordinators of its children and the ranks in no child, ascending
  /// by the lowest rank that each represents. exchange.hpp has the same without the list.
  std::vector<int> participants(int group, int root) const;

  /// The participants when the root is outside the group: a view, ascending.
  std::span<const int> members(int group) const {
    return groups_[group].children.empty() ? groups_[group].ranks : groups_[group].members;
  }

 private:
  Topology() = default;

  std::vector<Group> groups_;
  std::vector<int> innermost_;  // by rank
  Connectivity connectivity_;
};

}  // namespace isthmus
