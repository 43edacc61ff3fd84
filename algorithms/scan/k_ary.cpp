// Scan along one k-ary tree over all ranks to rank 0 and back, as Lowekamp 1995 compares it with ECO. With degree P - 1
// or more it is the star.
//
// Cost: those of gather/k-ary and scatter/k-ary, and P m gamma.
#include "algorithms/collective/algorithm.hpp"
#include "algorithms/scan/scan.hpp"

namespace isthmus {

void exscan_k_ary(Program& program, const Call& call) {
  const int size = call.topology.size();
  const Tree tree{TreeShape::k_ary, call.degree()};
  exscan_along(program, places_along(tree, size, 0), size, call.rank, input(0, call.problem.count),
               output(0, call.problem.count));
}

}  // namespace isthmus
