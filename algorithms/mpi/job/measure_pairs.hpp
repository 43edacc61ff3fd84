// Measurement of P-LogP between pairs of ranks inside an MPI program: every rank calls measure_pairs().
#pragma once

#include <mpi.h>

#include <functional>

#include "algorithms/measuring/calibration.hpp"
#include "algorithms/mpi/job/run_job.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {

/// Called on rank 0 with each pair's result as it is done.
using PairSink = std::function<void(const MeasuredPair& pair)>;

/// One pair after the other; the other ranks wait. The fast method of Kielmann, Bal, Verstoep 2000 (Fast measurement of
/// LogP parameters), section 3. RTT(m) is the round trip of an empty message and an answer of m bytes, timed by the
/// rank that receives these: what TCP acknowledges, maybe over a much slower way, is not part of it.
///   g(0)   by saturation: the growth of the time until n empty messages have arrived, from n to 2 n, over n
///   L      (RTT(0) - g(0) - g'(0)) / 2, where g' is the gap of the way back
///   g(m)   RTT(m) - RTT(0) + g(0)
///   os(m)  the duration of a send, with nothing before it
///   or(m)  the duration of a receive, some time after the message must have arrived
/// Sizes are 0, 1 and powers of four, and more sizes where the curve bends.
///
/// Throws BadInput when a pair is beyond the communicator, Refused when a measurement is too noisy to use.
void measure_pairs(const MeasuringTask& task, MPI_Comm comm, const RankEnvironment& environment, const PairSink& done);

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
