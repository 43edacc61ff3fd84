#include "algorithms/topology/rooted_group.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace isthmus {
namespace {

int position_of(std::span<const int> ranks, int rank) {
  // Fast path: most groups are consecutive ranks, and a million programs look up a rank in the same group.
  if (!ranks.empty() && rank >= ranks.front() && rank - ranks.front() < std::ssize(ranks) &&
      ranks[rank - ranks.front()] == rank)
    return rank - ranks.front();
  const auto found = std::lower_bound(ranks.begin(), ranks.end(), rank);
  if (found == ranks.end() || *found != rank)
    throw std::invalid_argument("rank " + std::to_string(rank) + " is not in a group of " +
                                std::to_string(ranks.size()) + " ranks");
  return static_cast<int>(found - ranks.begin());
}

}  // namespace

RootedGroup::RootedGroup(std::span<const int> ranks, int rank, int root) : RootedGroup(ranks, rank, root, root) {}

RootedGroup::RootedGroup(std::span<const int> ranks, int rank, int root, int root_member)
    : ranks_(ranks), size_(static_cast<int>(ranks.size())), root_(position_of(ranks, root_member)), root_rank_(root) {
  const int self = rank == root ? root_ : position_of(ranks, rank);
  if (rank != root && self == root_)
    throw std::invalid_argument("rank " + std::to_string(rank) + " has given its place to the root " +
                                std::to_string(root));
  relative_rank_ = self < root_ ? self - root_ + size_ : self - root_;
}

}  // namespace isthmus
