// Bine tree reduction. De Sensi et al. 2025, "Bine Trees: Enhancing Collective Operations by Optimizing Communication
// Locality" (SC), section 3: the reverse of the broadcast (broadcast/bine.cpp). The ranks of a subtree are not
// consecutive, so that the operator has to commute.
//
// Cost: that of the binomial tree, ceil(log2 P) n_s (alpha + beta m_s + gamma m_s), where P is a power of two.
#include "algorithms/reduce/delivery.hpp"

namespace isthmus {

void reduce_bine(Program& program, const RootedGroup& group, const Reduction& reduction) {
  reduce_along(program, group, {TreeShape::bine}, reduction);
}

}  // namespace isthmus
