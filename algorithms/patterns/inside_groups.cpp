#include "algorithms/patterns/inside_groups.hpp"

#include <algorithm>
#include <vector>

#include "algorithms/patterns/tree_broadcast.hpp"
#include "algorithms/topology/exchange.hpp"

namespace isthmus {
namespace {

constexpr Tree tree_inside{TreeShape::binomial};

/// The exchanges of a rank inside its outermost group, outermost first.
std::vector<RootedGroup> exchanges_inside(const Topology& topology, int rank) {
  std::vector<RootedGroup> exchanges;
  exchanges.reserve(topology.depth(rank) + 1);
  for_each_group_coordinated_by(topology, rank, 0, [&](int group) {
    if (group != 0) exchanges.push_back(participants_at(topology, group, rank, 0));
  });
  std::ranges::reverse(exchanges);
  return exchanges;
}

}  // namespace

FanIn fan_in_inside(const Topology& topology, int rank) {
  FanIn fan;
  for_each_group_coordinated_by(topology, rank, 0, [&](int group) {
    if (group != 0) continue_along(tree_inside, participants_at(topology, group, rank, 0), fan);
  });
  return fan;
}

void broadcast_inside(Program& program, const Topology& topology, int rank, Slice message) {
  const std::vector<RootedGroup> exchanges = exchanges_inside(topology, rank);
  for (const RootedGroup& exchange : exchanges) receive_from_parent(program, exchange, tree_inside, message, 0);
  for (const RootedGroup& exchange : exchanges) send_to_children(program, exchange, tree_inside, message);
}

}  // namespace isthmus
