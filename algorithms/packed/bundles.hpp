// Alltoall for few bytes along the paths of a packing: what one site has for another travels as one message.
//
// A member of the first site collects the blocks of all its members for the last site, sends them over the path, and a
// member of the last site hands them out. For sites of p and q members one message crosses the wide area where single
// blocks are p q, each with a header and the work of two processors. Members take turns, by the other end.
#pragma once

#include "algorithms/collective/algorithm.hpp"
#include "algorithms/packed/sites.hpp"
#include "algorithms/packed/way_lanes.hpp"

namespace isthmus {

/// Whether the ways of a packing carry bundles: their paths are marked `*`.
bool has_bundles(const Packing& packing);

/// Throws BadInput unless all ways are bundled or none is, the collective is alltoall, and each pair has one way.
void check_bundles(Collective collective, const Packing& packing);

/// What crosses between sites, for a packing that has_bundles(). `lanes` has one lane a way.
void write_bundles(Program& program, const Call& call, const Packing& packing, const Sites& sites, WayLanes& lanes);

}  // namespace isthmus
