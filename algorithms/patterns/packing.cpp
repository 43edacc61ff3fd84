#include "algorithms/patterns/packing.hpp"

namespace isthmus {

bool consecutive(std::span<const int> ranks) {
  for (std::size_t i = 1; i < ranks.size(); ++i)
    if (ranks[i] != ranks[i - 1] + 1) return false;
  return true;
}

namespace {

/// Calls visit(slice) for each of the slices, with those joined that follow one another in a buffer.
template <typename Visit>
void for_each_joined(std::span<const Slice> slices, const Visit& visit) {
  for (std::size_t next = 0; next < slices.size();) {
    Slice joined = slices[next++];
    for (; next < slices.size() && slices[next].buffer == joined.buffer && slices[next].offset == joined.end(); ++next)
      joined.count += slices[next].count;
    visit(joined);
  }
}

}  // namespace

Slice as_one(Program& program, std::span<const Slice> slices) {
  std::int64_t parts = 0, count = 0;
  Slice last;
  for_each_joined(slices, [&](Slice slice) {
    ++parts;
    count += slice.count;
    last = slice;
  });
  if (parts == 1) return last;
  const Slice packed = program.reserve(count);
  std::int64_t at = 0;
  for_each_joined(slices, [&](Slice slice) {
    program.copy(packed.part(at, slice.count), slice);
    at += slice.count;
  });
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
