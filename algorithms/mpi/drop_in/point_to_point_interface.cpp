// Point-to-point calls that wait. They are the MPI's own; where messages are forwarded, each waits in a way that can
// end in an error when the last gateway is lost.
#include <mpi.h>

#include <vector>

#include "algorithms/mpi/drop_in/lost_peers.hpp"
#include "algorithms/mpi/executor/mpi_error.hpp"

using namespace isthmus;
using drop_in::Forwarding;
using drop_in::Peer;

namespace {

// Waits for a request of this call alone. After a loss a receive is cancelled; a send stays behind: nobody takes it.
int finish(const Forwarding& forwarding, const Peer& peer, MPI_Request& request, MPI_Status* status, bool receives) {
  const auto code = drop_in::wait_unless_lost(forwarding, peer, [&](bool& done) {
    int flag = 0;
    const int result = PMPI_Test(&request, &flag, status);
    done = flag != 0;
    return result;
  });
  if (code) return *code;
  if (receives) PMPI_Cancel(&request);
  PMPI_Request_free(&request);
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

int exchange(const Forwarding& forwarding, MPI_Comm comm, int to, int from, MPI_Request (&requests)[2],
             MPI_Status* status) {
  const int received = finish(forwarding, {comm, from}, requests[0], status, true);
  const int sent = finish(forwarding, {comm, to}, requests[1], MPI_STATUS_IGNORE, false);
  return received != MPI_SUCCESS ? received : sent;
}

}  // namespace

#define SEND(name, start)                                                                                         \
  extern "C" int MPI_##name(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {   \
    const Forwarding* const forwarding = drop_in::forwarding();                                                   \
    if (forwarding == nullptr) return PMPI_##name(buffer, count, type, to, tag, comm);                            \
    return send(*forwarding, to, comm,                                                                            \
                [&](MPI_Request* request) { return PMPI_##start(buffer, count, type, to, tag, comm, request); }); \
  }
SEND(Send, Isend)
SEND(Ssend, Issend)
SEND(Rsend, Irsend)

extern "C" int MPI_Recv(void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                        MPI_Status* status) {
  const Forwarding* const forwarding = drop_in::forwarding();
  if (forwarding == nullptr) return PMPI_Recv(buffer, count, type, from, tag, comm, status);
  MPI_Request request = MPI_REQUEST_NULL;
  const int code = PMPI_Irecv(buffer, count, type, from, tag, comm, &request);
  return code != MPI_SUCCESS ? code : finish(*forwarding, {comm, from}, request, status, true);
}

extern "C" int MPI_Mrecv(void* buffer, int count, MPI_Datatype type, MPI_Message* message, MPI_Status* status) {
  const Forwarding* const forwarding = drop_in::forwarding();
  if (forwarding == nullptr) return PMPI_Mrecv(buffer, count, type, message, status);
  MPI_Request request = MPI_REQUEST_NULL;
  const int code = PMPI_Imrecv(buffer, count, type, message, &request);
  return code != MPI_SUCCESS ? code : finish(*forwarding, {}, request, status, true);
}

extern "C" int MPI_Sendrecv(const void* out, int out_count, MPI_Datatype out_type, int to, int out_tag, void* in,
                            int in_count, MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm,
                            MPI_Status* status) {
  const Forwarding* const forwarding = drop_in::forwarding();
  if (forwarding == nullptr)
    return PMPI_Sendrecv(out, out_count, out_type, to, out_tag, in, in_count, in_type, from, in_tag, comm, status);
  MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  int code = PMPI_Irecv(in, in_count, in_type, from, in_tag, comm, &requests[0]);
  if (code == MPI_SUCCESS) code = PMPI_Isend(out, out_count, out_type, to, out_tag, comm, &requests[1]);
  return code != MPI_SUCCESS ? code : exchange(*forwarding, comm, to, from, requests, status);
}

extern "C" int MPI_Sendrecv_replace(void* buffer, int count, MPI_Datatype type, int to, int out_tag, int from,
                                    int in_tag, MPI_Comm comm, MPI_Status* status) {
  const Forwarding* const forwarding = drop_in::forwarding();
  if (forwarding == nullptr) return PMPI_Sendrecv_replace(buffer, count, type, to, out_tag, from, in_tag, comm, status);
  int bytes = 0;
  int code = PMPI_Pack_size(count, type, comm, &bytes);
  if (code != MPI_SUCCESS) return code;
  return contained(comm, [&] {
    std::vector<char> packed(static_cast<std::size_t>(bytes) + 1);
    int packed_bytes = 0;
    code = PMPI_Pack(buffer, count, type, packed.data(), bytes, &packed_bytes, comm);
    if (code != MPI_SUCCESS) return code;
    MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    code = PMPI_Irecv(buffer, count, type, from, in_tag, comm, &requests[0]);
    if (code == MPI_SUCCESS)
      code = PMPI_Isend(packed.data(), packed_bytes, MPI_PACKED, to, out_tag, comm, &requests[1]);
    return code != MPI_SUCCESS ? code : exchange(*forwarding, comm, to, from, requests, status);
  });
}

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
