// Who can send messages to whom directly, and on which ways everybody else is reached.
//
// Ranks from and to which the same ranks have routes are one class; there are few classes even of many ranks.
#pragma once

#include <span>
#include <utility>
#include <vector>

namespace isthmus {

class Connectivity {
 public:
  /// Everybody reaches everybody.
  Connectivity() = default;
  /// `class_of_rank` counts from 0 without gaps; `direct[from * classes + to]` is not 0 where there is a route. The
  /// members of a class reach each other. Complete if all classes reach each other.
  Connectivity(std::vector<int> class_of_rank, std::vector<char> direct);

  bool complete() const { return class_of_rank_.empty(); }
  bool direct(int from_rank, int to_rank) const {
    return complete() || direct_[class_of_rank_[from_rank] * members_.size() + class_of_rank_[to_rank]] != 0;
  }

  /// Directly, or by others that relay.
  bool reaches(int from_rank, int to_rank) const {
    if (complete() || class_of(from_rank) == class_of(to_rank)) return true;
    return next_[class_of(from_rank) * members_.size() + class_of(to_rank)] >= 0;
  }

  /// Not of a complete one:
  int classes() const { return static_cast<int>(members_.size()); }
  int class_of(int rank) const { return class_of_rank_[rank]; }
  std::span<const int> members(int number) const { return members_[number]; }
  /// The classes between two ranks, in order, on one of the ways with the fewest messages; empty where the route is
  /// direct. Classes with more members are preferred, since these share the load. Throws BadInput where no ranks can
  /// relay.
  std::vector<int> classes_between(int from_rank, int to_rank) const;
  /// A pair of ranks that no others can relay for, or {-1, -1}.
  std::pair<int, int> unreachable() const;

 private:
  std::vector<int> class_of_rank_;         // empty: complete
  std::vector<char> direct_;               // from * classes + to
  std::vector<std::vector<int>> members_;  // by class
  std::vector<int> next_;                  // from * classes + to: the next class on the way; -1: none
};

}  // namespace isthmus
