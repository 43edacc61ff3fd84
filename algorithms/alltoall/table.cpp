#include "algorithms/alltoall/table.hpp"

#include <array>

#include "algorithms/alltoall/alltoall.hpp"
#include "algorithms/collective/algorithm.hpp"
#include "algorithms/collective/rows.hpp"
#include "algorithms/packed/packed.hpp"

namespace isthmus {

Write alltoall_eco, alltoall_k_ary;

namespace {

constexpr int default_limit = 4;

ExchangedBlocks blocks(const Call& call) { return {call.problem, call.topology.size(), call.rank}; }

void check_sizes_known(const Topology&, const Problem& problem, const Parameters&) { check_counts_known(problem); }

// In the v and w forms of MPI a rank knows only the sizes of the blocks that it sends and receives, so that it cannot
// forward blocks of other ranks. Sent directly, each byte crosses one wide-area link at most. The last three
// rows are for calls in which all sizes are known.
constexpr auto rows_of(Collective collective) {
  return std::array{
      Algorithm{collective, "linear", "Open MPI, coll/basic", "all at once, each block straight", "",
                [](Program& program, const Call& call) {
                  alltoall_linear(program, call.topology.size(), call.rank, blocks(call));
                }},
      Algorithm{collective, "pairwise", "Pjesivac-Grbovic 2005, section 4.2",
                "one exchange after the other, at growing distances", "",
                [](Program& program, const Call& call) {
                  alltoall_pairwise(program, call.topology.size(), call.rank, blocks(call));
                }},
      Algorithm{collective, "linear-sync", "Open MPI, coll/tuned",
                "linear, with a limit on open receives (degree of them, 4 by default)", "degree",
                [](Program& program, const Call& call) {
                  alltoall_linear_sync(program, call.topology.size(), call.rank, blocks(call),
                                       call.parameters.degree > 0 ? call.parameters.degree : default_limit);
                }},
      Algorithm{collective, "multilevel", "Karonis 2000, for alltoall; work shared by all members",
                "all for a group as one message, level by level, then inside", "segment",
                [](Program& program, const Call& call) {
                  alltoall_multilevel(program, call.topology, call.rank, call.problem, call.segment_elements());
                },
                nullptr, check_sizes_known}
          .using_groups()
          .as_default(),
      Algorithm{collective, "k-ary", "Kielmann 2000, section 3.1, for alltoall",
                "along a tree of least height for a degree (4 by default) to rank 0 and back", "degree", alltoall_k_ary,
                nullptr, check_sizes_known}
          .searched_only(),
      Algorithm{collective, "eco", "Lowekamp 1995, section 5",
                "along a tree over subnets to rank 0 and back, a pattern of its own in each", "patterns", alltoall_eco,
                check_trees, check_sizes_known}
          .using_groups()
          .searched_only()};
}

constexpr auto any_sizes = rows_of(Collective::alltoall);

constexpr Algorithm table[] = {
    any_sizes[0].called({.openmpi = 1, .openmpi_name = "linear", .mpich = "scattered"}),
    any_sizes[1].called({.openmpi = 2, .openmpi_name = "pairwise", .mpich = "pairwise"}),
    Algorithm{Collective::alltoall, "linear-sequential", "Pjesivac-Grbovic 2005, section 4.2 (linear)",
              "one rank sends after the other, straight to all", "segment",
              [](Program& program, const Call& call) {
                alltoall_linear_sequential(program, call.topology.size(), call.rank, blocks(call),
                                           call.segment_elements());
              }}
        .formerly("turns"),
    Algorithm{Collective::alltoall, "bruck", "Bruck et al. 1997, section 3",
              "each block by way of distances that are powers of two", "",
              [](Program& program, const Call& call) {
                alltoall_bruck(program, call.topology.size(), call.rank, call.problem.count);
              }}
        .called({.openmpi = 3, .openmpi_name = "modified_bruck", .mpich = "brucks"}),
    any_sizes[2].called({.openmpi = 4, .openmpi_name = "linear_sync", .degree_is_fan_out = false}),
    any_sizes[3],
    any_sizes[4],
    any_sizes[5],
    packed_row(Collective::alltoall),
};

// Where sizes are not known, the first row is taken.
constexpr auto rows_of_any_sizes(Collective collective) {
  return with_first(Algorithm{collective, "far-first", "in the spirit of Kielmann 2000, section 3.2",
                              "all at once, each block straight, to far groups first, by turns", "",
                              [](Program& program, const Call& call) {
                                alltoall_far_first(program, call.topology, call.rank, blocks(call));
                              }}
                        .using_groups(),
                    with_last(rows_of(collective), packed_row(collective)));
}

constexpr auto alltoallv_rows = rows_of_any_sizes(Collective::alltoallv);
constexpr auto alltoallw_rows = rows_of_any_sizes(Collective::alltoallw);

}  // namespace

std::span<const Algorithm> alltoall_table() { return table; }

std::span<const Algorithm> alltoallv_table() { return alltoallv_rows; }

std::span<const Algorithm> alltoallw_table() { return alltoallw_rows; }

}  // namespace isthmus
