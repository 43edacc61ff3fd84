// Finds two operations of a rank that use the same elements, one of them writing, with nothing that orders them.
//
// This is the check of derived dependencies, and shares no idea with their derivation: where that goes through the
// program in order and keeps a history by element, this compares all pairs (short programs) or sweeps over the elements
// from left to right and keeps the operations at the current one (long programs).
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
  /// What has completed by then: whatever the later one comes after, and all that an operation comes after which was
  /// issued before, that is one that has completed itself or stands before such a one in its lane.
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
