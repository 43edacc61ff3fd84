// Scan and exscan along the paths of a packing.
//
// A chain over the sites in the order of ranks: the last member of a site adds the site's sum to the sum of all sites
// before it, and sends the result to the last member of the next site, in pieces that take several paths at once. So
// each site receives one vector, and the lines that no neighbours in the chain share serve as detours.
//
// Cost for S sites where each path between neighbours has latency L and all paths of a pair together carry C bytes a
// second: (S - 1) L + m / C and the pipeline's filling; on a uniform full mesh of lines of b bytes a second C is 2 b.
#pragma once

#include "algorithms/collective/algorithm.hpp"
#include "algorithms/packed/sites.hpp"

namespace isthmus {

/// Throws BadInput unless every site consists of consecutive ranks.
void check_sites_in_order(const Sites& sites);

/// For a call that serves_packed() has accepted.
void write_scan_along_paths(Program& program, const Call& call, const Packing& packing);

}  // namespace isthmus
