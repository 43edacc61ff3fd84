#include "algorithms/broadcast/table.hpp"

#include "algorithms/broadcast/broadcast.hpp"
#include "algorithms/packed/packed.hpp"
#include "algorithms/patterns/group_trees.hpp"

namespace isthmus {

Write broadcast_bine, broadcast_eco;

namespace {

RootedGroup everybody(const Call& call) { return {call.topology.size(), call.rank, call.problem.root}; }
Slice message(const Call& call) { return output(0, call.problem.count); }

constexpr Algorithm table[] = {
    Algorithm{Collective::broadcast, "linear", "Pjesivac-Grbovic 2005, section 4.2",
              "the root sends to every rank in turn", "segment",
              [](Program& program, const Call& call) {
                broadcast_linear(program, everybody(call), message(call), call.segment_elements());
              }}
        .called({.openmpi = 1, .openmpi_name = "basic_linear"}),
    Algorithm{Collective::broadcast, "chain", "Pjesivac-Grbovic 2005, section 4.2 (pipeline)",
              "each rank passes on to the next", "segment",
              [](Program& program, const Call& call) {
                broadcast_chain(program, everybody(call), message(call), call.segment_elements());
              }}
        .called({.openmpi = 3, .openmpi_name = "pipeline", .nccl = "ring"}),
    Algorithm{Collective::broadcast, "k-chain", "Pjesivac-Grbovic 2005, section 4.1",
              "the root feeds several chains (degree of them, 4 by default)", "segment degree",
              [](Program& program, const Call& call) {
                broadcast_k_chain(program, everybody(call), message(call), call.segment_elements(), call.degree());
              }}
        .called({.openmpi = 2, .openmpi_name = "chain"}),
    Algorithm{Collective::broadcast, "binary", "Pjesivac-Grbovic 2005, section 4.2", "a complete binary tree",
              "segment",
              [](Program& program, const Call& call) {
                broadcast_binary(program, everybody(call), message(call), call.segment_elements());
              }}
        .called({.openmpi = 5, .openmpi_name = "binary_tree"}),
    Algorithm{Collective::broadcast, "binomial", "Pjesivac-Grbovic 2005, section 4.2; MPICH",
              "a binomial tree, the most distant child first", "segment",
              [](Program& program, const Call& call) {
                broadcast_binomial(program, everybody(call), message(call), call.segment_elements());
              }}
        .called({.openmpi = 6, .openmpi_name = "binomial", .mpich = "binomial"}),
    {Collective::broadcast, "bine", "De Sensi et al. 2025 (SC), section 3",
     "a binomial tree over numbers in base -2, whose messages cover shorter distances", "segment", broadcast_bine},
    {Collective::broadcast, "k-ary", "Kielmann 2000, section 3.1",
     "the tree of least height for a degree (4 by default)", "segment degree",
     [](Program& program, const Call& call) {
       broadcast_k_ary(program, everybody(call), message(call), call.segment_elements(), call.degree());
     }},
    Algorithm{Collective::broadcast, "splitted-binary", "Pjesivac-Grbovic 2005, section 4.2",
              "each half of the message down one half of a binary tree, then partners exchange", "segment",
              [](Program& program, const Call& call) {
                broadcast_splitted_binary(program, everybody(call), message(call), call.segment_elements());
              }}
        .called({.openmpi = 4, .openmpi_name = "split_binary_tree"}),
    Algorithm{Collective::broadcast, "scatter-allgather",
              "Barnett et al. 1994 (van de Geijn); Thakur et al. 2005, section 5",
              "binomial scatter of blocks, then round a ring", "segment",
              [](Program& program, const Call& call) {
                broadcast_scatter_allgather(program, everybody(call), message(call), call.segment_elements());
              }}
        .called({.openmpi = 9, .openmpi_name = "scatter_allgather_ring", .mpich = "scatter_ring_allgather"}),
    Algorithm{Collective::broadcast, "magpie", "Kielmann 2000, section 3 (the original)",
              "whole messages to one coordinator after the other, then binomial inside the clusters", "",
              [](Program& program, const Call& call) {
                broadcast_magpie(program, call.topology, call.rank, call.problem.root, message(call));
              }}
        .using_groups(TwoLayerForm::unpipelined),
    Algorithm{Collective::broadcast, "kielmann", "Kielmann 2000, section 3.2",
              "pipelined trees over coordinators and inside clusters", "segment wan-degree lan-degree",
              [](Program& program, const Call& call) {
                broadcast_kielmann(program, call.topology, call.rank, call.problem.root, message(call),
                                   call.segment_elements(), call.parameters.wan_degree, call.parameters.lan_degree);
              }}
        .using_groups(TwoLayerForm::pipelined),
    Algorithm{Collective::broadcast, "multilevel", "Karonis 2000, section 3.1",
              "from coordinator to coordinators at every level, any tree at any level", "segment levels degree merged",
              [](Program& program, const Call& call) {
                broadcast_multilevel(program, call.topology, call.rank, call.problem.root, message(call),
                                     call.segment_elements(), GroupTrees(call.parameters));
              },
              check_trees_or_mpi}
        .using_groups()
        .as_default(),
    Algorithm{Collective::broadcast, "eco", "Lowekamp 1995, section 4",
              "a tree over subnets, a pattern of its own in each", "segment patterns", broadcast_eco, check_trees}
        .using_groups(),
    Algorithm{Collective::broadcast, "multipath", "Barnett et al. 1994, between clusters; Kielmann 2000, section 3.2",
              "a block over each wide-area link, handed on from cluster to cluster, for long messages",
              "segment degree",
              [](Program& program, const Call& call) {
                broadcast_multipath(program, call.topology, call.rank, call.problem.root, message(call),
                                    call.segment_elements(), call.parameters.degree);
              }}
        .using_groups()
        .for_many_sites_only(),
    packed_row(Collective::broadcast),
};

}  // namespace

std::span<const Algorithm> broadcast_table() { return table; }

}  // namespace isthmus
