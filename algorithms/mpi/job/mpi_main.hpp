// The main function of a program whose ranks mpirun starts.
#pragma once

#include <mpi.h>

#include <cstdio>
#include <exception>

#include "algorithms/errors.hpp"

namespace isthmus {

/// Runs `work` between MPI_Init and MPI_Finalize. What it throws is printed after the program's name and ends all ranks
/// with the exit status of the error.
template <typename Work>
int mpi_main(int argc, char** argv, const char* program, Work work) {
  MPI_Init(&argc, &argv);
  int status = 0;
  try {
    work();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", program, error.what());
    const auto* const known = dynamic_cast<const Error*>(&error);
    status = known != nullptr ? known->exit_status() : 1;
  }
  if (status != 0) MPI_Abort(MPI_COMM_WORLD, status);
  MPI_Finalize();
  return status;
}

}  // namespace isthmus
