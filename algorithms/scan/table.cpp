#include "algorithms/scan/table.hpp"

#include "algorithms/packed/packed.hpp"
#include "algorithms/scan/scan.hpp"

namespace isthmus {

Write exscan_eco, exscan_k_ary, scan_eco, scan_k_ary;

namespace {

Slice own(const Call& call) { return input(0, call.problem.count); }
Slice into(const Call& call) { return output(0, call.problem.count); }

constexpr Algorithm scan_rows[] = {
    Algorithm{Collective::scan, "linear", "Open MPI, coll/basic", "each rank adds to what the one before it sends",
              "segment",
              [](Program& program, const Call& call) {
                scan_linear(program, call.topology.size(), call.rank, own(call), into(call), call.segment_elements());
              }}
        .called({.openmpi = 1, .openmpi_name = "linear"}),
    Algorithm{Collective::scan, "recursive-doubling", "Kogge, Stone 1973; Hillis, Steele 1986",
              "sums handed on over doubling distances", "",
              [](Program& program, const Call& call) {
                exscan_recursive_doubling(program, RootedGroup(call.topology.size(), call.rank, 0), own(call),
                                          into(call));
                add_own(program, call.rank == 0, own(call), into(call));
              }}
        .called({.openmpi = 2, .openmpi_name = "recursive_doubling", .mpich = "recursive_doubling"}),
    Algorithm{Collective::scan, "multilevel", "in the spirit of Kielmann 2000, section 3, and Karonis 2000",
              "groups scan on their own, then learn the sum of those before them: one wide-area latency", "",
              [](Program& program, const Call& call) {
                exscan_multilevel(program, call.topology, call.rank, own(call), into(call));
                add_own(program, call.rank == 0, own(call), into(call));
              }}
        .using_groups()
        .as_default(),
    Algorithm{Collective::scan, "k-ary", "Kielmann 2000, section 3.1, for scan",
              "along a tree of least height for a degree (4 by default) to rank 0 and back", "degree", scan_k_ary}
        .compared_only(),
    Algorithm{Collective::scan, "eco", "Lowekamp 1995, section 5",
              "along a tree over subnets to rank 0 and back, a pattern of its own in each", "patterns", scan_eco,
              check_trees}
        .using_groups()
        .compared_only(),
    packed_row(Collective::scan),
};

constexpr Algorithm exscan_rows[] = {
    {Collective::exscan, "linear", "Open MPI, coll/basic", "each rank adds to what the one before it sends", "segment",
     [](Program& program, const Call& call) {
       exscan_linear(program, call.topology.size(), call.rank, own(call), into(call), call.segment_elements());
     }},
    {Collective::exscan, "recursive-doubling", "Kogge, Stone 1973; Hillis, Steele 1986",
     "sums handed on over doubling distances", "",
     [](Program& program, const Call& call) {
       exscan_recursive_doubling(program, RootedGroup(call.topology.size(), call.rank, 0), own(call), into(call));
     }},
    Algorithm{Collective::exscan, "multilevel", "in the spirit of Kielmann 2000, section 3, and Karonis 2000",
              "groups scan on their own, then learn the sum of those before them: one wide-area latency", "",
              [](Program& program, const Call& call) {
                exscan_multilevel(program, call.topology, call.rank, own(call), into(call));
              }}
        .using_groups()
        .as_default(),
    Algorithm{Collective::exscan, "k-ary", "Kielmann 2000, section 3.1, for scan",
              "along a tree of least height for a degree (4 by default) to rank 0 and back", "degree", exscan_k_ary}
        .compared_only(),
    Algorithm{Collective::exscan, "eco", "Lowekamp 1995, section 5",
              "along a tree over subnets to rank 0 and back, a pattern of its own in each", "patterns", exscan_eco,
              check_trees}
        .using_groups()
        .compared_only(),
    packed_row(Collective::exscan),
};

}  // namespace

std::span<const Algorithm> scan_table() { return scan_rows; }

std::span<const Algorithm> exscan_table() { return exscan_rows; }

}  // namespace isthmus
