// Flat tree (linear) reduction. Pjesivac-Grbovic 2005, section 4.2: all ranks send to the receiver, which combines in
// the order of ranks.
//
// Cost (there, table 3): Hockney n_s (P - 1) (alpha + beta m_s + gamma m_s);
// P-LogP L + (P - 1) n_s max(g(m_s), or(m_s) + gamma m_s). The receiver keeps P - 1 operands.
#include "algorithms/patterns/fan_in.hpp"
#include "algorithms/reduce/reduce.hpp"

namespace isthmus {

void reduce_flat(Program& program, int size, int rank, const Reduction& reduction) {
  FanIn fan;
  if (rank != reduction.receiver) {
    fan.parent = reduction.receiver;
  } else {
    for (int other = 0; other < size; ++other) {
      if (other < rank) fan.before.push_back(other);
      if (other > rank) fan.after.push_back(other);
    }
  }
  combine_along(program, fan, reduction.own, reduction.into, reduction.segment);
}

}  // namespace isthmus
