#include "algorithms/alltoallw/table.hpp"

#include "algorithms/alltoall/rows.hpp"

namespace isthmus {

std::span<const Algorithm> alltoallw_table() {
  static constexpr auto table = alltoall_rows::rows_of(Collective::alltoallw);
  return table;
}

}  // namespace isthmus
