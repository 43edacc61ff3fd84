// Running a job with a real MPI on the emulated network.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "algorithms/mpi/job/job.hpp"
#include "emulator/protocol/agent_report.hpp"
#include "emulator/protocol/options.hpp"

namespace isthmus {

struct Emulated : AgentReport {
  std::vector<PointResult> points;
};

/// Called with what is being done, in a few words.
using OnProgress = std::function<void(const std::string&)>;

/// Callbacks while a job runs.
struct EmulationEvents {
  OnProgress progress = {};
  /// Once, before the first point is done: the achieved figures and the provenance, which belong to all points.
  std::function<void(const AgentReport&)> ready = {};
  std::function<void(int point, const PointResult&)> done = {};
};

/// Throws Refused when the probe is out of tolerance, a rank dies or hangs, or bytes are wrong; Missing when no
/// substrate is available. Leaves nothing behind, even when killed.
Emulated emulate(const Job& job, const EmulationOptions& options, const EmulationEvents& events = {});

}  // namespace isthmus
