// The C interface: MPI's names, defined before those of the MPI beneath. Collectives are dispatched; other calls
// forward to the MPI and do some additional work.
#include <mpi.h>

#include "algorithms/mpi/drop_in/collectives.hpp"
#include "algorithms/mpi/drop_in/dispatch.hpp"
#include "algorithms/mpi/drop_in/forwarding.hpp"
#include "algorithms/mpi/drop_in/session.hpp"
#include "algorithms/mpi/library/comm_attributes.hpp"

using namespace isthmus;

#define COUNT int
#define PLACE int
// Fast path: calls on communicators that are left to the MPI go directly to it.
#define COLLECTIVE(name, iname, call, parameters, arguments)                                                   \
  extern "C" int MPI_##name parameters {                                                                       \
    return pass_through.has(comm) ? PMPI_##name arguments : drop_in::dispatch_blocking(calls::call arguments); \
  }                                                                                                            \
  extern "C" int MPI_I##iname(PARAMETERS parameters, MPI_Request* request) {                                   \
    return pass_through.has(comm) ? PMPI_I##iname(PARAMETERS arguments, request)                               \
                                  : drop_in::dispatch_nonblocking(calls::call arguments, request);             \
  }
COLLECTIVE(Barrier, barrier, barrier, (MPI_Comm comm), (comm))
COLLECTIVES_OF_A_GROUP(COLLECTIVE)
COLLECTIVES_OF_NEIGHBOURS(COLLECTIVE)

extern "C" int MPI_Op_free(MPI_Op* op) { return drop_in::free_op(op); }
extern "C" int MPI_Type_free(MPI_Datatype* datatype) { return drop_in::free_type(datatype); }

// Calls that make communicators: all ranks of the new communicator are in the call.
#define MAKES_COMM_THEN(then, name, parameters, arguments)    \
  extern "C" int MPI_##name parameters {                      \
    const int code = PMPI_##name arguments;                   \
    return code == MPI_SUCCESS ? drop_in::then(*made) : code; \
  }
#define MAKES_COMM(name, parameters, arguments) MAKES_COMM_THEN(made, name, parameters, arguments)

MAKES_COMM_THEN(made_of_group, Comm_create_group, (MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* made),
                (comm, group, tag, made))

MAKES_COMM(Comm_dup, (MPI_Comm comm, MPI_Comm* made), (comm, made))
MAKES_COMM(Comm_dup_with_info, (MPI_Comm comm, MPI_Info info, MPI_Comm* made), (comm, info, made))
MAKES_COMM(Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm* made), (comm, color, key, made))
MAKES_COMM(Comm_split_type, (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* made),
           (comm, type, key, info, made))
MAKES_COMM(Comm_create, (MPI_Comm comm, MPI_Group group, MPI_Comm* made), (comm, group, made))
MAKES_COMM(Intercomm_merge, (MPI_Comm inter, int high, MPI_Comm* made), (inter, high, made))

extern "C" int MPI_Init(int* argc, char*** argv) {
  drop_in::refuse_other_mpi();
  drop_in::begin_forwarding();
  const int code = PMPI_Init(argc, argv);
  if (code == MPI_SUCCESS) drop_in::begin_session();
  return code;
}

extern "C" int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  drop_in::refuse_other_mpi();
  drop_in::begin_forwarding();
  const int code = PMPI_Init_thread(argc, argv, required, provided);
  if (code == MPI_SUCCESS) drop_in::begin_session();
  return code;
}

extern "C" int MPI_Finalize() {
  const int ended = drop_in::end_session();
  const int code = PMPI_Finalize();
  return code == MPI_SUCCESS ? ended : code;
}
