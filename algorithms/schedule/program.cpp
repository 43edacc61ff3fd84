#include "algorithms/schedule/program.hpp"

#include <limits>
#include <stdexcept>
#include <string>

namespace isthmus {

int Program::add_lane(Lane lane) {
  if (lanes_.size() > std::numeric_limits<std::uint16_t>::max())
    throw std::length_error("a program has 65536 lanes at most");
  lanes_.push_back(lane);
  lane_ = static_cast<std::uint16_t>(lanes_.size() - 1);
  return lane_;
}

void Program::use_lane(int lane) {
  if (lane < 0 || lane >= static_cast<int>(lanes_.size()))
    throw std::out_of_range("lane " + std::to_string(lane) + " of " + std::to_string(lanes_.size()));
  lane_ = static_cast<std::uint16_t>(lane);
}

void Program::clear() {
  ops_.clear();
  lanes_.assign(1, Lane{});
  scratch_count_ = 0;
  lane_ = 0;
}

Schedule materialise(int size, const ProgramSource& source) {
  Schedule schedule(size);
  for (int rank = 0; rank < size; ++rank) source(rank, schedule[rank]);
  return schedule;
}

}  // namespace isthmus
