#include "algorithms/scatter/table.hpp"

#include <array>

#include "algorithms/collective/algorithm.hpp"
#include "algorithms/collective/rows.hpp"
#include "algorithms/packed/packed.hpp"
#include "algorithms/scatter/scatter.hpp"

namespace isthmus {

Write scatter_eco;

namespace {

Slice own(const Call& call) { return output(0, block_count(call.problem, call.rank)); }
Blocks all(const Call& call) { return {call.problem, call.topology.size(), Buffer::input}; }

void check_sizes_known(const Topology&, const Problem& problem, const Parameters&) { check_counts_known(problem); }

// In MPI only the root knows the sizes of all blocks of a scatterv, so that other ranks cannot forward blocks. Sent
// directly, each byte crosses one wide-area link at most. The other rows are for calls in which all sizes are known.
constexpr auto rows_of(Collective collective) {
  return std::array{
      Algorithm{collective, "linear", "Open MPI, coll/basic", "the root sends to every rank in turn", "segment",
                [](Program& program, const Call& call) {
                  scatter_linear(program, call.topology.size(), call.rank, call.problem.root, own(call), all(call),
                                 call.segment_elements());
                }}
          .called({.openmpi = 1, .openmpi_name = "basic_linear"}),
      Algorithm{collective, "binomial", "Thakur et al. 2005, section 4; MPICH", "subtrees halve from step to step",
                "segment",
                [](Program& program, const Call& call) {
                  scatter_binomial(program, call.topology.size(), call.rank, call.problem.root, own(call), all(call),
                                   call.segment_elements());
                },
                nullptr, check_sizes_known}
          .called({.openmpi = 2, .openmpi_name = "binomial", .mpich = "binomial"}),
      Algorithm{collective, "k-ary", "Kielmann 2000, section 3.1, for scatter",
                "the tree of least height for a degree (4 by default)", "segment degree",
                [](Program& program, const Call& call) {
                  scatter_k_ary(program, call.topology.size(), call.rank, call.problem.root, own(call), all(call),
                                call.segment_elements(), call.degree());
                },
                nullptr, check_sizes_known}
          .searched_only(),
      Algorithm{collective, "multilevel", "Karonis 2000, section 3.1, for scatter",
                "from coordinator to coordinators at every level, any tree at any level",
                "segment levels degree merged",
                [](Program& program, const Call& call) {
                  scatter_multilevel(program, call.topology, call.rank, call.problem.root, own(call), all(call),
                                     call.segment_elements(), GroupTrees(call.parameters));
                },
                check_trees, check_sizes_known}
          .using_groups(TwoLayerForm::default_levels)
          .as_default(),
      Algorithm{collective, "eco", "Lowekamp 1995, section 5", "a tree over subnets, a pattern of its own in each",
                "segment patterns", scatter_eco, check_trees, check_sizes_known}
          .using_groups(),
      packed_row(collective)};
}

constexpr auto scatter_rows = rows_of(Collective::scatter);
// Where sizes are not known, this one is taken: the first that serves.
constexpr auto scatterv_rows =
    with_first(Algorithm{Collective::scatterv, "far-first", "in the spirit of Kielmann 2000, section 3.2",
                         "the root sends to every rank, to far groups first, by turns", "segment",
                         [](Program& program, const Call& call) {
                           scatter_far_first(program, call.topology, call.rank, call.problem.root, own(call), all(call),
                                             call.segment_elements());
                         }}
                   .using_groups(),
               without_counterparts(rows_of(Collective::scatterv)));

}  // namespace

std::span<const Algorithm> scatter_table() { return scatter_rows; }

std::span<const Algorithm> scatterv_table() { return scatterv_rows; }

}  // namespace isthmus
