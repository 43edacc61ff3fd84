// Running a job with a real MPI on the emulated network.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/mpi/job/job.hpp"
#include "algorithms/network/conditions.hpp"

namespace isthmus {

/// What the probe measured on one class of routes, next to what the network asks for. Rates are payload.
struct Achieved {
  std::string from, to;  ///< the hosts between which it was measured
  double asked_latency_s = 0, latency_s = 0;
  double asked_bandwidth_Bps = 0, bandwidth_Bps = 0;
};

nlohmann::json to_json(const std::vector<Achieved>& achieved);

struct Emulated {
  std::vector<PointResult> points;
  std::vector<Achieved> achieved;
  std::vector<Achieved> drift;  ///< the same, measured after the last point
  /// Of the time in which the processes of the emulation wanted a processor while the ranks ran, the part in which they
  /// waited for one while none was idle. In real time, a run with much of it measured the processors and not the
  /// network. Negative: not known, or virtual time.
  double processor_waited = -1;
  std::vector<std::pair<std::string, std::string>> provenance;  ///< substrate, kernel, MPI, TCP and queue settings
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
