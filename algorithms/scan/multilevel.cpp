// The multilevel scan, in the spirit of MagPIe (Kielmann 2000, section 3) and of Karonis 2000 for any depth. At every
// level each group first scans on its own; then its last rank holds the group's sum. The last ranks of the groups send
// these sums to the last ranks of all later groups: directly between the outermost groups, so that no sum crosses two
// wide-area links, and by recursive doubling further inside. Each last rank broadcasts the sum of all groups before its
// own inside its group, along binomial trees.
//
// Prefixes follow the order of ranks, so that groups must consist of consecutive ranks. If an outermost group does not,
// the coordinators exchange all operands (interleaved.cpp). An inner group with a child whose ranks are not consecutive
// is treated as if it had no children.
//
// Cost for S groups of P_l ranks: ceil(log2 P_l) (L_l + g_l(m)) for the groups' scans, L_w + (S - 1) g_w(m) between
// them, and ceil(log2 P_l) (L_l + g_l(m)) down again. Each wide-area link to a later group carries m bytes.
#include <algorithm>
#include <vector>

#include "algorithms/patterns/tree_broadcast.hpp"
#include "algorithms/scan/scan.hpp"
#include "algorithms/topology/clusters.hpp"
#include "algorithms/topology/exchange.hpp"

namespace isthmus {
namespace {

constexpr Tree binomial{TreeShape::binomial};

/// A broadcast from a rank of the group to all others, over all levels inside it.
void broadcast_inside(Program& program, const Topology& topology, int group, int rank, int root, Slice message) {
  std::vector<RootedGroup> exchanges;  // outermost first
  for (const int inside : groups_coordinated_by(topology, rank, root))
    if (topology.group(inside).level >= topology.group(group).level)
      exchanges.push_back(participants_at(topology, inside, rank, root));
  for (const RootedGroup& exchange : exchanges) receive_from_parent(program, exchange, binomial, message, 0);
  for (const RootedGroup& exchange : exchanges) send_to_children(program, exchange, binomial, message);
}

/// Every member sends to all later members at once. Does not write `into` of the first member.
void exscan_direct(Program& program, const std::vector<int>& ranks, int place, Slice own, Slice into) {
  std::vector<Slice> before;
  for (int other = 0; other < place; ++other) {
    before.push_back(place == 1 ? into : program.reserve(own.count));
    program.receive(before.back(), ranks[other]);
  }
  for (std::size_t later = place + 1; later < ranks.size(); ++later) program.send(own, ranks[later]);
  for (int other = 1; other < place; ++other)
    program.reduce(other + 1 == place ? into : before[0], before[0], before[other]);
}

/// The exclusive scan over a group of consecutive ranks; `into` of its first rank is not written.
void exscan_over(Program& program, const Topology& topology, int number, int rank, Slice own, Slice into) {
  const Group& group = topology.group(number);
  if (group.children.empty() || !has_contiguous_children(topology, number)) {
    exscan_recursive_doubling(program, RootedGroup(group.ranks, rank, group.ranks.front()), own, into);
    return;
  }
  // The children and the ranks in no child, in the order of their first ranks.
  const std::span<const int> firsts = topology.members(number);
  const int units = static_cast<int>(firsts.size());
  const int unit = static_cast<int>(std::upper_bound(firsts.begin(), firsts.end(), rank) - firsts.begin()) - 1;
  const int child = topology.group_at(rank, group.level + 1);
  const bool in_child = child != number;
  if (in_child) exscan_over(program, topology, child, rank, own, into);
  if (units == 1) return;

  std::vector<int> lasts;
  for (int next = 1; next < units; ++next) lasts.push_back(firsts[next] - 1);
  lasts.push_back(group.ranks.back());
  const bool first = rank == firsts[unit];
  const Slice offset = unit > 0 ? (first ? into : program.reserve(own.count)) : Slice{};
  if (rank == lasts[unit]) {
    Slice sum = own;
    if (!first && unit + 1 < units) {
      sum = program.reserve(own.count);
      program.reduce(sum, into, own);
    }
    if (group.level == 0)
      exscan_direct(program, lasts, unit, sum, offset);
    else
      exscan_recursive_doubling(program, RootedGroup(lasts, rank, lasts.front()), sum, offset);
  }
  if (unit == 0) return;
  if (in_child) broadcast_inside(program, topology, child, rank, lasts[unit], offset);
  if (!first) program.reduce(into, offset, into);
}

}  // namespace

void exscan_multilevel(Program& program, const Topology& topology, int rank, Slice own, Slice into) {
  if (has_contiguous_children(topology, 0))
    exscan_over(program, topology, 0, rank, own, into);
  else
    exscan_interleaved(program, topology, rank, own, into);
}

}  // namespace isthmus
