// The multilevel broadcast. Karonis 2000, section 3.1: at every level the message goes from the coordinator of a group
// to the coordinators of the groups inside it, any algorithm at any level; the root takes the place of the coordinator
// in every group around it. Levels follow each other rank by rank, not one after the other everywhere, and with
// segments (which the paper does not have) a coordinator passes each one on, outermost level first, as it comes.
//
// The paper has a binomial tree at every level and expects flatter ones to be better where the latency is high (section
// 5); the default here is linear between the outermost groups and binomial inside, so that no path has two wide-area
// links. With `merged=2` the two outermost levels count as one: a short message then crosses the wide area once for
// each machine, where that is sooner than handing it on inside a site.
//
// Cost, unsegmented: the sum over the levels of the cost of each level's tree.
#include <utility>
#include <vector>

#include "algorithms/broadcast/broadcast.hpp"
#include "algorithms/patterns/tree_broadcast.hpp"
#include "algorithms/topology/exchange.hpp"

namespace isthmus {
void broadcast_multilevel(Program& program, const Topology& topology, int rank, int root, Slice message,
                          std::int64_t segment, std::span<const std::string> levels, int degree) {
  std::vector<std::pair<RootedGroup, Tree>> exchanges;  // outermost first
  for (const int group : groups_coordinated_by(topology, rank, root))
    exchanges.emplace_back(participants_at(topology, group, rank, root),
                           level_tree(topology.group(group), levels, degree));

  // A rank is the root of every exchange but its outermost one, so that this receives once.
  for (const auto& [party, tree] : exchanges) receive_from_parent(program, party, tree, message, segment);
  for (const Slice part : split(message, segment))
    for (const auto& [party, tree] : exchanges) send_to_children(program, party, tree, part);
}

}  // namespace isthmus
