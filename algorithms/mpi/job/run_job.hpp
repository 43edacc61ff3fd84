// Running a job's points inside an MPI program: every rank calls run_job().
#pragma once

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <string>

#include "algorithms/mpi/executor/mpi_error.hpp"
#include "algorithms/mpi/job/job.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {

/// How starts are agreed upon and ranks kept out of each other's way.
struct TimingSettings {
  /// How long after a start no rank tells what it saw, so that no message of ours meets those that are timed. Where
  /// time is real, that is learnt from the repetitions before.
  double quiet_s = 0;
  double start_margin_s = 0.001;  ///< the least time between telling all ranks of a start and the start
  /// How long a rank sleeps once its part is done and its end is noted, so as not to hold up others that share its
  /// processor and are still at it.
  double rest_s = 0;
  bool connects = false;  ///< two ranks open a connection with their first message, which is not to be timed
};

/// What a rank finds in its world, real or simulated. All ranks must read the same clock.
struct RankEnvironment {
  std::function<double()> now_s;  ///< the clock
  std::function<void(double instant_s)>
      sleep_until;                                  ///< returns at that reading of the clock, or at once if it is past
  std::function<void(int peer)> acknowledged = {};  ///< see ExecutorOptions; empty where MPI's own is real
  std::function<void(std::int64_t bytes)> reduced = {};  ///< likewise
  /// Before each send of a plan, and after each receive: with which rank, in which lane, and which it is of the
  /// messages from the one to the other in that lane, from 0 on through all repetitions. Empty where messages cost what
  /// they do.
  std::function<void(int peer, int lane)> sending = {};
  std::function<void(int peer, int lane, std::int64_t number)> received = {};
  /// Lets all ranks' own collectives of the MPI be those of a selector, where one cannot ask a communicator for them.
  std::function<void(const std::string& selector)> select = {};
  /// Called on rank 0 with the instant of each start before the others are told of it; may be empty.
  std::function<void(double start_s)> announced = {};
  TimingSettings timing = {};
};

/// The clock of the kernel (CLOCK_MONOTONIC), which all ranks on one machine share.
RankEnvironment real_time();

/// Called on rank 0 with the number of each point and its result as it finishes.
using ResultSink = std::function<void(int point, const PointResult& result)>;

/// Runs every point: warm-up, then the repetitions. Each starts at an instant agreed upon beforehand, once nothing of
/// what came before is under way, and ends on each rank when its part is done; then every byte is checked. A repetition
/// that some rank was told of too late does not count: it is repeated with twice the margin.
///
/// Throws BadInput when the communicator's size is not that of the placement, MpiError when a call fails, Refused when
/// no margin up to a minute makes the ranks start together.
void run_job(const Job& job, MPI_Comm comm, const RankEnvironment& environment, const ResultSink& done);

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
