// The times of calls that were measured on all ranks, in two figures.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <vector>

namespace isthmus::reference {

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
