// Point-to-point calls that wait. They are the MPI's own; where messages are forwarded, each waits in a way that can
// end in an error when the last gateway is lost.
#include <mpi.h>

#include <memory>
#include <tuple>

#include "algorithms/mpi/drop_in/lost_peers.hpp"
#include "algorithms/mpi/drop_in/request_errors.hpp"
#include "algorithms/mpi/executor/mpi_error.hpp"

using namespace isthmus;
using drop_in::Forwarding;
using drop_in::Peer;

namespace {

// A receive is cancelled; a send stays behind: nobody takes it.
void abandon(MPI_Request& request, bool receives) {
  if (request == MPI_REQUEST_NULL) return;
  if (receives) PMPI_Cancel(&request);
  PMPI_Request_free(&request);
}

// Waits for a request of this call alone.
int finish(const Forwarding& forwarding, const Peer& peer, MPI_Request& request, MPI_Status* status, bool receives) {
  const auto code = drop_in::with_errors_on(peer.comm, [&] {
    return drop_in::wait_unless_lost(forwarding, peer, [&](bool& done) {
      int flag = 0;
      const int result = PMPI_Test(&request, &flag, status);
      done = flag != 0;
      return result;
    });
  });
  if (code) return *code;
  abandon(request, receives);
  return drop_in::raise_lost(forwarding, peer.comm);
}

template <typename Start>
int send(const Forwarding& forwarding, int to, MPI_Comm comm, Start start) {
  MPI_Request request = MPI_REQUEST_NULL;
  const int code = start(&request);
  return code != MPI_SUCCESS ? code : finish(forwarding, {comm, to}, request, MPI_STATUS_IGNORE, false);
}

template <typename Test>
int wait(const Forwarding& forwarding, const Peer& peer, Test test) {
  const auto code = drop_in::wait_unless_lost(forwarding, peer, test);
  return code ? *code : drop_in::raise_lost(forwarding, peer.comm);
}

// After a loss the send may be left behind, and the MPI may still read the copy of what is replaced: it is kept then.
//
// `check` makes a send and does not start it: a send with wrong arguments must not leave a receive behind, which would
// take the next message.
template <typename Check, typename Receive, typename Send>
int exchange(const Forwarding& forwarding, MPI_Comm comm, int to, int from, MPI_Status* status, Check check,
             Receive receive, Send send) {
  MPI_Request receives = MPI_REQUEST_NULL;
  MPI_Request sends = MPI_REQUEST_NULL;
  int code = check(&sends);
  if (code != MPI_SUCCESS) return code;
  PMPI_Request_free(&sends);
  code = receive(&receives);
  if (code == MPI_SUCCESS) code = send(&sends);
  if (code != MPI_SUCCESS) {
    abandon(receives, true);
    return code;
  }
  const int received = finish(forwarding, {comm, from}, receives, status, true);
  const int sent = finish(forwarding, {comm, to}, sends, MPI_STATUS_IGNORE, false);
  // The status of MPICH's own requests is wrong there.
  if (from == MPI_PROC_NULL && received == MPI_SUCCESS)
    PMPI_Recv(nullptr, 0, MPI_BYTE, MPI_PROC_NULL, MPI_ANY_TAG, comm, status);
  return received != MPI_SUCCESS ? received : sent;
}

}  // namespace

#define SEND(name, start, Count)                                                                                  \
  extern "C" int MPI_##name(const void* buffer, Count count, MPI_Datatype type, int to, int tag, MPI_Comm comm) { \
    const Forwarding* const forwarding = drop_in::forwarding();                                                   \
    if (forwarding == nullptr) return PMPI_##name(buffer, count, type, to, tag, comm);                            \
    return send(*forwarding, to, comm,                                                                            \
                [&](MPI_Request* request) { return PMPI_##start(buffer, count, type, to, tag, comm, request); }); \
  }

// There is no message from MPI_PROC_NULL to wait for.
#define RECEIVE(name, start, Count)                                                                         \
  extern "C" int MPI_##name(void* buffer, Count count, MPI_Datatype type, int from, int tag, MPI_Comm comm, \
                            MPI_Status* status) {                                                           \
    const Forwarding* const forwarding = drop_in::forwarding();                                             \
    if (forwarding == nullptr || from == MPI_PROC_NULL)                                                     \
      return PMPI_##name(buffer, count, type, from, tag, comm, status);                                     \
    MPI_Request request = MPI_REQUEST_NULL;                                                                 \
    const int code = PMPI_##start(buffer, count, type, from, tag, comm, &request);                          \
    return code != MPI_SUCCESS ? code : finish(*forwarding, {comm, from}, request, status, true);           \
  }

