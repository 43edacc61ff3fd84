#include "algorithms/scatter/table.hpp"

#include "algorithms/scatter/rows.hpp"

namespace isthmus {

std::span<const Algorithm> scatter_table() {
  static constexpr auto table = scatter_rows::rows_of(Collective::scatter);
  return table;
}

}  // namespace isthmus
