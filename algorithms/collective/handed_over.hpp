// Plans that hand a level to the MPI: inside a machine, or a site, its own collective may be quicker than messages
// between ranks, by shared memory for instance.
//
// `levels=linear/mpi` (broadcast, reduce, allreduce) and `inside=mpi` (barrier, allreduce/multilevel-exchange) ask for
// it. All ranks of a group of that level, with the groups inside it, then make one call of the MPI among themselves,
// and the groups' coordinators exchange messages as in the rest of the plan. What the MPI does there is not known: in
// the schedule, and so for proof, models, simulation and drawing, the level is a binomial tree.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "algorithms/collective/algorithm.hpp"

namespace isthmus {

/// The name of the MPI's own among the names of trees.
inline constexpr std::string_view mpi_inside = "mpi";

/// The level whose groups are handed to the MPI; 0 if there is none.
int handed_level(const Plan& plan);
/// The same plan with the tree in place of the MPI: the one that the schedule is of.
Plan with_tree_inside(const Plan& plan);

/// The part of one rank.
struct HandedOver {
  std::vector<int> ranks;  ///< of its group, ascending; itself if it is in no group of the level
  int coordinator = 0;     ///< index in `ranks` of the one that speaks for them
  Program between;         ///< the messages between coordinators: inputs and outputs are those of the whole collective,
                           ///< with the groups' sums as input; empty on other ranks
};
/// Of a checked plan. No value if nothing is handed over: the plan does not ask for it, there are no groups, or there
/// are ranks without a route between them.
std::optional<HandedOver> hand_over(const Plan& plan, const Topology& topology, const Problem& problem, int rank);

/// For Algorithm::check: `inside` is `mpi` or not given. Throws BadInput.
void check_inside(const Parameters& parameters);

}  // namespace isthmus
