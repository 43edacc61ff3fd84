#include "algorithms/allgather/table.hpp"

#include "algorithms/allgather/rows.hpp"

namespace isthmus {

std::span<const Algorithm> allgather_table() {
  static constexpr auto table = allgather_rows::rows_of(Collective::allgather);
  return table;
}

}  // namespace isthmus
