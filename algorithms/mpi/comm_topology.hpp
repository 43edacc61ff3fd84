// Where the ranks of a communicator run, found out at run time.
#pragma once

#include <mpi.h>

#include <string>

#include "algorithms/models/network.hpp"
#include "algorithms/mpi/mpi_error.hpp"
#include "algorithms/topology/topology.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {

/// Rank 0's text on every rank. Collective.
std::string share_text(const std::string& text, MPI_Comm comm);

/// The groups of ranks that share memory; no groups where all do. Collective.
Topology topology_of_nodes(MPI_Comm comm);

/// A network, and the host of each rank of a communicator.
struct Placed {
  Network network;
  Placement placement;
};

/// The network of a file, which rank 0 reads, and where the ranks run on it: each on the host of its processor's name,
/// with or without what follows the first dot. Collective. Throws BadInput, the same on all ranks.
Placed placed_on_network(const std::string& file, MPI_Comm comm);

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
