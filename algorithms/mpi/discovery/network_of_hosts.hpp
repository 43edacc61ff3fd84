// The network between the hosts of a running MPI program: discovered once, and kept in a file for the next run.
#pragma once

#include <mpi.h>

#include <optional>
#include <string>

#include "algorithms/measuring/discovery.hpp"
#include "algorithms/network/network.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {

/// The network between the hosts of the communicator's ranks, the same on every rank. Collective.
///
/// `cache`: a folder with one file for each set of hosts, or empty. The file of these hosts is used without measuring;
/// one that cannot be read, or is of other hosts, is replaced. Rank 0 says on the standard error why it is not used.
///
/// Nothing when all ranks are on one host; and when the discovery fails, for instance because it is not done within
/// `settings.budget_s`: rank 0 says so.
std::optional<Network> network_of_hosts(const DiscoverySettings& settings, const std::string& cache, MPI_Comm comm);

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
