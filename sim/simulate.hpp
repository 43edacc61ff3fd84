// Runs a job under SimGrid's SMPI, in child processes.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/mpi/job/job.hpp"
#include "algorithms/network/conditions.hpp"

namespace isthmus {

/// How messages share a link. fifo: they cross it in turn, first come first served, like packets in a queue. fluid: all
/// advance at once, each with a share of the bandwidth, as in SimGrid's own model.
enum class Queueing : std::uint8_t { fifo, fluid };

struct Simulated {
  std::vector<PointResult> points;
  std::vector<std::pair<std::string, std::string>> provenance;  ///< e.g. {"simgrid", "3.32"}, every setting
};

struct SimulationOptions {
  Queueing queueing = Queueing::fifo;
  /// Links that change and ambient traffic, only with fifo. Nothing is lost: a message at a cut link waits.
  Conditions conditions = {};
  /// Called once before the first point is done, with the provenance of all points.
  std::function<void(const Simulated&)> ready = {};
};

/// The conditions that SMPI cannot simulate, such as loss of frames, in a few words; empty: none.
std::string not_simulated(const Conditions& conditions);

/// Simulates every point of the job on the platform file that its network was read from. `done` is called with each
/// point's number and result as it finishes. Throws Refused when a point deadlocks, aborts or gives wrong bytes, naming
/// it; BadInput when the file is no SimGrid platform or lacks a host of the job's network, or for conditions that
/// cannot be simulated (see not_simulated()).
Simulated simulate(const std::string& platform_file, const Job& job, double timeout_s,
                   const std::function<void(int, const PointResult&)>& done = {},
                   const SimulationOptions& options = {});

}  // namespace isthmus
