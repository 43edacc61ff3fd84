#include "algorithms/reduce_scatter_block/table.hpp"

#include "algorithms/reduce_scatter/rows.hpp"

namespace isthmus {

std::span<const Algorithm> reduce_scatter_block_table() {
  static constexpr auto table = reduce_scatter_rows::rows_of(Collective::reduce_scatter_block);
  return table;
}

}  // namespace isthmus
