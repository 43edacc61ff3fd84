// The topology of a communicator's ranks, found out when a program runs.
#pragma once

#include <mpi.h>

#include <string>

#include "algorithms/mpi/mpi_error.hpp"
#include "algorithms/topology/topology.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {

/// Rank 0's text on every rank. Collective.
std::string share_text(const std::string& text, MPI_Comm comm);

/// The groups of ranks that share memory; no groups where all do. Collective.
Topology topology_of_nodes(MPI_Comm comm);

/// The topology of the hosts of a network file, which rank 0 reads. A rank runs on the host of its processor's name,
/// with or without what follows the first dot. Collective. Throws BadInput, the same on all ranks.
Topology topology_of_network(const std::string& file, MPI_Comm comm);

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
