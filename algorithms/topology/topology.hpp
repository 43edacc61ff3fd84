// The tree of groups over the ranks: all that an algorithm may know of a platform.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace isthmus {

/// One node of the topology. Level 0 is everybody, level 1 the sites, then machines, nodes ...
struct Group {
  std::string name;           ///< of this group, e.g. `c2`; empty for the group of everybody in a flat topology
  int level = 0;              ///< distance from the root of the tree
  int parent = -1;            ///< group number; -1 for the root
  std::vector<int> children;  ///< group numbers, ordered by their lowest rank
  std::vector<int> ranks;     ///< all ranks below, ascending; never empty
  std::vector<int> members;   ///< the lowest rank of each child and the ranks that belong to no child, ascending; empty
                              ///< where there is no child (then they are `ranks`)
};

/// Groups may differ in size, and ranks in depth; a group may hold ranks of its own beside child groups.
/// Invariants: group 0 holds ranks 0..size-1; the children of a group are disjoint; every parent's number is below its
/// children's.
class Topology {
 public:
  /// One group of everybody. Throws BadInput when `size` < 1.
  static Topology flat(int size);

  /// `paths[rank]` names the rank's groups from the sites inwards; a rank with an empty path belongs to level 0 alone.
  /// Groups are the same when their names and all names outside them are the same. Throws BadInput when there is no
  /// path.
  static Topology from_paths(const std::vector<std::vector<std::string>>& paths);

  /// The same ranks with the outermost so many levels of groups as one: the groups of level `levels`, and of lower
  /// levels what of them holds ranks of its own, stand at level 1, those inside them below. Names are numbers there.
  Topology with_merged(int levels) const;

  int size() const { return static_cast<int>(groups_.front().ranks.size()); }
  std::span<const Group> groups() const { return groups_; }
  const Group& group(int number) const { return groups_[number]; }

  /// The innermost group of a rank, and how many groups lie around it (0 for level 0 alone).
  int innermost(int rank) const { return innermost_[rank]; }
  int depth(int rank) const { return groups_[innermost_[rank]].level; }
  /// The rank's group at a level; its innermost group where the rank is not that deep.
  int group_at(int rank, int level) const;
  bool contains(int group, int rank) const;
  /// The largest level of any group.
  int levels() const;

  /// Who speaks for a group: the root where it is a member (Karonis 2000), else the lowest rank.
  int coordinator(int group, int root) const;

  /// Those who take part in the exchange at a group: the coordinators of its children and the ranks that belong to no
  /// child, ascending by the lowest rank each stands for. exchange.hpp has the same without making the list.
  std::vector<int> participants(int group, int root) const;

  /// The participants when the root lies outside the group: a view, ascending.
  std::span<const int> members(int group) const {
    return groups_[group].children.empty() ? groups_[group].ranks : groups_[group].members;
  }

 private:
  Topology() = default;

  std::vector<Group> groups_;
  std::vector<int> innermost_;  // by rank
};

}  // namespace isthmus
