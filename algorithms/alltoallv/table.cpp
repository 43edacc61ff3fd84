#include "algorithms/alltoallv/table.hpp"

#include "algorithms/alltoall/rows.hpp"

namespace isthmus {

std::span<const Algorithm> alltoallv_table() {
  static constexpr auto table = alltoall_rows::rows_of(Collective::alltoallv);
  return table;
}

}  // namespace isthmus
