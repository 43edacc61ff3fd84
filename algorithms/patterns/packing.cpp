#include "algorithms/patterns/packing.hpp"

#include <vector>

namespace isthmus {

bool consecutive(std::span<const int> ranks) {
  for (std::size_t i = 1; i < ranks.size(); ++i)
    if (ranks[i] != ranks[i - 1] + 1) return false;
  return true;
}

Slice as_one(Program& program, std::span<const Slice> slices) {
  std::vector<Slice> joined;
  std::int64_t count = 0;
  for (const Slice& slice : slices) {
    count += slice.count;
    if (!joined.empty() && joined.back().buffer == slice.buffer && joined.back().end() == slice.offset)
      joined.back().count += slice.count;
    else
      joined.push_back(slice);
  }
  if (joined.size() == 1) return joined.front();
  const Slice packed = program.reserve(count);
  std::int64_t at = 0;
  for (const Slice& slice : joined) {
    program.copy(packed.part(at, slice.count), slice);
    at += slice.count;
  }
  return packed;
}

void unpack(Program& program, const Blocks& places, std::span<const int> ranks, Slice packed) {
  std::int64_t at = 0;
  for_each_run(ranks, [&](Run run) {
    const Slice to = places.range(run.first, run.end);
    program.copy(to, packed.part(at, to.count));
    at += to.count;
  });
}

void pack(Program& program, Slice packed, std::span<const int> ranks, const Blocks& places) {
  std::int64_t at = 0;
  for_each_run(ranks, [&](Run run) {
    const Slice from = places.range(run.first, run.end);
    program.copy(packed.part(at, from.count), from);
    at += from.count;
  });
}

}  // namespace isthmus
