// When the pieces of each way of a packing set out: those of ways that take long go first.
//
// The programme (synthesis.hpp) has every way move its bytes at one rate until the end. Where ways of several latencies
// share a link, less time does: bytes have to be over the link by the end less what is left of their way, so those with
// the longest ways go first. A link is not full for longer than
//
//   max over latencies l of   l + (bytes on it whose ways take l or longer) / capacity
#pragma once

#include <vector>

#include "algorithms/collective/packing.hpp"
#include "algorithms/synthesis/commodities.hpp"
#include "algorithms/synthesis/site_network.hpp"

namespace isthmus {

/// The root of a tree, given by the parent of each site; -1 if there is none.
int root_of(const std::vector<int>& parents);

/// How the pieces of a way are spread over the time before its last one has to set out.
enum class DueOrder : std::uint8_t {
  spread,  ///< evenly from the start on
  late,    ///< as late as the links of the way alone would let them
};

/// The ways of a packing with their due times. `piece_bytes` at least 1.
std::vector<Way> with_due_times(const SiteNetwork& network, const Commodities& commodities, const Packing& packing,
                                double piece_bytes, DueOrder order);

/// The lines that the ways of a packing use, for the order of packed/line_times.hpp. What a site's hosts, or the links
/// that all its routes share, can send or take in stands beside them where it is less than its lines together.
std::vector<WayLine> lines_of(const SiteNetwork& network, const Packing& packing, WayKind kind, double piece_bytes);

}  // namespace isthmus
