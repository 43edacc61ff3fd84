#include "algorithms/packed/path_blocks.hpp"

namespace isthmus {

PathBlocks::PathBlocks(const Problem& problem, const Sites& sites, int size)
    : problem_(problem), sites_(sites), size_(size) {
  if (!is_alltoall(problem.collective))
    blocks_.emplace(problem, size, is_scatter(problem.collective) ? Buffer::input : Buffer::output);
}

int PathBlocks::count(const Ends& ends) const {
  const int sources = sites_.size(ends.first), targets = sites_.size(ends.second);
  if (is_alltoall(problem_.collective)) return sources * targets;
  return is_scatter(problem_.collective) ? targets : sources;
}

std::pair<int, int> PathBlocks::ranks(const Ends& ends, int block) const {
  const auto sources = sites_.members(ends.first), targets = sites_.members(ends.second);
  if (is_scatter(problem_.collective)) return {problem_.root, targets[block]};
  if (!is_alltoall(problem_.collective)) return {sources[block], problem_.root};
  const int source = block % sites_.size(ends.first);
  return {sources[source], targets[(source + block / sites_.size(ends.first)) % sites_.size(ends.second)]};
}

std::int64_t PathBlocks::elements(int from, int to) const {
  if (is_alltoall(problem_.collective)) return block_count(problem_, size_, from, to);
  return blocks_->of(is_scatter(problem_.collective) ? to : from).count;
}

OwnBlocks::OwnBlocks(const Problem& problem, int size, int rank) {
  if (is_alltoall(problem.collective)) {
    exchanged_.emplace(problem, size, rank);
  } else if (is_scatter(problem.collective)) {
    input_.emplace(problem, size, Buffer::input);
    own_ = output(0, input_->of(rank).count);
  } else {
    output_.emplace(problem, size, Buffer::output);
    own_ = input(0, output_->of(rank).count);
  }
}

Slice OwnBlocks::to(int other) const {
  if (exchanged_) return exchanged_->to(other);
  return input_ ? input_->of(other) : own_;
}

Slice OwnBlocks::from(int other) const {
  if (exchanged_) return exchanged_->from(other);
  return output_ ? output_->of(other) : own_;
}

}  // namespace isthmus
