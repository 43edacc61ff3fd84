// The C interface of MPI's topologies: grids and graphs that may be reordered are, so that neighbours are near each
// other.
#include <mpi.h>

#include <functional>

#include "algorithms/mpi/drop_in/topology_calls.hpp"
#include "algorithms/mpi/library/coordinates.hpp"

using namespace isthmus;

extern "C" int MPI_Cart_create(MPI_Comm comm, int dimensions, const int sizes[], const int periodic[], int reorder,
                               MPI_Comm* made) {
  return drop_in::create_cart(comm, dimensions, sizes, periodic, reorder, made);
}

extern "C" int MPI_Graph_create(MPI_Comm comm, int nodes, const int index[], const int edges[], int reorder,
                                MPI_Comm* made) {
  return drop_in::create_graph(comm, nodes, index, edges, reorder, made);
}

extern "C" int MPI_Dist_graph_create(MPI_Comm comm, int nodes, const int sources[], const int degrees[],
                                     const int destinations[], const int weights[], MPI_Info info, int reorder,
                                     MPI_Comm* made) {
  const auto mpi = [&](int order) {
    return PMPI_Dist_graph_create(comm, nodes, sources, degrees, destinations, weights, info, order, made);
  };
  return drop_in::create_dist_graph("Dist_graph_create", comm, info, reorder, made, std::ref(mpi));
}

extern "C" int MPI_Dist_graph_create_adjacent(MPI_Comm comm, int indegree, const int sources[],
                                              const int source_weights[], int outdegree, const int destinations[],
                                              const int destination_weights[], MPI_Info info, int reorder,
                                              MPI_Comm* made) {
  const auto mpi = [&](int order) {
    return PMPI_Dist_graph_create_adjacent(comm, indegree, sources, source_weights, outdegree, destinations,
                                           destination_weights, info, order, made);
  };
  return drop_in::create_dist_graph("Dist_graph_create_adjacent", comm, info, reorder, made, std::ref(mpi));
}

extern "C" int MPI_Cart_rank(MPI_Comm comm, const int coordinates[], int* rank) {
  return cart_rank(comm, coordinates, rank);
}
extern "C" int MPI_Cart_coords(MPI_Comm comm, int rank, int dimensions, int coordinates[]) {
  return cart_coords(comm, rank, dimensions, coordinates);
}
extern "C" int MPI_Cart_shift(MPI_Comm comm, int dimension, int step, int* source, int* destination) {
  return cart_shift(comm, dimension, step, source, destination);
}
extern "C" int MPI_Cart_get(MPI_Comm comm, int dimensions, int sizes[], int periodic[], int coordinates[]) {
  return cart_get(comm, dimensions, sizes, periodic, coordinates);
}
extern "C" int MPI_Cart_sub(MPI_Comm comm, const int remain[], MPI_Comm* made) {
  return drop_in::sub_cart(comm, remain, made);
}
