#include "algorithms/scan/table.hpp"

#include <array>

#include "algorithms/collective/algorithm.hpp"
#include "algorithms/packed/packed.hpp"
#include "algorithms/scan/scan.hpp"

namespace isthmus {

Write exscan_eco, exscan_k_ary;

namespace {

Slice own(const Call& call) { return input(0, call.problem.count); }
Slice into(const Call& call) { return output(0, call.problem.count); }

void write_scan_linear(Program& program, const Call& call) {
  scan_linear(program, call.topology.size(), call.rank, own(call), into(call), call.segment_elements());
}
void write_exscan_linear(Program& program, const Call& call) {
  exscan_linear(program, call.topology.size(), call.rank, own(call), into(call), call.segment_elements());
}
void write_exscan_recursive_doubling(Program& program, const Call& call) {
  exscan_recursive_doubling(program, RootedGroup(call.topology.size(), call.rank, 0), own(call), into(call));
}
void write_exscan_multilevel(Program& program, const Call& call) {
  exscan_multilevel(program, call.topology, call.rank, own(call), into(call));
}
/// A scan from an exscan: the own operand is added last.
template <Write exscan>
void and_own(Program& program, const Call& call) {
  exscan(program, call);
  add_own(program, call.rank == 0, own(call), into(call));
}

constexpr auto rows_of(Collective collective, Write& linear, Write& recursive_doubling, Write& multilevel, Write& k_ary,
                       Write& eco) {
  return std::array{
      Algorithm{collective, "linear", "Open MPI, coll/basic", "each rank adds to what the one before it sends",
                "segment", linear}
          .called({.openmpi = 1, .openmpi_name = "linear"}),
      Algorithm{collective, "recursive-doubling", "Kogge, Stone 1973; Hillis, Steele 1986",
                "sums handed on over doubling distances", "", recursive_doubling}
          .called({.openmpi = 2, .openmpi_name = "recursive_doubling", .mpich = "recursive_doubling"}),
      Algorithm{collective, "multilevel", "in the spirit of Kielmann 2000, section 3, and Karonis 2000",
                "groups scan on their own, then learn the sum of those before them: one wide-area latency", "",
                multilevel}
          .using_groups()
          .as_default(),
      Algorithm{collective, "k-ary", "Kielmann 2000, section 3.1, for scan",
                "along a tree of least height for a degree (4 by default) to rank 0 and back", "degree", k_ary}
          .searched_only(),
      Algorithm{collective, "eco", "Lowekamp 1995, section 5",
                "along a tree over subnets to rank 0 and back, a pattern of its own in each", "patterns", eco,
                check_trees}
          .using_groups()
          .searched_only(),
      packed_row(collective)};
}

constexpr auto scan_rows = rows_of(Collective::scan, write_scan_linear, and_own<write_exscan_recursive_doubling>,
                                   and_own<write_exscan_multilevel>, and_own<exscan_k_ary>, and_own<exscan_eco>);
constexpr auto exscan_rows =
    without_counterparts(rows_of(Collective::exscan, write_exscan_linear, write_exscan_recursive_doubling,
                                 write_exscan_multilevel, exscan_k_ary, exscan_eco));

}  // namespace

std::span<const Algorithm> scan_table() { return scan_rows; }

std::span<const Algorithm> exscan_table() { return exscan_rows; }

}  // namespace isthmus
