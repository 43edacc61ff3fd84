// Dependencies between the operations of one rank, derived from what they read and write; nobody writes them by hand.
//
// Operation i comes after an earlier operation j of the same program when for some element of a buffer
//   - i reads the element and j is the last before i to write it, or
//   - i writes the element and j is the last before i to write it, or
//   - i writes the element and j reads it, with no other write of it between the two.
// Lanes do not matter here: they determine when an operation is issued, not what it needs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "algorithms/schedule/program.hpp"

namespace isthmus {

/// For every operation of a program, the operations that must complete before it may start. The object keeps its memory
/// between calls of derive(), so that one object can serve a million programs.
class Dependencies {
 public:
  /// Operations that `op` comes after: ascending, each once, all below `op`.
  std::span<const int> after(int op) const { return {after_.data() + begin_[op], begin_[op + 1] - begin_[op]}; }

  /// How many operations, and how many pairs in all.
  int size() const { return begin_.empty() ? 0 : static_cast<int>(begin_.size()) - 1; }
  std::size_t pairs() const { return after_.size(); }

  /// Removes the dependency of `op` on `other`, if there is one. For tests that plant mistakes.
  void remove(int op, int other);

 private:
  friend void derive(const Program& program, Dependencies& out);

  /// A run of consecutive cells with one history: the last writer, and a list of the readers since.
  struct Run {
    int end = 0;
    int writer = -1;
    int readers = -1;  ///< head of a list in `readers_`
  };
  struct Reader {
    int op;
    int next;
  };

  void derive_tiny(std::span<const Op> ops);
  void derive_any(std::span<const Op> ops);
  void look_back(std::span<const Op> ops, int op, int before, Slice slice, bool writing);
  void make_cells(std::span<const Op> ops);
  bool is_near_found(int buffer, std::int64_t bound);  ///< if so, moves found_ to it
  bool find(int buffer, std::int64_t bound);           ///< the same with a search; the bounds must be in order
  void index_bounds(int buffer);
  int cell_of(int buffer, std::int64_t bound);  ///< of a bound that is there
  void mark(int cell);
  void unmark(int cell);
  int marked_at_or_below(int cell) const;
  void split_at(int cell);
  template <class Visit>
  void for_each_run(const Slice& slice, Visit visit);
  void add(int op, int other);
  void finish(int op);

  std::vector<std::size_t> begin_;
  std::vector<int> after_;

  // Workspace of derive().
  std::vector<std::int64_t> bounds_[3];  // by buffer: the ends of all slices, ascending, each once
  std::size_t found_[3] = {};            // by buffer: the index in bounds_ that was found last
  struct Index {
    int shift = 0;
    std::vector<std::uint32_t> first;  ///< by part of the range: its first bound, or that of the next part
  };
  Index index_[3];                       // by buffer
  int first_cell_[3] = {};               // by buffer: number of the cell that starts at bounds_[buffer][0]
  std::vector<Run> runs_;                // by first cell
  std::vector<std::uint64_t> marks_[6];  // level 0: which cells start a run; level k: which words below are not 0
  int levels_ = 0;                       // as many as the cells need
  std::vector<Reader> readers_;
  std::vector<int> seen_;  // by operation: the last operation that was noted as depending on it
};

/// The dependencies of a program, in time proportional to n log n plus the number of pairs for n operations.
void derive(const Program& program, Dependencies& out);

}  // namespace isthmus
