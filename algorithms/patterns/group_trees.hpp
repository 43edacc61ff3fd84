// The tree of the exchange at each group of a topology, from the parameters of a plan.
#pragma once

#include <span>
#include <string>

#include "algorithms/collective/algorithm.hpp"
#include "algorithms/topology/topology.hpp"
#include "algorithms/topology/tree.hpp"

namespace isthmus {

/// Names of trees by level (`levels` of Karonis 2000) or by group (`patterns` of Lowekamp 1995). The parameters must
/// outlive it.
class GroupTrees {
 public:
  /// Linear between the groups inside level 0, binomial everywhere else.
  GroupTrees() = default;
  /// `levels` and `patterns` are checked (check_trees()). `levels` has one name a level, outermost first; `patterns`
  /// one a group, in the order of group numbers, the first for the exchange between the outermost groups. The last name
  /// holds for all levels or groups that follow. `mpi` is a binomial tree. `degree` is that of k-ary and k-chain
  /// without one of their own. With `patterns` the levels do not count.
  explicit GroupTrees(const Parameters& parameters)
      : levels_(parameters.levels), patterns_(parameters.patterns), degree_(parameters.degree) {}

  Tree at(const Topology& topology, int group) const;

 private:
  std::span<const std::string> levels_, patterns_;
  int degree_ = 0;
};

/// For Algorithm::check: throws BadInput, with the near matches, when a level or pattern names no tree.
void check_trees(const Parameters& parameters);
/// The same where the last level may be the MPI's own collective (handed_over.hpp), which takes whole messages.
void check_trees_or_mpi(const Parameters& parameters);

}  // namespace isthmus
