// Dispatches a program's MPI calls to isthmus or to the MPI beneath; calls that are left to MPI are counted with the
// reason.
#pragma once

#include <mpi.h>

#include "algorithms/mpi/library/collective_call.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace drop_in {

/// Implement MPI_Bcast etc., and MPI_Ibcast etc. The returned error codes have already been passed to the
/// communicator's error handler.
int dispatch_blocking(const CollectiveCall& call);
int dispatch_nonblocking(const CollectiveCall& call, MPI_Request* request);

/// Implement MPI_Op_free and MPI_Type_free. MPI allows a program to free objects that calls in progress still use; what
/// such a call reduces with is freed when it has ended, all else at once.
int free_op(MPI_Op* op);
int free_type(MPI_Datatype* datatype);

}  // namespace drop_in
}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