#define MATCHED_RECEIVE(name, start, Count)                                                                           \
  extern "C" int MPI_##name(void* buffer, Count count, MPI_Datatype type, MPI_Message* message, MPI_Status* status) { \
    const Forwarding* const forwarding = drop_in::forwarding();                                                       \
    if (forwarding == nullptr || message == nullptr || *message == MPI_MESSAGE_NO_PROC)                               \
      return PMPI_##name(buffer, count, type, message, status);                                                       \
    MPI_Request request = MPI_REQUEST_NULL;                                                                           \
    const int code = PMPI_##start(buffer, count, type, message, &request);                                            \
    return code != MPI_SUCCESS ? code : finish(*forwarding, {}, request, status, true);                               \
  }

#define EXCHANGE(suffix, Count)                                                                                      \
  extern "C" int MPI_Sendrecv##suffix(const void* out, Count out_count, MPI_Datatype out_type, int to, int out_tag,  \
                                      void* in, Count in_count, MPI_Datatype in_type, int from, int in_tag,          \
                                      MPI_Comm comm, MPI_Status* status) {                                           \
    const Forwarding* const forwarding = drop_in::forwarding();                                                      \
    if (forwarding == nullptr)                                                                                       \
      return PMPI_Sendrecv##suffix(out, out_count, out_type, to, out_tag, in, in_count, in_type, from, in_tag, comm, \
                                   status);                                                                          \
    return exchange(                                                                                                 \
        *forwarding, comm, to, from, status,                                                                         \
        [&](MPI_Request* sends) {                                                                                    \
          return PMPI_Send_init##suffix(out, out_count, out_type, to, out_tag, comm, sends);                         \
        },                                                                                                           \
        [&](MPI_Request* receives) {                                                                                 \
          return PMPI_Irecv##suffix(in, in_count, in_type, from, in_tag, comm, receives);                            \
        },                                                                                                           \
        [&](MPI_Request* sends) { return PMPI_Isend##suffix(out, out_count, out_type, to, out_tag, comm, sends); }); \
  }                                                                                                                  \
  extern "C" int MPI_Sendrecv_replace##suffix(void* buffer, Count count, MPI_Datatype type, int to, int out_tag,     \
                                              int from, int in_tag, MPI_Comm comm, MPI_Status* status) {             \
    const Forwarding* const forwarding = drop_in::forwarding();                                                      \
    if (forwarding == nullptr)                                                                                       \
      return PMPI_Sendrecv_replace##suffix(buffer, count, type, to, out_tag, from, in_tag, comm, status);            \
    Count bytes = 0;                                                                                                 \
    const int sized = PMPI_Pack_size##suffix(count, type, comm, &bytes);                                             \
    if (sized != MPI_SUCCESS) return sized;                                                                          \
    return contained(comm, [&] {                                                                                     \
      auto packed = std::make_unique_for_overwrite<char[]>(static_cast<std::size_t>(bytes) + 1);                     \
      Count packed_bytes = 0;                                                                                        \
      int code = PMPI_Pack##suffix(buffer, count, type, packed.get(), bytes, &packed_bytes, comm);                   \
      if (code != MPI_SUCCESS) return code;                                                                          \
      code = exchange(                                                                                               \
          *forwarding, comm, to, from, status,                                                                       \
          [&](MPI_Request* sends) {                                                                                  \
            return PMPI_Send_init##suffix(packed.get(), packed_bytes, MPI_PACKED, to, out_tag, comm, sends);         \
          },                                                                                                         \
          [&](MPI_Request* receives) {                                                                               \
            return PMPI_Irecv##suffix(buffer, count, type, from, in_tag, comm, receives);                            \
          },                                                                                                         \
          [&](MPI_Request* sends) {                                                                                  \
            return PMPI_Isend##suffix(packed.get(), packed_bytes, MPI_PACKED, to, out_tag, comm, sends);             \
          });                                                                                                        \
      if (code != MPI_SUCCESS && forwarding->any_lost()) std::ignore = packed.release();                             \
      return code;                                                                                                   \
    });                                                                                                              \
  }

