// What the contests share: their start, and the times of calls that were measured on all ranks, in two figures.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace isthmus::reference {

struct Start {
  double budget_s;  ///< for each line: the first argument, 1 s when left out
  int rank, size;
};

inline Start start_of(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  Start start{argc > 1 ? std::atof(argv[1]) : 1, 0, 0};
  MPI_Comm_rank(MPI_COMM_WORLD, &start.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &start.size);
  return start;
}

struct Summary {
  double median, decile;  ///< microseconds
};

/// Of every call's time on its slowest rank.
inline Summary summary(std::vector<double> seconds) {
  MPI_Allreduce(MPI_IN_PLACE, seconds.data(), static_cast<int>(seconds.size()), MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  std::sort(seconds.begin(), seconds.end());
  return {1e6 * seconds[seconds.size() / 2], 1e6 * seconds[seconds.size() / 10]};
}

}  // namespace isthmus::reference
