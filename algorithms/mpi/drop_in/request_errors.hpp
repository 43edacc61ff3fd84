// On which communicator an error is raised that ends a request.
#pragma once

#include <mpi.h>

#include <optional>

#include "algorithms/mpi/drop_in/session.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace drop_in {

#ifdef MPICH_VERSION
/// Errors on MPI_COMM_WORLD are returned while it exists: no other thread may be in the MPI.
class WorldReturnsErrors {
 public:
  WorldReturnsErrors() {
    PMPI_Comm_get_errhandler(MPI_COMM_WORLD, &before_);
    PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  }
  WorldReturnsErrors(const WorldReturnsErrors&) = delete;
  WorldReturnsErrors& operator=(const WorldReturnsErrors&) = delete;
  ~WorldReturnsErrors() {
    PMPI_Comm_set_errhandler(MPI_COMM_WORLD, before_);
    PMPI_Errhandler_free(&before_);
  }

 private:
  MPI_Errhandler before_ = MPI_ERRHANDLER_NULL;
};

/// The code that `wait` returns, if any. MPICH 4.0 raises the error of a request on MPI_COMM_WORLD, whatever its
/// communicator: here it goes to that one, unless there may be several threads in the MPI.
template <typename Wait>
std::optional<int> with_errors_on(MPI_Comm comm, Wait wait) {
  if (session() == nullptr || session()->world->many_threads) return wait();
  const std::optional<int> code = [&] {
    const WorldReturnsErrors held;
    return wait();
  }();
  if (code && *code != MPI_SUCCESS) PMPI_Comm_call_errhandler(comm, *code);
  return code;
}
#else
/// The code that `wait` returns, if any.
template <typename Wait>
std::optional<int> with_errors_on(MPI_Comm /*comm*/, Wait wait) {
  return wait();
}
#endif

}  // namespace drop_in
}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
