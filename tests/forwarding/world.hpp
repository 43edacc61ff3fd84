// How the programs of this folder begin.
#pragma once

#include <mpi.h>

/// This rank, and how many there are.
struct World {
  World(int& argc, char**& argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  }

  int rank = 0;
  int ranks = 0;
};