SEND(Send, Isend, int)
SEND(Ssend, Issend, int)
SEND(Rsend, Irsend, int)
RECEIVE(Recv, Irecv, int)
MATCHED_RECEIVE(Mrecv, Imrecv, int)
EXCHANGE(, int)
#if MPI_VERSION >= 4
SEND(Send_c, Isend_c, MPI_Count)
SEND(Ssend_c, Issend_c, MPI_Count)
SEND(Rsend_c, Irsend_c, MPI_Count)
RECEIVE(Recv_c, Irecv_c, MPI_Count)
MATCHED_RECEIVE(Mrecv_c, Imrecv_c, MPI_Count)
EXCHANGE(_c, MPI_Count)
#endif

extern "C" int MPI_Probe(int from, int tag, MPI_Comm comm, MPI_Status* status) {
  const Forwarding* const forwarding = drop_in::forwarding();
  if (forwarding == nullptr) return PMPI_Probe(from, tag, comm, status);
  return wait(*forwarding, {comm, from}, [&](bool& done) {
    int flag = 0;
    const int code = PMPI_Iprobe(from, tag, comm, &flag, status);
    done = flag != 0;
    return code;
  });
}

extern "C" int MPI_Mprobe(int from, int tag, MPI_Comm comm, MPI_Message* message, MPI_Status* status) {
  const Forwarding* const forwarding = drop_in::forwarding();
  if (forwarding == nullptr) return PMPI_Mprobe(from, tag, comm, message, status);
  return wait(*forwarding, {comm, from}, [&](bool& done) {
    int flag = 0;
    const int code = PMPI_Improbe(from, tag, comm, &flag, message, status);
    done = flag != 0;
    return code;
  });
}

extern "C" int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  const Forwarding* const forwarding = drop_in::forwarding();
  if (forwarding == nullptr) return PMPI_Wait(request, status);
  return wait(*forwarding, {}, [&](bool& done) {
    int flag = 0;
    const int code = PMPI_Test(request, &flag, status);
    done = flag != 0;
    return code;
  });
}

extern "C" int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
  const Forwarding* const forwarding = drop_in::forwarding();
  if (forwarding == nullptr) return PMPI_Waitall(count, requests, statuses);
  return wait(*forwarding, {}, [&](bool& done) {
    int flag = 0;
    const int code = PMPI_Testall(count, requests, &flag, statuses);
    done = flag != 0;
    return code;
  });
}

extern "C" int MPI_Waitany(int count, MPI_Request requests[], int* index, MPI_Status* status) {
  const Forwarding* const forwarding = drop_in::forwarding();
  if (forwarding == nullptr) return PMPI_Waitany(count, requests, index, status);
  return wait(*forwarding, {}, [&](bool& done) {
    int flag = 0;
    const int code = PMPI_Testany(count, requests, index, &flag, status);
    done = flag != 0;
    return code;
  });
}

extern "C" int MPI_Waitsome(int count, MPI_Request requests[], int* ended, int indices[], MPI_Status statuses[]) {
  const Forwarding* const forwarding = drop_in::forwarding();
  if (forwarding == nullptr) return PMPI_Waitsome(count, requests, ended, indices, statuses);
  return wait(*forwarding, {}, [&](bool& done) {
    const int code = PMPI_Testsome(count, requests, ended, indices, statuses);
    done = *ended != 0;  // MPI_UNDEFINED: no request was active
    return code;
  });
}

extern "C" int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler) {
  const int code = PMPI_Comm_set_errhandler(comm, handler);
  if (code == MPI_SUCCESS && comm == MPI_COMM_WORLD) drop_in::errors_are_fatal(handler == MPI_ERRORS_ARE_FATAL);
  return code;
}
