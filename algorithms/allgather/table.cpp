#include "algorithms/allgather/table.hpp"

#include <array>

#include "algorithms/allgather/allgather.hpp"
#include "algorithms/collective/algorithm.hpp"
#include "algorithms/packed/packed.hpp"
#include "algorithms/patterns/group_trees.hpp"

namespace isthmus {

Write allgather_bine, allgather_eco, allgather_k_ary;

namespace {

Slice own(const Call& call) { return input(0, block_count(call.problem, call.rank)); }
Blocks all(const Call& call) { return {call.problem, call.topology.size(), Buffer::output}; }

constexpr auto rows_of(Collective collective) {
  return std::array{
      Algorithm{
          collective, "ring", "Thakur et al. 2005, section 4.1; Open MPI", "each rank passes on to the next", "segment",
          [](Program& program, const Call& call) {
            allgather_ring(program, call.topology.size(), call.rank, own(call), all(call), call.segment_elements());
          }}
          .called({.openmpi = 4, .openmpi_name = "ring", .mpich = "ring", .nccl = "ring"}),
      Algorithm{collective, "recursive-doubling", "Thakur et al. 2005, section 4.1",
                "all that two ranks hold is exchanged, at doubling distances", "",
                [](Program& program, const Call& call) {
                  allgather_recursive_doubling(program, call.topology.size(), call.rank, own(call), all(call));
                }}
          .called({.openmpi = 3, .openmpi_name = "recursive_doubling", .mpich = "recursive_doubling"}),
      Algorithm{collective, "neighbour-exchange", "Chen et al. 2005; Open MPI",
                "two blocks at a time with either neighbour in turn", "",
                [](Program& program, const Call& call) {
                  allgather_neighbour_exchange(program, call.topology.size(), call.rank, own(call), all(call));
                }}
          .called({.openmpi = 5, .openmpi_name = "neighbor"}),
      Algorithm{collective, "bruck", "Bruck et al. 1997, section 4",
                "all that a rank holds goes backwards, at doubling distances", "",
                [](Program& program, const Call& call) {
                  allgather_bruck(program, call.topology.size(), call.rank, own(call), all(call));
                }}
          .called({.openmpi = 2, .openmpi_name = "bruck", .mpich = "brucks"}),
      Algorithm{collective, "bine", "De Sensi et al. 2025 (SC), section 4",
                "all that two ranks hold is exchanged, at distances that halve, up and down in turn", "",
                allgather_bine},
      Algorithm{collective, "multilevel", "Karonis 2000, for allgather; work shared by all members",
                "every rank to one of each other group, level by level, then inside", "segment",
                [](Program& program, const Call& call) {
                  allgather_multilevel(program, call.topology, call.rank, own(call), all(call),
                                       call.segment_elements());
                }}
          .using_groups()
          .as_default(),
      Algorithm{collective, "aggregated", "Karonis 2000, for allgather; work shared by all members",
                "inside, one message from each cluster to each other, inside again", "",
                [](Program& program, const Call& call) {
                  allgather_aggregated(program, call.topology, call.rank, own(call), all(call));
                }}
          .using_groups(),
      Algorithm{collective, "k-ary", "Kielmann 2000, section 3.1, for allgather",
                "along a tree of least height for a degree (4 by default) to rank 0 and back", "segment degree",
                allgather_k_ary}
          .searched_only(),
      Algorithm{collective, "eco", "Lowekamp 1995, section 5",
                "along a tree over subnets to rank 0 and back, a pattern of its own in each", "segment patterns",
                allgather_eco, check_trees}
          .using_groups()
          .searched_only(),
      packed_row(collective)};
}

constexpr auto allgather_rows = rows_of(Collective::allgather);
constexpr auto allgatherv_rows = without_counterparts(rows_of(Collective::allgatherv));

}  // namespace

std::span<const Algorithm> allgather_table() { return allgather_rows; }

std::span<const Algorithm> allgatherv_table() { return allgatherv_rows; }

}  // namespace isthmus
