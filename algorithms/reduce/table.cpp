#include "algorithms/reduce/table.hpp"

#include "algorithms/collective/operators.hpp"
#include "algorithms/packed/packed.hpp"
#include "algorithms/reduce/reduce.hpp"

namespace isthmus {

Write reduce_eco;
void reduce_bine(Program& program, const RootedGroup& group, const Reduction& reduction);

namespace {

Reduction reduction(const Call& call) {
  const std::int64_t count = call.problem.count;
  return {input(0, count), output(0, count), call.segment_elements(), call.problem.root};
}

/// All ranks: from the root on if the operator commutes, else from rank 0 on.
RootedGroup everybody(const Call& call) {
  return {call.topology.size(), call.rank, call.problem.commutative ? call.problem.root : 0};
}

/// All ranks: with the root last if the operator commutes, else in order.
RootedGroup everybody_up_to_root(const Call& call) {
  const int size = call.topology.size();
  return {size, call.rank, call.problem.commutative ? (call.problem.root + 1) % size : 0};
}

constexpr Algorithm table[] = {
    Algorithm{Collective::reduce, "flat", "Pjesivac-Grbovic 2005, section 4.2", "everybody sends to the root",
              "segment",
              [](Program& program, const Call& call) {
                reduce_flat(program, call.topology.size(), call.rank, reduction(call));
              }}
        .called({.openmpi = 1, .openmpi_name = "linear"}),
    Algorithm{Collective::reduce, "chain", "Pjesivac-Grbovic 2005, section 4.2 (pipeline)",
              "each rank adds to what the next one sends", "segment",
              [](Program& program, const Call& call) { reduce_chain(program, everybody(call), reduction(call)); }}
        .called({.openmpi = 3, .openmpi_name = "pipeline", .nccl = "ring"}),
    Algorithm{Collective::reduce, "k-chain", "Pjesivac-Grbovic 2005, section 4.1",
              "several chains end at the root (degree of them, 4 by default)", "segment degree",
              [](Program& program, const Call& call) {
                reduce_k_chain(program, everybody(call), reduction(call), call.degree());
              }}
        .called({.openmpi = 2, .openmpi_name = "chain"}),
    Algorithm{Collective::reduce, "binary", "Pjesivac-Grbovic 2005, section 4.2",
              "a complete binary tree, for operators that commute", "segment",
              [](Program& program, const Call& call) { reduce_binary(program, everybody(call), reduction(call)); },
              nullptr, serves_commutative_only}
        .called({.openmpi = 4, .openmpi_name = "binary"}),
    Algorithm{Collective::reduce, "k-ary", "Kielmann 2000, section 3.1, for reduce",
              "the tree of least height for a degree (4 by default), for operators that commute", "segment degree",
              [](Program& program, const Call& call) {
                reduce_k_ary(program, everybody(call), reduction(call), call.degree());
              },
              nullptr, serves_commutative_only}
        .searched_only(),
    Algorithm{Collective::reduce, "in-order-binary", "Open MPI, coll/tuned",
              "a binary tree whose subtrees are consecutive ranks", "segment",
              [](Program& program, const Call& call) {
                reduce_in_order_binary(program, everybody_up_to_root(call), reduction(call));
              }}
        .called({.openmpi = 6, .openmpi_name = "in-order_binary"}),
    Algorithm{Collective::reduce, "binomial", "Pjesivac-Grbovic 2005, section 4.2; MPICH",
              "a binomial tree, the smallest subtree first", "segment",
              [](Program& program, const Call& call) { reduce_binomial(program, everybody(call), reduction(call)); }}
        .called({.openmpi = 5, .openmpi_name = "binomial", .mpich = "binomial"}),
    {Collective::reduce, "bine", "De Sensi et al. 2025 (SC), section 3", "a Bine tree, for operators that commute",
     "segment", [](Program& program, const Call& call) { reduce_bine(program, everybody(call), reduction(call)); },
     nullptr, serves_commutative_only},
    Algorithm{Collective::reduce, "rabenseifner", "Rabenseifner 2004; Thakur et al. 2005, section 7",
              "recursive halving, then a binomial gather of blocks", "",
              [](Program& program, const Call& call) {
                reduce_rabenseifner(program, call.topology.size(), call.rank, reduction(call));
              }}
        .called({.openmpi = 7, .openmpi_name = "rabenseifner", .mpich = "reduce_scatter_gather"}),
    Algorithm{Collective::reduce, "multilevel", "Karonis 2000, section 3",
              "from group to group at every level, any tree at any level", "segment levels degree merged",
              [](Program& program, const Call& call) {
                reduce_multilevel(program, call.topology, call.rank, reduction(call), call.problem.commutative,
                                  GroupTrees(call.parameters));
              },
              check_trees_or_mpi, serves_in_order_without_levels}
        .using_groups(TwoLayerForm::default_levels)
        .as_default(),
    Algorithm{Collective::reduce, "eco", "Lowekamp 1995, section 5",
              "a tree over subnets, a pattern of its own in each", "segment patterns", reduce_eco, check_trees,
              serves_in_order_without_levels}
        .using_groups(),
    Algorithm{Collective::reduce, "multilevel-shared", "Rabenseifner 2004, between clusters",
              "reduce-scatter over all clusters, then all blocks to the root, for long messages", "",
              [](Program& program, const Call& call) {
                reduce_multilevel_shared(program, call.topology, call.rank, reduction(call), !call.problem.commutative);
              },
              nullptr, serves_in_order_over_contiguous_groups}
        .using_groups(),
    Algorithm{Collective::reduce, "multipath", "the reverse of broadcast/multipath",
              "a block over each wide-area link, combined from cluster to cluster, for operators that commute",
              "segment degree",
              [](Program& program, const Call& call) {
                reduce_multipath(program, call.topology, call.rank, reduction(call), call.parameters.degree);
              },
              nullptr, serves_commutative_only}
        .using_groups(),
    packed_row(Collective::reduce),
};

}  // namespace

std::span<const Algorithm> reduce_table() { return table; }

}  // namespace isthmus
