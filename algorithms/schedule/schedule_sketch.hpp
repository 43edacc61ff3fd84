// What the programs of a few ranks tell of a schedule: how large it is, and whether it may be the same as another one.
#pragma once

#include <cstdint>

#include "algorithms/schedule/program.hpp"

namespace isthmus {

struct ScheduleSketch {
  std::int64_t messages = 0;  ///< an estimate
  std::uint64_t hash = 0;     ///< of the operations of these ranks

  bool operator==(const ScheduleSketch&) const = default;
};

/// From the first, the middle and the last rank.
ScheduleSketch sketch_of(int size, const ProgramSource& programs);

/// Whether all ranks have equal programs. It takes a part of the time of a replay.
bool are_same(int size, const ProgramSource& one, const ProgramSource& other);

}  // namespace isthmus
