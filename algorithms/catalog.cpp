#include "algorithms/catalog.hpp"

#include "algorithms/allgather/table.hpp"
#include "algorithms/allreduce/table.hpp"
#include "algorithms/alltoall/table.hpp"
#include "algorithms/barrier/table.hpp"
#include "algorithms/broadcast/table.hpp"
#include "algorithms/collective/mpi_own.hpp"
#include "algorithms/errors.hpp"
#include "algorithms/gather/table.hpp"
#include "algorithms/reduce/table.hpp"
#include "algorithms/reduce_scatter/table.hpp"
#include "algorithms/scan/table.hpp"
#include "algorithms/scatter/table.hpp"
#include "algorithms/text/near_matches.hpp"
#include "algorithms/text/printable.hpp"

namespace isthmus {

std::span<const Algorithm> algorithms() {
  static const auto* const all = [] {  // never destroyed: exit handlers of MPI programs may choose plans
    auto* const joined = new std::vector<Algorithm>;
    for (const std::span<const Algorithm> table :
         {broadcast_table(), barrier_table(), reduce_table(), allreduce_table(), gather_table(), gatherv_table(),
          scatter_table(), scatterv_table(), allgather_table(), allgatherv_table(), alltoall_table(), alltoallv_table(),
          alltoallw_table(), reduce_scatter_table(), reduce_scatter_block_table(), scan_table(), exscan_table()})
      joined->insert(joined->end(), table.begin(), table.end());
    return joined;
  }();
  return *all;
}

std::vector<const Algorithm*> algorithms_of(Collective collective) {
  std::vector<const Algorithm*> found;
  for (const Algorithm& algorithm : algorithms())
    if (algorithm.collective == collective) found.push_back(&algorithm);
  return found;
}

const Algorithm& algorithm_named(Collective collective, std::string_view id) {
  if (id == mpi_own(collective).id) return mpi_own(collective);
  std::vector<std::string_view> known;
  for (const Algorithm* algorithm : algorithms_of(collective)) {
    if (algorithm->id == id || (!id.empty() && algorithm->old_id == id)) return *algorithm;
    known.push_back(algorithm->id);
  }
  if (known.empty()) throw BadInput("there is no algorithm for " + std::string(name(collective)));
  throw BadInput("no algorithm `" + excerpt(id) + "` for " + std::string(name(collective)) + near_matches(id, known));
}

Plan parse_plan(Collective collective, std::string_view text) {
  return parse_plan(algorithm_named(collective, text.substr(0, text.find(':'))), text);
}

}  // namespace isthmus
