#include "algorithms/topology/common_level.hpp"

namespace isthmus {

int common_level(const Topology& topology, int rank, int other) {
  int one = topology.innermost(rank), two = topology.innermost(other);
  while (one != two) {
    if (topology.group(one).level >= topology.group(two).level)
      one = topology.group(one).parent;
    else
      two = topology.group(two).parent;
  }
  return topology.group(one).level;
}

}  // namespace isthmus
