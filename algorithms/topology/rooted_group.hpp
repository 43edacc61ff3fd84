// A rooted group: the ranks that take part in one exchange, seen from one of them and numbered from its root.
#pragma once

#include <span>

namespace isthmus {

/// Members have relative ranks 0..size-1, starting at the root, in the order of `ranks`, cyclically. Cheap to make;
/// `ranks` must outlive it. Without `ranks` the group is 0..size-1.
class RootedGroup {
 public:
  /// Everybody: ranks 0..size-1.
  RootedGroup(int size, int rank, int root)
      : size_(size), root_(root), root_rank_(root), relative_rank_(rank < root ? rank - root + size : rank - root) {}

  /// The given ranks, ascending; `rank` and `root` must be among them. Throws std::invalid_argument when they are not.
  RootedGroup(std::span<const int> ranks, int rank, int root);

  /// The same, but `root` replaces the member `root_member` (a root replaces the coordinator of its group: Karonis
  /// 2000, section 3.1). `rank` must be `root` or another member; throws as above.
  RootedGroup(std::span<const int> ranks, int rank, int root, int root_member);

  int size() const { return size_; }
  /// The relative rank of this rank: 0 for the root.
  int relative_rank() const { return relative_rank_; }
  bool is_root() const { return relative_rank_ == 0; }
  /// The rank with a relative rank in 0..size-1.
  int rank(int relative) const {
    if (relative == 0) return root_rank_;
    int at = relative + root_;
    if (at >= size_) at -= size_;
    return ranks_.empty() ? at : ranks_[at];
  }

 private:
  std::span<const int> ranks_;
  int size_;
  int root_;       // position of the root among the members
  int root_rank_;  // differs from the member at that position when the root replaces it
  int relative_rank_;
};

}  // namespace isthmus
