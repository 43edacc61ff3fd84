#include "algorithms/schedule/schedule_sketch.hpp"

#include <algorithm>

namespace isthmus {
namespace {

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15;
  return hash ^ hash >> 32;
}

std::uint64_t mixed(std::uint64_t hash, const Slice& slice) {
  hash = mixed(hash, static_cast<std::uint64_t>(slice.offset) * 4 + static_cast<std::uint64_t>(slice.buffer));
  return mixed(hash, static_cast<std::uint64_t>(slice.count));
}

}  // namespace

ScheduleSketch sketch_of(int size, const ProgramSource& programs) {
  std::int64_t most = 0;
  std::uint64_t hash = 0;
  Program program;
  for (const int rank : {0, size / 2, size - 1}) {
    program.clear();
    programs(rank, program);
    std::int64_t sends = 0;
    for (const Op& op : program.ops()) {
      if (op.kind == OpKind::send) ++sends;
      hash = mixed(hash, static_cast<std::uint64_t>(op.kind) << 48 | static_cast<std::uint64_t>(op.lane) << 32 |
                             static_cast<std::uint32_t>(op.peer));
      hash = mixed(mixed(mixed(hash, op.to), op.from), op.right);
    }
    most = std::max(most, sends);
  }
  return {most * size, hash};
}

bool are_same(int size, const ProgramSource& one, const ProgramSource& other) {
  Program of_one, of_other;
  for (int rank = 0; rank < size; ++rank) {
    of_one.clear();
    of_other.clear();
    one(rank, of_one);
    other(rank, of_other);
    if (of_one != of_other) return false;
  }
  return true;
}

}  // namespace isthmus
