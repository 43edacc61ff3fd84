#include "algorithms/collective/operators.hpp"

#include "algorithms/errors.hpp"
#include "algorithms/topology/clusters.hpp"

namespace isthmus {

void serves_commutative_only(const Topology&, const Problem& problem, const Parameters&) {
  if (!problem.commutative) throw BadInput("it combines operands in an order of its own: the operator has to commute");
}

void serves_in_order_over_contiguous_groups(const Topology& topology, const Problem& problem, const Parameters&) {
  if (!problem.commutative && !has_contiguous_children(topology, 0))
    throw BadInput(
        "it combines inside groups: where their ranks are not consecutive the operator has to commute; multilevel "
        "would be right");
}

void serves_in_order_without_levels(const Topology&, const Problem& problem, const Parameters& parameters) {
  if (problem.commutative) return;
  if (!parameters.levels.empty())
    throw BadInput("levels: an operator that does not commute has its own trees; none would be right");
  if (!parameters.inside.empty())
    throw BadInput("inside: an operator that does not commute has its own trees; none would be right");
  if (!parameters.patterns.empty())
    throw BadInput("patterns: an operator that does not commute has its own trees; none would be right");
}

}  // namespace isthmus
