// Allreduce and barrier for few bytes: each site tells its sum to all others, along trees of its own.
//
// The operands of a site are combined at its first member, along binomial trees. The sum of each site travels
// uncombined along the site's trees, each with its share, to the first members of all other sites. These combine the
// sums of all sites in the order of sites, so that all ranks get the same bits, and broadcast the result inside.
//
// With drivers the vector has as many stripes as most of a site's members drive its edges: of each stripe another
// member speaks for the site. It takes in the operands of the others, hears from those who speak for the other sites,
// and hands the result out. So no member moves more than its part; for few bytes one that speaks for all has fewer
// messages.
//
// Cost for few bytes: the longest path in a tree. With trees of shortest paths this is the least time in which any two
// sites can hear of each other, also where the direct route between two is longer than that over a third. Each site
// receives the sums of all others: for k sites (k - 1) m bytes.
#pragma once

#include "algorithms/collective/algorithm.hpp"

namespace isthmus {

/// Whether a packing is of such trees: in a barrier always, in an allreduce if no way has a tree out of its own (`^`).
bool exchanges_sums(Collective collective, const Packing& packing);

/// For a call of allreduce or barrier that serves_packed() has accepted. The packing has a tree for each site.
void write_exchanged_sums(Program& program, const Call& call, const Packing& packing);

}  // namespace isthmus
