// What all broadcasts along trees share: receive every segment from the parent, pass each on to the children.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "algorithms/collective/algorithm.hpp"
#include "algorithms/schedule/program.hpp"
#include "algorithms/topology/rooted_group.hpp"
#include "algorithms/topology/topology.hpp"
#include "algorithms/topology/tree.hpp"

namespace isthmus {

/// The names of the algorithms that are a tree: linear, chain, k-chain, binary, binomial, k-ary.
std::span<const std::string_view> tree_names();
/// The tree of such a name, with `degree` (0: the default) where its shape has one; nothing for another name.
std::optional<Tree> tree_of(std::string_view name, int degree);
/// The tree for the exchange at a group: that of its level in checked `levels`, outermost first, the last one for all
/// levels further in. Empty: linear between the groups of level 0, where there are any, and binomial everywhere else.
Tree level_tree(const Group& group, std::span<const std::string> levels, int degree);
/// For Algorithm::check: throws BadInput, with the near matches, when a level names no tree.
void check_levels(const Parameters& parameters);

/// Receives the segments of the message from the parent; nothing at the party's root. All are posted ahead of what
/// follows: a posted receive costs nothing, and keeps a large message from waiting for its receiver.
inline void receive_from_parent(Program& program, const RootedGroup& party, Tree tree, Slice message,
                                std::int64_t segment) {
  if (party.is_root()) return;
  const int parent = party.rank(parent_in(tree, party.size(), party.relative_rank()));
  for (const Slice part : split(message, segment)) program.receive(part, parent);
}

/// Sends a part to each child in turn.
inline void send_to_children(Program& program, const RootedGroup& party, Tree tree, Slice part) {
  for_each_child(tree, party.size(), party.relative_rank(), [&](int child) { program.send(part, party.rank(child)); });
}

/// The broadcast along one tree, pipelined by segments.
inline void broadcast_along(Program& program, const RootedGroup& party, Tree tree, Slice message,
                            std::int64_t segment) {
  receive_from_parent(program, party, tree, message, segment);
  for (const Slice part : split(message, segment)) send_to_children(program, party, tree, part);
}

}  // namespace isthmus
