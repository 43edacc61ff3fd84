// The C interface: MPI's names, defined before those of the MPI beneath. Collectives are dispatched; other calls
// are the MPI's own, with some additional work.
#include <mpi.h>

#include "algorithms/mpi/drop_in/collectives.hpp"
#include "algorithms/mpi/drop_in/dispatch.hpp"
#include "algorithms/mpi/drop_in/forwarding.hpp"
#include "algorithms/mpi/drop_in/lost_peers.hpp"
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
    const drop_in::EndsWithLoss guard;                        \
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

// Calls of the MPI's own that wait for other ranks and cannot return that the last gateway to them is lost: they end
// the process then, as collectives do.
#define GUARDED(name, parameters, arguments)         \
  extern "C" int MPI_##name(PARAMETERS parameters) { \
    const drop_in::EndsWithLoss guard;               \
    return PMPI_##name(PARAMETERS arguments);        \
  }

GUARDED(Intercomm_create, (MPI_Comm own, int leader, MPI_Comm peer, int remote_leader, int tag, MPI_Comm* made),
        (own, leader, peer, remote_leader, tag, made))
GUARDED(Comm_free, (MPI_Comm * comm), (comm))
GUARDED(Comm_disconnect, (MPI_Comm * comm), (comm))
#if MPI_VERSION >= 4
GUARDED(Comm_create_from_group,
        (MPI_Group group, const char* tag, MPI_Info info, MPI_Errhandler handler, MPI_Comm* made),
        (group, tag, info, handler, made))
#endif
GUARDED(Buffer_detach, (void* buffer, int* bytes), (buffer, bytes))

// One-sided operations.
GUARDED(Win_create, (void* base, MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm comm, MPI_Win* win),
        (base, bytes, unit, info, comm, win))
GUARDED(Win_allocate, (MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm comm, void* base, MPI_Win* win),
        (bytes, unit, info, comm, base, win))
GUARDED(Win_allocate_shared, (MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm comm, void* base, MPI_Win* win),
        (bytes, unit, info, comm, base, win))
GUARDED(Win_create_dynamic, (MPI_Info info, MPI_Comm comm, MPI_Win* win), (info, comm, win))
GUARDED(Win_free, (MPI_Win * win), (win))
GUARDED(Win_fence, (int assertion, MPI_Win win), (assertion, win))
GUARDED(Win_start, (MPI_Group group, int assertion, MPI_Win win), (group, assertion, win))
GUARDED(Win_complete, (MPI_Win win), (win))
GUARDED(Win_wait, (MPI_Win win), (win))
GUARDED(Win_lock, (int kind, int rank, int assertion, MPI_Win win), (kind, rank, assertion, win))
GUARDED(Win_lock_all, (int assertion, MPI_Win win), (assertion, win))
GUARDED(Win_unlock, (int rank, MPI_Win win), (rank, win))
GUARDED(Win_unlock_all, (MPI_Win win), (win))
GUARDED(Win_flush, (int rank, MPI_Win win), (rank, win))
GUARDED(Win_flush_all, (MPI_Win win), (win))
GUARDED(Win_flush_local, (int rank, MPI_Win win), (rank, win))
GUARDED(Win_flush_local_all, (MPI_Win win), (win))

// Files: the collective calls.
#define ALL(suffix, buffer_type)                                                                                \
  GUARDED(File_##suffix, (MPI_File file, buffer_type buffer, int count, MPI_Datatype type, MPI_Status* status), \
          (file, buffer, count, type, status))
#define ALL_AT(suffix, buffer_type)                                                                             \
  GUARDED(File_##suffix,                                                                                        \
          (MPI_File file, MPI_Offset at, buffer_type buffer, int count, MPI_Datatype type, MPI_Status* status), \
          (file, at, buffer, count, type, status))
GUARDED(File_open, (MPI_Comm comm, const char* name, int mode, MPI_Info info, MPI_File* file),
        (comm, name, mode, info, file))
GUARDED(File_close, (MPI_File * file), (file))
GUARDED(File_set_size, (MPI_File file, MPI_Offset bytes), (file, bytes))
GUARDED(File_preallocate, (MPI_File file, MPI_Offset bytes), (file, bytes))
GUARDED(File_set_view,
        (MPI_File file, MPI_Offset at, MPI_Datatype unit, MPI_Datatype type, const char* form, MPI_Info info),
        (file, at, unit, type, form, info))
GUARDED(File_sync, (MPI_File file), (file))
GUARDED(File_seek_shared, (MPI_File file, MPI_Offset offset, int from), (file, offset, from))
ALL(read_all, void*)
ALL(write_all, const void*)
ALL(read_ordered, void*)
ALL(write_ordered, const void*)
ALL_AT(read_at_all, void*)
ALL_AT(write_at_all, const void*)

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

#if MPI_VERSION >= 4
// Without MPI_Init messages are forwarded, and no collectives are served.
extern "C" int MPI_Session_init(MPI_Info info, MPI_Errhandler handler, MPI_Session* session) {
  drop_in::refuse_other_mpi();
  drop_in::begin_forwarding();
  return PMPI_Session_init(info, handler, session);
}
#endif

extern "C" int MPI_Finalize() {
  const int ended = drop_in::end_session();
  const int code = PMPI_Finalize();
  return code == MPI_SUCCESS ? ended : code;
}
