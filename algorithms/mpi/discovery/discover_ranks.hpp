// Discovery of the network between the hosts of an MPI program's ranks: every rank calls discover_ranks().
#pragma once

#include <mpi.h>

#include "algorithms/measuring/discovery.hpp"
#include "algorithms/mpi/executor/clock.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {

/// The network as discover_network() finds it, the same on every rank. Rank 0 decides what is measured next and tells
/// those that take part, by messages; all others wait for their orders. The lowest rank of each host measures. Of the
/// clock only differences of one rank's readings are used, unless `settings.common_clock`.
///
/// A rank that does not answer rank 0 within `settings.answer_s` seconds is named: Refused, or, with
/// `settings.without_silent`, its host is left out and the rest goes on. 0 seconds: rank 0 waits for ever.
///
/// Throws BadInput, the same on all ranks, as discover_network() does.
Discovered discover_ranks(const DiscoverySettings& settings, MPI_Comm comm, const Clock& clock);

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
