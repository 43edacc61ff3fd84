// How busy each wide-area link was.
#pragma once

#include <optional>
#include <span>

#include "algorithms/network/placed_network.hpp"
#include "validation/records/comparison.hpp"
#include "validation/report/markup.hpp"

namespace isthmus {

/// A row a wide-area link, a column an algorithm: the share of its time at the largest size for which its messages
/// occupy the link. None without wide-area links; an MPI's own algorithms have no schedule and no column.
std::optional<Element> load_section(std::span<const ComparisonRow> rows, const PlacedNetwork& placed, Source reference);

}  // namespace isthmus
