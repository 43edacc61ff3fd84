// Reductions along a tree whose top may differ from the receiver.
#pragma once

#include "algorithms/patterns/fan_in.hpp"
#include "algorithms/reduce/reduce.hpp"

namespace isthmus {

/// Combines along `fan`, whose sum ends at `top`. If the receiver is another rank, `top` forwards each segment to it.
inline void combine_and_deliver(Program& program, int rank, FanIn fan, int top, const Reduction& reduction) {
  if (reduction.receiver != top) {
    if (rank == top) fan.parent = reduction.receiver;
    if (rank == reduction.receiver)
      for (const Slice part : split(reduction.into, reduction.segment)) program.receive(part, top);
  }
  combine_along(program, fan, reduction.own, reduction.into, reduction.segment);
}

/// Combines along a tree over the group.
inline void reduce_along(Program& program, const RootedGroup& group, Tree tree, const Reduction& reduction) {
  combine_and_deliver(program, group.rank(group.relative_rank()), fan_in_along(tree, group), group.rank(0), reduction);
}

}  // namespace isthmus
