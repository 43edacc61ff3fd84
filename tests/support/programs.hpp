// Schedules of tests as what the library takes.
#pragma once

#include "algorithms/schedule/program.hpp"

namespace isthmus::tests {

/// The programs of a schedule, which must outlive them.
inline ProgramSource programs_of(const Schedule& schedule) {
  return [&schedule](int rank, Program& program) { program = schedule[rank]; };
}

}  // namespace isthmus::tests
