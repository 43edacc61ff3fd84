// The multilevel broadcast. Karonis 2000, section 3.1: at every level the message goes from the coordinator of a group
// to the coordinators of the groups inside it, by any algorithm at any level. The root is the coordinator of every
// group that contains it. A rank starts the next level as soon as its part of the level is done; there is no
// synchronisation between levels. With segments (which the paper does not have) a coordinator forwards each segment
// when it arrives, outermost level first.
//
// The paper has a binomial tree at every level and expects flatter ones to be better where the latency is high (section
// 5); the default here is linear between the outermost groups and binomial inside, so that no path has two wide-area
// links. With `merged=2` the two outermost levels count as one: a short message then crosses the wide area once for
// each machine, which can be quicker than forwarding it inside a site.
//
// Cost, unsegmented: the sum over the levels of the cost of each level's tree.
#include <algorithm>
#include <utility>
#include <vector>

#include "algorithms/broadcast/broadcast.hpp"
#include "algorithms/patterns/tree_broadcast.hpp"
#include "algorithms/topology/exchange.hpp"

namespace isthmus {
void broadcast_multilevel(Program& program, const Topology& topology, int rank, int root, Slice message,
                          std::int64_t segment, const GroupTrees& trees) {
  std::vector<std::pair<RootedGroup, Tree>> exchanges;  // outermost first
  exchanges.reserve(topology.depth(rank) + 1);
  for_each_group_coordinated_by(topology, rank, root, [&](int group) {
    exchanges.emplace_back(participants_at(topology, group, rank, root), trees.at(topology, group));
  });
  std::ranges::reverse(exchanges);

  // A rank is the root of all its exchanges except the outermost one, so that it receives in one exchange only.
  for (const auto& [exchange, tree] : exchanges) receive_from_parent(program, exchange, tree, message, segment);
  for (const Slice part : split(message, segment))
    for (const auto& [exchange, tree] : exchanges) send_to_children(program, exchange, tree, part);
}

}  // namespace isthmus
