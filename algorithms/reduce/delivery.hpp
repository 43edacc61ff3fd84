// Reductions whose sum comes together at one rank and is wanted at another.
#pragma once

#include "algorithms/patterns/fan_in.hpp"
#include "algorithms/reduce/reduce.hpp"

namespace isthmus {

/// Combines along `fan`, whose sum comes together at `top`, which passes each segment on to the receiver.
inline void combine_and_deliver(Program& program, int rank, FanIn fan, int top, const Reduction& reduction) {
  if (reduction.receiver != top) {
    if (rank == top) fan.parent = reduction.receiver;
    if (rank == reduction.receiver)
      for (const Slice part : split(reduction.into, reduction.segment)) program.receive(part, top);
  }
  combine(program, fan, reduction.own, reduction.into, reduction.segment);
}

/// Combines along a tree over the party.
inline void reduce_along(Program& program, const RootedGroup& party, Tree tree, const Reduction& reduction) {
  combine_and_deliver(program, party.rank(party.relative_rank()), fan_in_along(tree, party), party.rank(0), reduction);
}

}  // namespace isthmus
