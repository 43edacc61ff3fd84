// A grid cut into blocks of given sizes.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "algorithms/mapping/grid.hpp"

namespace isthmus {

/// The positions from `first` to before `first + lengths`, by dimension.
struct GridBlock {
  std::vector<int> first, lengths;

  /// Ascending.
  std::vector<int> positions(const CartesianGrid& grid) const;
};

/// Cuts a block of the grid into blocks of `sizes` positions each, by planes through the whole of what is left to cut,
/// so that the least weight of edges is cut of all such divisions. The result has the order of `sizes`; among equal
/// sizes the block with the lowest position comes first. No value if there is no such division, or too many to look
/// through.
std::optional<std::vector<GridBlock>> cut_into_blocks(const CartesianGrid& grid, const GridBlock& whole,
                                                      std::span<const int> sizes);

}  // namespace isthmus
