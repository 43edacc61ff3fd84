#include "algorithms/scatterv/table.hpp"

#include "algorithms/scatter/rows.hpp"

namespace isthmus {

std::span<const Algorithm> scatterv_table() {
  static constexpr auto table = scatter_rows::rows_of(Collective::scatterv);
  return table;
}

}  // namespace isthmus
