// Communicators with a topology of MPI (a Cartesian grid, a graph) whose processes are reordered, so that neighbours
// are near each other and slow links are crossed as seldom as can be.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "algorithms/mpi/library/collective_call.hpp"
#include "algorithms/mpi/library/comm_attributes.hpp"
#include "algorithms/neighbourhood/neighbourhood.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {

/// The outcome of an attempt to reorder: the edges between neighbours that cross between the outermost groups, in MPI's
/// own order and in the best one.
struct Reordering {
  bool made = false;  ///< the communicator has been made, reordered
  /// MPI's own order is as good as any.
  bool in_order = false;
  std::int64_t crossings_before = 0, crossings = 0;
};

/// Make what MPI_Cart_create, MPI_Graph_create, MPI_Dist_graph_create and MPI_Dist_graph_create_adjacent make, in the
/// best order (tuning/neighbour_choice.hpp), over an intracommunicator whose ranks and groups are `groups`. Collective.
/// The result is a communicator of the MPI beneath. Nothing is made, and *made stays, where MPI's own order is as good
/// or the arguments are wrong, which the MPI then reports. Throw MpiError.
Reordering reorder_cart(MPI_Comm comm, int dimensions, const int sizes[], const int periodic[],
                        const CommGroups& groups, MPI_Comm* made);
Reordering reorder_graph(MPI_Comm comm, int nodes, const int index[], const int edges[], const CommGroups& groups,
                         MPI_Comm* made);
/// `plain` is what the MPI has made without reordering; it is freed when another takes its place.
Reordering reorder_dist_graph(MPI_Comm comm, MPI_Comm plain, MPI_Info info, const CommGroups& groups, MPI_Comm* made);

/// The neighbours that a rank of a dist-graph communicator has been given, in their order.
struct WeightedNeighbours {
  std::vector<int> sources, destinations;
  std::vector<int> source_weights, destination_weights;  ///< empty when the graph has no weights
};
WeightedNeighbours weighted_neighbours(MPI_Comm dist_graph);
/// Those of all ranks. Collective.
std::vector<WeightedNeighbours> all_weighted_neighbours(MPI_Comm dist_graph);

/// The numbers of destinations and sources of this rank, by the topology of MPI; none where there is no topology.
BlockNumbers degrees_of(MPI_Comm comm);

/// The neighbours of all ranks of a communicator with a topology of MPI, grids with permuted coordinates included; null
/// where it has none, or where the lists of ranks contradict each other. The same on all ranks. Collective.
std::shared_ptr<const Neighbourhood> neighbourhood_of(MPI_Comm comm);

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
