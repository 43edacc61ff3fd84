// Cartesian communicators whose ranks keep their numbers and have other coordinates than MPI's row-major order gives.
//
// Some programs, LAMMPS among them, ask for a reordered grid and then use the ranks of the Cartesian communicator on
// the one that they made it of. That is right only where the numbers of the ranks stay.
#pragma once

#include <mpi.h>

#include <vector>

#include "algorithms/mapping/grid.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {

struct PermutedGrid {
  CartesianGrid grid;
  std::vector<int> rank_of_position, position_of_rank;
};

/// Gives the ranks of a Cartesian communicator other positions. Duplicates of the communicator have the same.
void permute_coordinates(MPI_Comm cart, CartesianGrid grid, std::vector<int> rank_of_position);
/// Null for all other communicators.
const PermutedGrid* permuted_grid(MPI_Comm comm);

/// For calls that the MPI beneath would have to serve, which knows other neighbours: raises
/// MPI_ERR_UNSUPPORTED_OPERATION on the communicator, and returns it.
int refuse_permuted(MPI_Comm comm);

/// The calls of MPI of these names, on any communicator.
int cart_rank(MPI_Comm comm, const int coordinates[], int* rank);
int cart_coords(MPI_Comm comm, int rank, int dimensions, int coordinates[]);
int cart_shift(MPI_Comm comm, int dimension, int step, int* source, int* destination);
int cart_get(MPI_Comm comm, int dimensions, int sizes[], int periodic[], int coordinates[]);
int cart_sub(MPI_Comm comm, const int remain[], MPI_Comm* made);

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
