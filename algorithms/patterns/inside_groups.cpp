#include "algorithms/patterns/inside_groups.hpp"

#include <vector>

#include "algorithms/patterns/tree_broadcast.hpp"
#include "algorithms/topology/exchange.hpp"

namespace isthmus {
namespace {

constexpr Tree tree_inside{TreeShape::binomial};

/// The exchanges of a rank inside its outermost group, outermost first.
std::vector<RootedGroup> exchanges_inside(const Topology& topology, int rank) {
  std::vector<RootedGroup> exchanges;
  for (const int group : groups_coordinated_by(topology, rank, 0))
    if (group != 0) exchanges.push_back(participants_at(topology, group, rank, 0));
  return exchanges;
}

}  // namespace

FanIn fan_in_inside(const Topology& topology, int rank) {
  FanIn fan;
  const std::vector<RootedGroup> exchanges = exchanges_inside(topology, rank);
  for (auto exchange = exchanges.rbegin(); exchange != exchanges.rend(); ++exchange) {
    const FanIn here = fan_in_along(tree_inside, *exchange);
    fan.after.insert(fan.after.end(), here.after.begin(), here.after.end());
    fan.parent = here.parent;
  }
  return fan;
}

void broadcast_inside(Program& program, const Topology& topology, int rank, Slice message) {
  const std::vector<RootedGroup> exchanges = exchanges_inside(topology, rank);
  for (const RootedGroup& exchange : exchanges) receive_from_parent(program, exchange, tree_inside, message, 0);
  for (const RootedGroup& exchange : exchanges) send_to_children(program, exchange, tree_inside, message);
}

}  // namespace isthmus
