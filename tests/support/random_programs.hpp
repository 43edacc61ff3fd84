// Operations of random programs.
#pragma once

#include <functional>
#include <random>

#include "algorithms/schedule/program.hpp"

namespace isthmus::tests {

/// Appends a send, a receive, a copy or a reduction, each as likely. `slice` draws what else it reads; an operand of a
/// reduction may be its result.
inline void append_random_operation(Program& program, std::mt19937& random, const Slice& to,
                                    const std::function<Slice()>& slice) {
  const auto operand = [&] { return random() % 3 == 0 ? to : slice(); };
  switch (random() % 4) {
    case 0:
      program.send(to, 0);
      break;
    case 1:
      program.receive(to, 0);
      break;
    case 2:
      program.copy(to, slice());
      break;
    default: {
      const Slice left = operand();
      program.reduce(to, left, operand());
    }
  }
}

}  // namespace isthmus::tests
