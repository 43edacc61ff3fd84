// One tree over the sites for a message that is not divided.
//
// The postal model (Bar-Noy, Kipnis 1994; Karp et al. 1993) with a latency and a gap for each pair of sites: a site
// that has the message sends it to one site after the other. On equal sites the best trees are generalised Fibonacci
// trees. Here the tree grows by the edge that completes earliest (Bhat, Raghavendra, Prasanna 2003), then single sites
// move as long as that is quicker.
#pragma once

#include "algorithms/collective/problem.hpp"
#include "algorithms/synthesis/site_network.hpp"
#include "algorithms/synthesis/synthesis.hpp"

namespace isthmus {

/// For a broadcast or reduce. Each member of a site has an edge of its own to the site above if this saves time.
/// Throws BadInput as synthesise() does.
Synthesis synthesise_single_tree(const SiteNetwork& network, const Problem& problem);

}  // namespace isthmus
