// The multilevel allreduce for short messages: one wide-area latency, in the spirit of MagPIe (Kielmann 2000, section
// 3). The operands of an outermost group are combined at its coordinator, along binomial trees at every level. The
// coordinators send their sums to each other, all at once; each combines them in the same order, and broadcasts the
// result down the levels of its group. Without groups this is recursive doubling.
//
// With an operator that does not commute, runs of consecutive ranks that share an outermost group replace the groups in
// the reduction: the first rank of each run sends to all coordinators.
//
// Cost for S groups of P_l ranks: 2 ceil(log2 P_l) (L_l + g_l(m)) + L_w + g_w(m) when sends over different wide-area
// links do not disturb each other. Each link between two groups carries m bytes each way.
#include <algorithm>
#include <vector>

#include "algorithms/allreduce/allreduce.hpp"
#include "algorithms/patterns/fan_in.hpp"
#include "algorithms/patterns/inside_groups.hpp"
#include "algorithms/patterns/ordered_fan_in.hpp"

namespace isthmus {
namespace {

FanIn ordered_fan_in(const Topology& topology, int rank) {
  FanIn fan;
  add_ordered_fan_in(fan, topology, 1, run_around(topology, 1, rank), rank);
  return fan;
}

/// The ranks that hold the sum of a group, or of a run, ascending.
std::vector<int> holders(const Topology& topology, bool commutative) {
  std::vector<int> heads;
  if (commutative) {
    const std::span<const int> members = topology.members(0);
    heads.assign(members.begin(), members.end());
  } else {
    for (const Run& run : runs_within(topology, 1, {0, topology.size()})) heads.push_back(run.first);
  }
  return heads;
}

}  // namespace

void allreduce_multilevel_exchange(Program& program, const Topology& topology, int rank, Slice own, Slice into,
                                   bool commutative) {
  if (topology.group(0).children.empty()) {
    allreduce_recursive_doubling(program, topology.size(), rank, own, into);
    return;
  }
  const std::span<const int> coordinators = topology.members(0);
  const bool coordinates = std::binary_search(coordinators.begin(), coordinators.end(), rank);

  const FanIn inside = commutative ? fan_in_inside(topology, rank) : ordered_fan_in(topology, rank);
  const bool holds = inside.parent < 0;
  const bool alone = inside.after.empty();
  const Slice sum = holds && !alone ? program.reserve(own.count) : own;
  combine_along(program, inside, own, sum, 0);

  if (holds) {
    // Receives first, so that a large message need not wait for its receiver.
    FanIn between;
    if (coordinates) {
      for (const int holder : holders(topology, commutative)) {
        if (holder < rank) between.before.push_back(holder);
        if (holder > rank) between.after.push_back(holder);
      }
    }
    const auto send_to_others = [&] {
      for (const int coordinator : coordinators)
        if (coordinator != rank) program.send(sum, coordinator);
    };
    if (coordinates)
      combine_along(program, between, sum, into, 0, send_to_others);
    else
      send_to_others();
  }

  broadcast_inside(program, topology, rank, into);
}

}  // namespace isthmus
