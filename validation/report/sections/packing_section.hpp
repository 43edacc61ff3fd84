// The packings of a collective's plans, as pictures and as text.
#pragma once

#include <optional>
#include <span>

#include "algorithms/network/placed_network.hpp"
#include "validation/records/comparison.hpp"
#include "validation/report/markup.hpp"

namespace isthmus {

/// The different packings among the plans of rows of one collective on one placed network, the largest message first
/// and open, a few more closed; none if no plan has a packing. Times are those of `source`, or of another source where
/// it has no record.
std::optional<Element> packing_section(std::span<const ComparisonRow> rows, const PlacedNetwork& placed, Source source);

}  // namespace isthmus
