// A packing as a picture: a map of the sites with the load of what joins them, and a small map for each tree.
#pragma once

#include <string>

#include "algorithms/bounds/lower_bound.hpp"
#include "algorithms/network/network.hpp"
#include "algorithms/tuning/packing_map.hpp"
#include "validation/report/markup.hpp"

namespace isthmus {

struct PackingPicture {
  Element svg{"svg"};
  std::string caption;  ///< what is drawn, and what is left out
};

/// The sites on a circle. On the large map an arrow for what a site sends another: its width is the bytes, its colour
/// how much of the time the busiest link on the way is busy, and it is dashed where a link of the bound is on the way.
/// Beside it a small map of each tree in a colour of its own, with its share; paths of one source (or, from one
/// source, to one destination) have a small map together. `seconds`: the time of the plan.
PackingPicture draw_packing(const PackingMap& map, const LowerBound& bound, const Network& network, double seconds);

}  // namespace isthmus
