#include "algorithms/gatherv/table.hpp"

#include "algorithms/gather/rows.hpp"

namespace isthmus {

std::span<const Algorithm> gatherv_table() {
  static constexpr auto table = gather_rows::rows_of(Collective::gatherv);
  return table;
}

}  // namespace isthmus
