#include "algorithms/gather/table.hpp"

#include <array>

#include "algorithms/collective/algorithm.hpp"
#include "algorithms/gather/gather.hpp"
#include "algorithms/packed/packed.hpp"

namespace isthmus {

Write gather_eco;

namespace {

Slice own(const Call& call) { return input(0, block_count(call.problem, call.rank)); }
Blocks all(const Call& call) { return {call.problem, call.topology.size(), Buffer::output}; }

void check_sizes_known(const Topology&, const Problem& problem, const Parameters&) { check_counts_known(problem); }

// In MPI only the root knows the sizes of all blocks of a gatherv, so that other ranks cannot forward blocks. Sent
// directly, each byte crosses one wide-area link at most. The other rows are for calls in which all sizes are known.
constexpr auto rows_of(Collective collective) {
  return std::array{
      Algorithm{collective, "linear", "Open MPI, coll/basic", "every rank sends its block straight to the root",
                "segment",
                [](Program& program, const Call& call) {
                  gather_linear(program, call.topology.size(), call.rank, call.problem.root, own(call), all(call),
                                call.segment_elements());
                }}
          .called({.openmpi = 1, .openmpi_name = "basic_linear"}),
      Algorithm{collective, "binomial", "Thakur et al. 2005, section 4; MPICH", "subtrees double from step to step",
                "segment",
                [](Program& program, const Call& call) {
                  gather_binomial(program, call.topology.size(), call.rank, call.problem.root, own(call), all(call),
                                  call.segment_elements());
                },
                nullptr, check_sizes_known}
          .called({.openmpi = 2, .openmpi_name = "binomial", .mpich = "binomial"}),
      Algorithm{collective, "k-ary", "Kielmann 2000, section 3.1, for gather",
                "the tree of least height for a degree (4 by default)", "segment degree",
                [](Program& program, const Call& call) {
                  gather_k_ary(program, call.topology.size(), call.rank, call.problem.root, own(call), all(call),
                               call.segment_elements(), call.degree());
                },
                nullptr, check_sizes_known}
          .searched_only(),
      Algorithm{collective, "multilevel", "Karonis 2000, section 3.1, for gather",
                "from group to group at every level, any tree at any level", "segment levels degree merged",
                [](Program& program, const Call& call) {
                  gather_multilevel(program, call.topology, call.rank, call.problem.root, own(call), all(call),
                                    call.segment_elements(), GroupTrees(call.parameters));
                },
                check_trees, check_sizes_known}
          .using_groups(TwoLayerForm::default_levels)
          .as_default(),
      Algorithm{collective, "eco", "Lowekamp 1995, section 5", "a tree over subnets, a pattern of its own in each",
                "segment patterns", gather_eco, check_trees, check_sizes_known}
          .using_groups(),
      packed_row(collective)};
}

constexpr auto gather_rows = rows_of(Collective::gather);
constexpr auto gatherv_rows = without_counterparts(rows_of(Collective::gatherv));

}  // namespace

std::span<const Algorithm> gather_table() { return gather_rows; }

std::span<const Algorithm> gatherv_table() { return gatherv_rows; }

}  // namespace isthmus
