#include "algorithms/allreduce/table.hpp"

#include "algorithms/allreduce/allreduce.hpp"
#include "algorithms/collective/handed_over.hpp"
#include "algorithms/collective/operators.hpp"
#include "algorithms/packed/packed.hpp"

namespace isthmus {

Write allreduce_eco;

namespace {

Slice own(const Call& call) { return input(0, call.problem.count); }
Slice into(const Call& call) { return output(0, call.problem.count); }

constexpr Algorithm table[] = {
    Algorithm{Collective::allreduce, "recursive-doubling", "Thakur et al. 2005, section 8.1",
              "exchange of everything over doubling distances", "",
              [](Program& program, const Call& call) {
                allreduce_recursive_doubling(program, call.topology.size(), call.rank, own(call), into(call));
              }}
        .called({.openmpi = 3, .openmpi_name = "recursive_doubling", .mpich = "recursive_doubling"}),
    Algorithm{Collective::allreduce, "ring", "Patarasu, Yuan 2009", "blocks round the ring, for operators that commute",
              "",
              [](Program& program, const Call& call) {
                allreduce_ring(program, call.topology.size(), call.rank, own(call), into(call));
              },
              nullptr, serves_commutative_only}
        .called({.openmpi = 4, .openmpi_name = "ring", .nccl = "ring"}),
    Algorithm{Collective::allreduce, "segmented-ring", "Open MPI, coll/tuned",
              "the ring, each block in segments, for operators that commute", "segment",
              [](Program& program, const Call& call) {
                allreduce_segmented_ring(program, call.topology.size(), call.rank, own(call), into(call),
                                         call.segment_elements());
              },
              nullptr, serves_commutative_only}
        .called({.openmpi = 5, .openmpi_name = "segmented_ring", .nccl = "ring"}),
    Algorithm{Collective::allreduce, "rabenseifner", "Rabenseifner 2004; Thakur et al. 2005, section 8.2",
              "recursive halving, then recursive doubling", "",
              [](Program& program, const Call& call) {
                allreduce_rabenseifner(program, call.topology.size(), call.rank, own(call), into(call));
              }}
        .called({.openmpi = 6, .openmpi_name = "rabenseifner", .mpich = "reduce_scatter_allgather"}),
    Algorithm{Collective::allreduce, "reduce-broadcast", "Open MPI, coll/tuned (nonoverlapping)",
              "binomial reduction to rank 0, binomial broadcast from it", "segment",
              [](Program& program, const Call& call) {
                allreduce_reduce_broadcast(program, call.topology.size(), call.rank, own(call), into(call),
                                           call.segment_elements());
              }}
        .called({.openmpi = 2, .openmpi_name = "nonoverlapping", .nccl = "tree"}),
    Algorithm{Collective::allreduce, "k-ary", "Kielmann 2000, section 3.1, for allreduce",
              "along a tree of least height for a degree (4 by default) to rank 0 and back, for operators that commute",
              "segment degree",
              [](Program& program, const Call& call) {
                allreduce_k_ary(program, call.topology.size(), call.rank, own(call), into(call),
                                call.segment_elements(), call.degree());
              },
              nullptr, serves_commutative_only}
        .searched_only(),
    Algorithm{Collective::allreduce, "multilevel", "Karonis 2000, section 3",
              "reduction over all levels to rank 0, broadcast from it, pipelined", "segment levels degree merged",
              [](Program& program, const Call& call) {
                allreduce_multilevel(program, call.topology, call.rank, own(call), into(call), call.segment_elements(),
                                     call.problem.commutative, GroupTrees(call.parameters));
              },
              check_trees_or_mpi, serves_in_order_without_levels}
        .using_groups()
        .as_default(),
    Algorithm{Collective::allreduce, "eco", "Lowekamp 1995, section 5",
              "along a tree over subnets to rank 0 and back, a pattern of its own in each", "segment patterns",
              allreduce_eco, check_trees, serves_in_order_without_levels}
        .using_groups(),
    Algorithm{Collective::allreduce, "multilevel-exchange", "in the spirit of Kielmann 2000, section 3",
              "coordinators exchange their groups' sums, all at once: one wide-area latency", "inside",
              [](Program& program, const Call& call) {
                allreduce_multilevel_exchange(program, call.topology, call.rank, own(call), into(call),
                                              call.problem.commutative);
              },
              check_inside, serves_in_order_without_levels}
        .using_groups(),
    Algorithm{Collective::allreduce, "multilevel-shared", "Rabenseifner 2004, between clusters",
              "wide-area traffic shared by all members of a cluster, for long messages", "",
              [](Program& program, const Call& call) {
                allreduce_multilevel_shared(program, call.topology, call.rank, own(call), into(call),
                                            !call.problem.commutative);
              },
              nullptr, serves_in_order_over_contiguous_groups}
        .using_groups(),
    packed_row(Collective::allreduce),
};

}  // namespace

std::span<const Algorithm> allreduce_table() { return table; }

}  // namespace isthmus
