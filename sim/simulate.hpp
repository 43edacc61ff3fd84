// Running a job under SimGrid's SMPI, in child processes.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "algorithms/mpi/job.hpp"

namespace isthmus {

/// Simulates every point of the job on the platform file that its network was read from. `done` is called with each
/// point's number and result as it finishes. Throws Refused when a point deadlocks, aborts or gives wrong bytes, naming it.
struct Simulated {
  std::vector<PointResult> points;
  std::vector<std::pair<std::string, std::string>> provenance;  ///< e.g. {"simgrid", "3.32"}, every setting
};
Simulated simulate(const std::string& platform_file, const Job& job, double timeout_s,
                   const std::function<void(int, const PointResult&)>& done = {});

}  // namespace isthmus
