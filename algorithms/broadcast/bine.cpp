// Bine tree broadcast. De Sensi et al. 2025, "Bine Trees: Enhancing Collective Operations by Optimizing Communication
// Locality" (SC), section 3: a binomial tree over numbers in base -2, whose messages go to higher and lower ranks
// alternately. They cover 2/3 of the distance of a binomial tree's messages. If the network is not known and
// neighbouring ranks share machines, fewer messages cross between machines.
//
// Cost: that of the binomial tree, ceil(log2 P) n_s (alpha + beta m_s), where P is a power of two.
#include "algorithms/patterns/tree_broadcast.hpp"

namespace isthmus {

void broadcast_bine(Program& program, const Call& call) {
  const RootedGroup everybody(call.topology.size(), call.rank, call.problem.root);
  broadcast_along(program, everybody, {TreeShape::bine}, output(0, call.problem.count), call.segment_elements());
}

}  // namespace isthmus
