// Broadcast along a tree: a rank receives every segment from its parent and sends each to its children.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "algorithms/collective/algorithm.hpp"
#include "algorithms/schedule/program.hpp"
#include "algorithms/topology/rooted_group.hpp"
#include "algorithms/topology/tree.hpp"

namespace isthmus {

/// The names of the algorithms that are a tree: linear, chain, k-chain, binary, binomial, k-ary.
std::span<const std::string_view> tree_names();
/// The tree of such a name, with `degree` (0: the default) if its shape has one; no value for another name. `k-ary-3`
/// and `k-chain-3` have a degree of their own.
std::optional<Tree> tree_of(std::string_view name, int degree);

/// Receives the segments of the message from the parent; does nothing at the root. All receives are posted before other
/// operations: a posted receive costs nothing, and a large message then need not wait for its receiver.
inline void receive_from_parent(Program& program, const RootedGroup& group, Tree tree, Slice message,
                                std::int64_t segment) {
  if (group.is_root()) return;
  const int parent = group.rank(parent_in(tree, group.size(), group.relative_rank()));
  for (const Slice part : split(message, segment)) program.receive(part, parent);
}

/// Sends a part to each child in turn.
inline void send_to_children(Program& program, const RootedGroup& group, Tree tree, Slice part) {
  for_each_child(tree, group.size(), group.relative_rank(), [&](int child) { program.send(part, group.rank(child)); });
}

/// The broadcast along one tree, pipelined by segments.
inline void broadcast_along(Program& program, const RootedGroup& group, Tree tree, Slice message,
                            std::int64_t segment) {
  receive_from_parent(program, group, tree, message, segment);
  for (const Slice part : split(message, segment)) send_to_children(program, group, tree, part);
}

}  // namespace isthmus
