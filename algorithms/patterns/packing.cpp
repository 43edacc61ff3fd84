#include "algorithms/patterns/packing.hpp"

namespace isthmus {

bool consecutive(std::span<const int> ranks) {
  for (std::size_t i = 1; i < ranks.size(); ++i)
    if (ranks[i] != ranks[i - 1] + 1) return false;
  return true;
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
