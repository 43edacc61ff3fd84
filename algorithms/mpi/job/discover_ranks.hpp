// Discovery of the network between the hosts of an MPI program's ranks: every rank calls discover_ranks().
#pragma once

#include <mpi.h>

#include "algorithms/measuring/discovery.hpp"
#include "algorithms/mpi/job/run_job.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {

/// The network as discover_network() finds it, the same on every rank. The lowest rank of each host measures, one pair
/// after the other. Each result is sent to all ranks, so that all ranks know the next pair. Of `environment` only the
/// clock is used, and only differences of one rank's readings. Throws BadInput, the same on all ranks, as
/// discover_network() does.
Network discover_ranks(const DiscoverySettings& settings, MPI_Comm comm, const RankEnvironment& environment);

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
