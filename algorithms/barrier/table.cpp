#include "algorithms/barrier/table.hpp"

#include "algorithms/barrier/barrier.hpp"
#include "algorithms/collective/handed_over.hpp"
#include "algorithms/packed/packed.hpp"
#include "algorithms/patterns/group_trees.hpp"

namespace isthmus {

Write barrier_eco;

namespace {

constexpr Slice own = {Buffer::input, 0, 1};
constexpr Slice into = {Buffer::output, 0, 1};

constexpr Algorithm table[] = {
    Algorithm{
        Collective::barrier, "flat", "Pjesivac-Grbovic 2005, section 4.2",
        "everybody reports to rank 0, which releases all", "",
        [](Program& program, const Call& call) { barrier_flat(program, call.topology.size(), call.rank, own, into); }}
        .called({.openmpi = 1, .openmpi_name = "linear"}),
    Algorithm{Collective::barrier, "double-ring", "Pjesivac-Grbovic 2005, section 4.2",
              "a token goes round the ring twice", "",
              [](Program& program, const Call& call) {
                barrier_double_ring(program, call.topology.size(), call.rank, own, into);
              }}
        .called({.openmpi = 2, .openmpi_name = "double_ring"}),
    Algorithm{Collective::barrier, "recursive-doubling", "Pjesivac-Grbovic 2005, section 4.2",
              "exchange over doubling distances", "",
              [](Program& program, const Call& call) {
                barrier_recursive_doubling(program, call.topology.size(), call.rank, own, into);
              }}
        .called({.openmpi = 3, .openmpi_name = "recursive_doubling"}),
    Algorithm{Collective::barrier, "dissemination", "Hensgen et al. 1988; Pjesivac-Grbovic 2005, section 4.2 (Bruck)",
              "round the ring over doubling distances, for any number of ranks", "",
              [](Program& program, const Call& call) {
                barrier_dissemination(program, call.topology.size(), call.rank, own, into);
              }}
        .called({.openmpi = 4, .openmpi_name = "bruck", .mpich = "dissemination"}),
    Algorithm{Collective::barrier, "k-ary", "Kielmann 2000, section 3.1, for barrier",
              "fan-in and fan-out along a tree of least height for a degree (4 by default)", "degree",
              [](Program& program, const Call& call) {
                barrier_k_ary(program, call.topology.size(), call.rank, own, into, call.degree());
              }}
        .searched_only(),
    Algorithm{
        Collective::barrier, "multilevel", "Karonis 2000, section 3; Kielmann 2000, section 3",
        "fan-in, coordinators tell each other at once, fan-out: one wide-area latency", "inside",
        [](Program& program, const Call& call) { barrier_multilevel(program, call.topology, call.rank, own, into); },
        check_inside}
        .using_groups(TwoLayerForm::default_levels)
        .as_default(),
    Algorithm{Collective::barrier, "eco", "Lowekamp 1995, section 5",
              "fan-in and fan-out along a tree over subnets, a pattern of its own in each", "patterns", barrier_eco,
              check_trees}
        .using_groups()
        .searched_only(),
    packed_row(Collective::barrier),
};

}  // namespace

std::span<const Algorithm> barrier_table() { return table; }

}  // namespace isthmus
