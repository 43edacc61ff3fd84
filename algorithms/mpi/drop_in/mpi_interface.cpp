// The C interface: MPI's names, defined before those of the MPI beneath. Collectives are dispatched; other calls
// are the MPI's own, with some additional work.
#include <mpi.h>

#include "algorithms/mpi/drop_in/collectives.hpp"
#include "algorithms/mpi/drop_in/dispatch.hpp"
#include "algorithms/mpi/drop_in/forwarding.hpp"
#include "algorithms/mpi/drop_in/lost_peers.hpp"
#include "algorithms/mpi/drop_in/session.hpp"
#include "algorithms/mpi/drop_in/session_alone.hpp"
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
GUARDED(Intercomm_create_from_groups,
        (MPI_Group own, int leader, MPI_Group remote, int remote_leader, const char* tag, MPI_Info info,
         MPI_Errhandler handler, MPI_Comm* made),
        (own, leader, remote, remote_leader, tag, info, handler, made))
GUARDED(Buffer_detach_c, (void* buffer, MPI_Count* bytes), (buffer, bytes))
#endif
GUARDED(Buffer_detach, (void* buffer, int* bytes), (buffer, bytes))

// Processes that are not of this MPI_COMM_WORLD.
GUARDED(Comm_spawn,
        (const char* command, char* words[], int processes, MPI_Info info, int root, MPI_Comm comm, MPI_Comm* made,
         int codes[]),
        (command, words, processes, info, root, comm, made, codes))
GUARDED(Comm_spawn_multiple,
        (int count, char* commands[], char** words[], const int processes[], const MPI_Info infos[], int root,
         MPI_Comm comm, MPI_Comm* made, int codes[]),
        (count, commands, words, processes, infos, root, comm, made, codes))
GUARDED(Comm_accept, (const char* port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm* made),
        (port, info, root, comm, made))
GUARDED(Comm_connect, (const char* port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm* made),
        (port, info, root, comm, made))
GUARDED(Comm_join, (int socket, MPI_Comm* made), (socket, made))

// One-sided operations.
GUARDED(Win_create, (void* base, MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm comm, MPI_Win* win),
        (base, bytes, unit, info, comm, win))
GUARDED(Win_allocate, (MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm comm, void* base, MPI_Win* win),
        (bytes, unit, info, comm, base, win))
GUARDED(Win_allocate_shared, (MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm comm, void* base, MPI_Win* win),
        (bytes, unit, info, comm, base, win))
#if MPI_VERSION >= 4
GUARDED(Win_create_c, (void* base, MPI_Aint bytes, MPI_Aint unit, MPI_Info info, MPI_Comm comm, MPI_Win* win),
        (base, bytes, unit, info, comm, win))
GUARDED(Win_allocate_c, (MPI_Aint bytes, MPI_Aint unit, MPI_Info info, MPI_Comm comm, void* base, MPI_Win* win),
        (bytes, unit, info, comm, base, win))
GUARDED(Win_allocate_shared_c, (MPI_Aint bytes, MPI_Aint unit, MPI_Info info, MPI_Comm comm, void* base, MPI_Win* win),
        (bytes, unit, info, comm, base, win))
#endif
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
GUARDED(File_open, (MPI_Comm comm, const char* name, int mode, MPI_Info info, MPI_File* file),
        (comm, name, mode, info, file))
GUARDED(File_close, (MPI_File * file), (file))
GUARDED(File_set_size, (MPI_File file, MPI_Offset bytes), (file, bytes))
GUARDED(File_preallocate, (MPI_File file, MPI_Offset bytes), (file, bytes))
GUARDED(File_set_view,
        (MPI_File file, MPI_Offset at, MPI_Datatype unit, MPI_Datatype type, const char* form, MPI_Info info),
        (file, at, unit, type, form, info))
GUARDED(File_set_atomicity, (MPI_File file, int atomic), (file, atomic))
GUARDED(File_sync, (MPI_File file), (file))
GUARDED(File_seek_shared, (MPI_File file, MPI_Offset offset, int from), (file, offset, from))

#define ALL(name, buffer_type, Count)                                                                            \
  GUARDED(File_##name, (MPI_File file, buffer_type buffer, Count count, MPI_Datatype type, MPI_Status * status), \
          (file, buffer, count, type, status))
#define ALL_AT(name, buffer_type, Count)                                                                           \
  GUARDED(File_##name,                                                                                             \
          (MPI_File file, MPI_Offset at, buffer_type buffer, Count count, MPI_Datatype type, MPI_Status * status), \
          (file, at, buffer, count, type, status))
#define BEGIN(name, buffer_type, Count) \
  GUARDED(File_##name, (MPI_File file, buffer_type buffer, Count count, MPI_Datatype type), (file, buffer, count, type))
#define BEGIN_AT(name, buffer_type, Count)                                                                 \
  GUARDED(File_##name, (MPI_File file, MPI_Offset at, buffer_type buffer, Count count, MPI_Datatype type), \
          (file, at, buffer, count, type))
#define END(name, buffer_type) \
  GUARDED(File_##name##_end, (MPI_File file, buffer_type buffer, MPI_Status * status), (file, buffer, status))
#define EACH_WAY(suffix, Count)                          \
  ALL(read_all##suffix, void*, Count)                    \
  ALL(write_all##suffix, const void*, Count)             \
  ALL(read_ordered##suffix, void*, Count)                \
  ALL(write_ordered##suffix, const void*, Count)         \
  ALL_AT(read_at_all##suffix, void*, Count)              \
  ALL_AT(write_at_all##suffix, const void*, Count)       \
  BEGIN(read_all_begin##suffix, void*, Count)            \
  BEGIN(write_all_begin##suffix, const void*, Count)     \
  BEGIN(read_ordered_begin##suffix, void*, Count)        \
  BEGIN(write_ordered_begin##suffix, const void*, Count) \
  BEGIN_AT(read_at_all_begin##suffix, void*, Count)      \
  BEGIN_AT(write_at_all_begin##suffix, const void*, Count)
EACH_WAY(, int)
#if MPI_VERSION >= 4
EACH_WAY(_c, MPI_Count)
#endif
END(read_all, void*)
END(write_all, const void*)
END(read_ordered, void*)
END(write_ordered, const void*)
END(read_at_all, void*)
END(write_at_all, const void*)

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
  const int code = PMPI_Session_init(info, handler, session);
  if (code == MPI_SUCCESS) drop_in::session_begun();
  return code;
}

extern "C" int MPI_Session_finalize(MPI_Session* session) {
  const int code = PMPI_Session_finalize(session);
  if (code == MPI_SUCCESS) drop_in::session_ended();
  return code;
}
#endif

extern "C" int MPI_Finalize() {
  const int ended = drop_in::end_session();
  const int code = PMPI_Finalize();
  return code == MPI_SUCCESS ? ended : code;
}
