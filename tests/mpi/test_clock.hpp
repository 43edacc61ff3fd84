// The clock that a job is timed by: the kernel's, or the simulation's.
#pragma once

#include "algorithms/mpi/job/run_job.hpp"

#ifdef ISTHMUS_TEST_SIMULATED
#include <simgrid/s4u.hpp>
#endif

namespace isthmus::test {
inline namespace ISTHMUS_MPI_FLAVOUR {

inline RankEnvironment test_clock() {
#ifdef ISTHMUS_TEST_SIMULATED
  return {.now_s = [] { return simgrid::s4u::Engine::get_clock(); },
          .sleep_until = [](double instant_s) { simgrid::s4u::this_actor::sleep_until(instant_s); }};
#else
  return real_time();
#endif
}

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus::test
