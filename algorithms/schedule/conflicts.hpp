// Finds two operations of a rank that use the same elements, at least one of them writing, in no fixed order.
//
// This checks derived dependencies by another method than their derivation. The derivation goes through the program in
// order and keeps a history by element. The check compares all pairs (short programs), or sweeps over the elements from
// left to right and keeps the operations at the current element (long programs).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "algorithms/schedule/dependencies.hpp"
#include "algorithms/schedule/program.hpp"

namespace isthmus {

/// Two operations of a program that may touch `slice` at the same time or in either order.
struct Conflict {
  int earlier = 0;
  int later = 0;
  Slice slice;
};

/// Keeps its memory between programs.
class ConflictSearch {
 public:
  /// A pair of operations that conflict although the earlier one need not have completed when the later one is issued.
  /// By then these have completed: the dependencies of the later one, and the dependencies of every operation that was
  /// issued before it (an operation that has completed, or that stands before such an operation in its lane).
  std::optional<Conflict> find(const Program& program, const Dependencies& dependencies);

 private:
  struct Access {
    std::int64_t begin;
    std::int64_t end;
    int op;
    bool write;
  };

  std::optional<Conflict> among_few(const Program& program, const Dependencies& dependencies);
  std::optional<Conflict> by_sweep(const Program& program, const Dependencies& dependencies);
  std::optional<Conflict> sweep(Buffer buffer, std::vector<Access>& accesses);
  bool neighbours_ordered(int op, std::optional<Conflict>& found);
  bool gap_ordered(int before, int after, int reader, std::optional<Conflict>& found);
  bool ordered(int earlier, int later);

  std::vector<std::uint32_t> lane_completed_;  // by lane, for among_few()
  const Program* program_ = nullptr;
  const Dependencies* dependencies_ = nullptr;
  std::vector<Access> accesses_[3];     // by buffer
  std::vector<int> by_end_;             // indices into the accesses of the buffer at hand
  std::vector<int> readers_, writers_;  // operations at the current element, ascending; a reader may stand there twice
  std::vector<int> gone_;               // writers that ended at the current element
  std::vector<int> issued_up_to_;       // by lane, for ordered()
  std::vector<int> previous_in_lane_;   // by operation, for ordered(); made when first needed
};

}  // namespace isthmus
