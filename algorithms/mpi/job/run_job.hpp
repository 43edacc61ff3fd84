// Runs a job's points inside an MPI program: every rank calls run_job().
#pragma once

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <string>

#include "algorithms/mpi/executor/mpi_error.hpp"
#include "algorithms/mpi/job/job.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {

/// Settings for common starts and for measuring without disturbance.
struct TimingSettings {
  /// The time after a start during which no rank reports, so that our messages do not disturb those that are timed. In
  /// real time it is adapted to earlier repetitions.
  double quiet_s = 0;
  double start_margin_s = 0.001;  ///< the minimum time between the announcement of a start and the start
  /// How long a rank sleeps when its part is done and its end is recorded, so that it does not slow other ranks on its
  /// processor.
  double rest_s = 0;
  bool connects = false;  ///< two ranks open a connection with their first message, which is not to be timed
};

/// The environment of a rank, real or simulated. All ranks must read the same clock.
struct RankEnvironment {
  std::function<double()> now_s;  ///< the clock
  std::function<void(double instant_s)>
      sleep_until;  ///< returns at that reading of the clock, or at once if it is past
  std::function<void(std::int64_t bytes)> reduced = {};  ///< see ExecutorOptions; empty for a real MPI
  /// After each synchronous send of a plan, see ExecutorOptions: to which rank, in which lane.
  std::function<void(int peer, int lane)> acknowledged = {};
  /// Before each send of a plan, and before each receive is posted and after it: with which rank, in which lane, and
  /// which it is of the messages from the one to the other in that lane, from 0 on through all repetitions. Empty where
  /// messages cost what they do.
  std::function<void(int peer, int lane, bool synchronous)> sending = {};
  std::function<void(int peer, int lane, std::int64_t number)> posting = {}, received = {};
  /// Whether a message of a plan, whose receive is posted, has come by now.
  std::function<bool(int peer, int lane, std::int64_t number)> has_come = {};
  /// Lets all ranks' own collectives of the MPI be those of a selector, where one cannot ask a communicator for them.
  std::function<void(const std::string& selector)> select = {};
  /// Called on rank 0 with the instant of each start before it is announced; may be empty.
  std::function<void(double start_s)> announced = {};
  TimingSettings timing = {};
};

/// The clock of the kernel (CLOCK_MONOTONIC), which all ranks on one machine share.
RankEnvironment real_time();

/// Called on rank 0 with the number of each point and its result as it finishes.
using ResultSink = std::function<void(int point, const PointResult& result)>;

/// Runs every point: warm-up, then the repetitions. Each starts at an announced instant, when all earlier messages have
/// been received, and ends on each rank when its part is done; then every byte is checked. A repetition that was
/// announced too late to some rank does not count: it is repeated with twice the margin.
///
/// In a simulation the ranks after those of the placement are the forwarders (forwarded_routes.hpp), in order.
///
/// Throws BadInput when the communicator's size is not that of the placement (with forwarders), MpiError when a call
/// fails, Refused when no margin up to a minute makes the ranks start together.
void run_job(const Job& job, MPI_Comm comm, const RankEnvironment& environment, const ResultSink& done);

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
