// All-to-all along one k-ary tree over all ranks to rank 0 and back, as Lowekamp 1995 compares it with ECO. A block
// turns round at the first rank that has its destination below it. With degree P - 1 or more it is the star.
//
// Cost of the star: rank 0 takes and sends 2 (P - 1)^2 n bytes.
#include "algorithms/alltoall/alltoall.hpp"
#include "algorithms/collective/algorithm.hpp"

namespace isthmus {

void alltoall_k_ary(Program& program, const Call& call) {
  const int size = call.topology.size();
  const Tree tree{TreeShape::k_ary, call.degree()};
  alltoall_along(program, places_along(tree, size, 0), size, call.rank, call.problem);
}

}  // namespace isthmus
