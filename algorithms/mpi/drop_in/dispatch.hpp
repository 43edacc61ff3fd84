// How the drop-in answers a call that a program makes of MPI: by isthmus, or by the MPI beneath, which then is counted
// with the reason.
#pragma once

#include <mpi.h>

#include "algorithms/mpi/library/collective_call.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace drop_in {

/// The answer of MPI_Bcast and its like, and of MPI_Ibcast and its like, as the program sees it: the error handler of
/// the communicator has heard of errors.
int dispatch_blocking(const CollectiveCall& call);
int dispatch_nonblocking(const CollectiveCall& call, MPI_Request* request);

/// What MPI_Op_free and MPI_Type_free do. MPI lets a program free what calls under way still use; then that is put off
/// until they have ended.
int free_op(MPI_Op* op);
int free_type(MPI_Datatype* datatype);

}  // namespace drop_in
}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
