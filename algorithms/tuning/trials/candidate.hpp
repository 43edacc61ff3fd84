// What a search for a plan finds.
#pragma once

#include <cstdint>

#include "algorithms/collective/algorithm.hpp"

namespace isthmus {

/// A plan with its time by replay, from the common start to the last rank's end, and the messages of its schedule.
struct Candidate {
  Plan plan;
  double seconds = 0;
  std::int64_t messages = 0;
  std::int64_t bytes = 0;  ///< of all messages
};

/// A plan with its time by any model.
struct Choice {
  Plan plan;
  double seconds = 0;
};

enum class Search : std::uint8_t {
  algorithm_alone,  ///< as choice_alone, but takes packings as they are made: if one of them is the choice already, so
                    ///< it is for choice_alone, with parameters that are not worse
  choice_alone,     ///< leaves out what cannot be the choice as soon as that is known: the others may lack
  best_of_each,     ///< as choice, but leaves out what cannot be the best of its algorithm as soon as that is known
  choice,           ///< leaves out parameters that cannot make an algorithm as quick as the best plan
  every_algorithm,  ///< each algorithm at its best, as if it were named alone; many times as long
};

}  // namespace isthmus
