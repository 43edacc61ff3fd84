#include "algorithms/allgatherv/table.hpp"

#include "algorithms/allgather/rows.hpp"

namespace isthmus {

std::span<const Algorithm> allgatherv_table() {
  static constexpr auto table = allgather_rows::rows_of(Collective::allgatherv);
  return table;
}

}  // namespace isthmus
