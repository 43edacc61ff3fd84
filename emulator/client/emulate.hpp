// Running a job with a real MPI on the emulated network.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "algorithms/mpi/job/job.hpp"
#include "algorithms/network/conditions.hpp"
#include "emulator/protocol/agent_report.hpp"

namespace isthmus {

struct Emulated : AgentReport {
  std::vector<PointResult> points;
};

struct EmulationOptions {
  std::string substrate = "auto";  ///< see choose_substrate()
  std::string rootfs = {};         ///< a folder that the hosts have as their file system; empty: this machine's files
  bool force = false;              ///< even where this machine seems to have no room for it
  double tolerance = 0;            ///< relative, on achieved latency and rate; 0: what the substrate can keep
  double timeout_s = 600;          ///< of real time, for everything
  Conditions conditions = {};      ///< while the ranks run
  std::function<void(const std::string&)> progress = {};  ///< called with what is being done, in a few words
  /// Called once before the first point is done, with the achieved figures and the provenance that belong to all
  /// points.
  std::function<void(const Emulated&)> ready = {};
};

/// Throws Refused when the probe is out of tolerance, a rank dies or hangs, or bytes are wrong; Missing when no
/// substrate is to be had. Leaves nothing behind, even when killed.
Emulated emulate(const Job& job, const EmulationOptions& options,
                 const std::function<void(int, const PointResult&)>& done = {});

}  // namespace isthmus
