// Checks for algorithms that cannot keep the order of operands.
#pragma once

#include "algorithms/collective/algorithm.hpp"

namespace isthmus {

/// For Algorithm::serves: throws BadInput when the operator does not commute.
void serves_commutative_only(const Topology& topology, const Problem& problem, const Parameters& parameters);

/// For Algorithm::serves of algorithms that combine inside groups: throws BadInput when the operator does not commute
/// and the ranks of some outermost group are not consecutive.
void serves_in_order_over_contiguous_groups(const Topology& topology, const Problem& problem,
                                            const Parameters& parameters);

/// For Algorithm::serves of algorithms that keep the order by a fixed tree instead of `levels`, `patterns` or
/// `inside`.
void serves_in_order_without_levels(const Topology& topology, const Problem& problem, const Parameters& parameters);

}  // namespace isthmus
