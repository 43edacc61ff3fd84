#include "algorithms/gather/table.hpp"

#include "algorithms/gather/rows.hpp"

namespace isthmus {

std::span<const Algorithm> gather_table() {
  static constexpr auto table = gather_rows::rows_of(Collective::gather);
  return table;
}

}  // namespace isthmus
