#include "algorithms/schedule/program.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

#include "algorithms/errors.hpp"
#include "algorithms/memory.hpp"

namespace isthmus {

int Program::add_lane(Lane lane) {
  if (lanes_.size() > std::numeric_limits<std::uint16_t>::max())
    throw std::length_error("a program has 65536 lanes at most");
  lanes_.push_back(lane);
  lane_ = static_cast<std::uint16_t>(lanes_.size() - 1);
  return lane_;
}

void Program::refuse_more() {
  throw BadInput("a rank would have more than " + std::to_string(max_operations) +
                 " operations; larger segments make fewer");
}

void Program::use_lane(int lane) {
  if (lane < 0 || lane >= static_cast<int>(lanes_.size()))
    throw std::out_of_range("lane " + std::to_string(lane) + " of " + std::to_string(lanes_.size()));
  lane_ = static_cast<std::uint16_t>(lane);
}

void ScheduleEstimate::add_rank(std::size_t operations) {
  constexpr std::size_t seldom = std::size_t{1} << 20;
  ++ranks_;
  operations_ += operations;
  largest_ = std::max(largest_, operations);
  if (operations_ < next_look_) return;
  next_look_ = operations_ + seldom;
  // A root may have as many operations as all other ranks together, so that it says nothing about them.
  const double usual = ranks_ > 1 ? static_cast<double>(operations_ - largest_) / (ranks_ - 1) : 0;
  const double more = usual * (size_ - ranks_) * static_cast<double>(bytes_of_operation_);
  require_memory(more,
                 "a schedule of " + std::to_string(size_) + " ranks, most of which have some " +
                     std::to_string(static_cast<std::int64_t>(usual)) + " operations,",
                 "larger segments or fewer ranks would be right");
}

void Program::clear() {
  ops_.clear();
  lanes_.assign(1, Lane{});
  scratch_count_ = 0;
  lane_ = 0;
}

Schedule materialise(int size, const ProgramSource& source) {
  Schedule schedule(size);
  ScheduleEstimate estimate(size, sizeof(Op));
  for (int rank = 0; rank < size; ++rank) {
    source(rank, schedule[rank]);
    estimate.add_rank(schedule[rank].ops().size());
  }
  return schedule;
}

}  // namespace isthmus
