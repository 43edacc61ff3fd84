#include "algorithms/mpi/library/isthmus.h"

#include <memory>
#include <optional>

#include "algorithms/mpi/library/channel_comms.hpp"
#include "algorithms/mpi/library/dispatch.hpp"
#include "algorithms/mpi/library/request.hpp"
#include "algorithms/mpi/library/topologies.hpp"

struct isthmus_request_s {
  isthmus::Request request;
};

namespace {

using namespace isthmus;

int null_comm() {
  PMPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_COMM);
  return MPI_ERR_COMM;
}

int fail(MPI_Comm comm, int code) {
  return guarded(comm, [&] { return code; });
}

// Calls `run` if isthmus serves the call, else `beneath`. A call that isthmus cannot serve, which the drop-in leaves to
// the MPI, is an error here: the program has asked for isthmus.
template <typename Run, typename Beneath>
int carry_out(const CollectiveCall& call, Run run, Beneath beneath) {
  const CommAttributes* attributes = nullptr;
  const int code = guarded(call.comm, [&] {
    attributes = &attributes_of(call.comm);
    return attributes->failure;
  });
  if (code != MPI_SUCCESS) return code;
  const DispatchResult result = dispatch(call, *attributes, run);
  if (!result.passed) return result.code;
  if (*result.passed == PassThroughReason::plan) return fail(call.comm, result.decision.ready->refusal_code);
  if (*result.passed == PassThroughReason::intercommunicator && !fits_mpi(call)) return fail(call.comm, MPI_ERR_COUNT);
  return beneath();
}

int dispatch_blocking(CollectiveCall call) {
  if (call.comm == MPI_COMM_NULL) return null_comm();
  call.blocking = true;
  return carry_out(
      call, [&](const std::shared_ptr<CommState>& state, const CallDecision& decision) { state->run(call, decision); },
      [&] { return call_mpi(call); });
}

int with_request(CollectiveCall call, Request::Kind kind, isthmus_request* request) {
  if (call.comm == MPI_COMM_NULL) return null_comm();
  if (request == nullptr) return fail(call.comm, MPI_ERR_ARG);
  *request = ISTHMUS_REQUEST_NULL;
  call.started = kind == Request::Kind::once;
  return carry_out(
      call,
      [&](const std::shared_ptr<CommState>& state, const CallDecision& decision) {
        *request = new isthmus_request_s{Request(state, call, decision, kind)};
      },
      [&] {
        return guarded(call.comm, [&] {
          *request = new isthmus_request_s{Request(calls_in_flight(), call, kind)};
          return MPI_SUCCESS;
        });
      });
}

CollectiveCall large(CollectiveCall call) {
  call.large = true;
  return call;
}

// The handle of a request that has ended.
void ended(isthmus_request* request) {
  if ((*request)->request.persistent()) return;
  delete *request;
  *request = ISTHMUS_REQUEST_NULL;
}

int end_of(isthmus_request* request, int* flag) {
  const MPI_Comm comm = (*request)->request.comm();
  bool done = true;
  const int code = guarded(comm, [&] {
    if (flag == nullptr)
      (*request)->request.wait();
    else
      done = (*request)->request.test();
    return MPI_SUCCESS;
  });
  if (flag != nullptr) *flag = done ? 1 : 0;
  if (done) ended(request);
  return code;
}

int wrong(int code) {
  PMPI_Comm_call_errhandler(MPI_COMM_WORLD, code);
  return code;
}

// Calls `take` with the topology and the rank where there is such a level.
template <typename Take>
int at_level(MPI_Comm comm, int level, Take take) {
  if (comm == MPI_COMM_NULL) return null_comm();
  return guarded(comm, [&] {
    const CommAttributes& attributes = attributes_of(comm);
    if (attributes.intercommunicator()) return MPI_ERR_COMM;
    if (attributes.failure != MPI_SUCCESS) return attributes.failure;
    const Topology& topology = attributes.state->topology();
    if (level < 0 || level > topology.levels()) return MPI_ERR_ARG;
    return take(topology, attributes.state->rank());
  });
}

}  // namespace

int isthmus_start(isthmus_request* request) {
  if (request == nullptr || *request == ISTHMUS_REQUEST_NULL) return wrong(MPI_ERR_REQUEST);
  Request& started = (*request)->request;
  return guarded(started.comm(), [&] {
    if (!started.persistent() || started.active()) return MPI_ERR_REQUEST;
    started.start();
    return MPI_SUCCESS;
  });
}

int isthmus_test(isthmus_request* request, int* flag) {
  if (request == nullptr || flag == nullptr) return wrong(MPI_ERR_ARG);
  if (*request != ISTHMUS_REQUEST_NULL) return end_of(request, flag);
  *flag = 1;
  return MPI_SUCCESS;
}

int isthmus_wait(isthmus_request* request) {
  if (request == nullptr) return wrong(MPI_ERR_ARG);
  return *request == ISTHMUS_REQUEST_NULL ? MPI_SUCCESS : end_of(request, nullptr);
}

int isthmus_request_free(isthmus_request* request) {
  if (request == nullptr || *request == ISTHMUS_REQUEST_NULL) return wrong(MPI_ERR_REQUEST);
  const Request& freed = (*request)->request;
  const int code = guarded(freed.comm(), [&] { return freed.active() ? MPI_ERR_REQUEST : MPI_SUCCESS; });
  if (code != MPI_SUCCESS) return code;
  delete *request;
  *request = ISTHMUS_REQUEST_NULL;
  return MPI_SUCCESS;
}

int isthmus_channel_count() {
  int count = -1;
  guarded(MPI_COMM_WORLD, [&] {
    count = static_cast<int>(channel_comms().comms.size());
    return MPI_SUCCESS;
  });
  return count;
}

int isthmus_channel_comm(int index, MPI_Comm* comm) {
  if (comm == nullptr) return wrong(MPI_ERR_ARG);
  return guarded(MPI_COMM_WORLD, [&] {
    const ChannelComms& channels = channel_comms();
    if (index < 0 || index >= static_cast<int>(channels.comms.size())) return MPI_ERR_ARG;
    *comm = channels.comms[index];
    return MPI_SUCCESS;
  });
}

int isthmus_channel_world() {
  int world = -1;
  guarded(MPI_COMM_WORLD, [&] {
    world = channel_comms().world;
    return MPI_SUCCESS;
  });
  return world;
}

int isthmus_comm_levels(MPI_Comm comm, int* levels) {
  return at_level(comm, 0, [&](const Topology& topology, int) {
    *levels = topology.levels() + 1;
    return MPI_SUCCESS;
  });
}

int isthmus_comm_group(MPI_Comm comm, int level, MPI_Comm* group) {
  return at_level(comm, level, [&](const Topology& topology, int rank) {
    check_mpi(PMPI_Comm_split(comm, topology.group_at(rank, level), rank, group), {.call = "MPI_Comm_split"});
    return MPI_SUCCESS;
  });
}

int isthmus_comm_coordinators(MPI_Comm comm, int level, MPI_Comm* coordinators) {
  return at_level(comm, level, [&](const Topology& topology, int rank) {
    const bool speaks = topology.group(topology.group_at(rank, level)).ranks.front() == rank;
    check_mpi(PMPI_Comm_split(comm, speaks ? 0 : MPI_UNDEFINED, rank, coordinators), {.call = "MPI_Comm_split"});
    return MPI_SUCCESS;
  });
}

int isthmus_cart_create(MPI_Comm comm, int dimensions, const int sizes[], const int periodic[], int reorder,
                        MPI_Comm* cart) {
  if (comm == MPI_COMM_NULL) return null_comm();
  Reordering reordering;
  const int code = guarded(comm, [&] {
    if (reorder == 0) return MPI_SUCCESS;
    std::optional<CommGroups> groups = groups_of(comm);
    if (!groups || groups->reorder == ReorderForm::none) return MPI_SUCCESS;
    groups->reorder = ReorderForm::ranks;
    reordering = reorder_cart(comm, dimensions, sizes, periodic, *groups, cart);
    return MPI_SUCCESS;
  });
  if (code != MPI_SUCCESS || reordering.made) return code;
  return PMPI_Cart_create(comm, dimensions, sizes, periodic, reordering.in_order ? 0 : reorder, cart);
}

// The three forms of a call, and the same for large counts.
#define PARAMETERS(...) __VA_ARGS__
#define FORMS_OF_ONE_SIZE(name, parameters, arguments)                               \
  int isthmus_##name parameters { return dispatch_blocking(calls::name arguments); } \
  int isthmus_i##name(PARAMETERS parameters, isthmus_request* request) {             \
    return with_request(calls::name arguments, Request::Kind::once, request);        \
  }                                                                                  \
  int isthmus_##name##_init(PARAMETERS parameters, isthmus_request* request) {       \
    return with_request(calls::name arguments, Request::Kind::persistent, request);  \
  }
#define FORMS(name, parameters, large_parameters, arguments)                                          \
  FORMS_OF_ONE_SIZE(name, parameters, arguments)                                                      \
  int isthmus_##name##_c large_parameters { return dispatch_blocking(large(calls::name arguments)); } \
  int isthmus_i##name##_c(PARAMETERS large_parameters, isthmus_request* request) {                    \
    return with_request(large(calls::name arguments), Request::Kind::once, request);                  \
  }                                                                                                   \
  int isthmus_##name##_init_c(PARAMETERS large_parameters, isthmus_request* request) {                \
    return with_request(large(calls::name arguments), Request::Kind::persistent, request);            \
  }

// What is sent and received in blocks of one size.
#define BLOCKS(Count)                                                                             \
  const void *send, Count send_count, MPI_Datatype send_type, void *receive, Count receive_count, \
      MPI_Datatype receive_type
#define BLOCK_NAMES send, send_count, send_type, receive, receive_count, receive_type

FORMS(broadcast, (void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm),
      (void* buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm),
      (buffer, count, datatype, root, comm))
FORMS(reduce, (const void* send, void* receive, int count, MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm),
      (const void* send, void* receive, MPI_Count count, MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm),
      (send, receive, count, datatype, op, root, comm))
FORMS(allreduce, (const void* send, void* receive, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm),
      (const void* send, void* receive, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm),
      (send, receive, count, datatype, op, comm))
FORMS(gather, (BLOCKS(int), int root, MPI_Comm comm), (BLOCKS(MPI_Count), int root, MPI_Comm comm),
      (BLOCK_NAMES, root, comm))
FORMS(gatherv,
      (const void* send, int send_count, MPI_Datatype send_type, void* receive, const int receive_counts[],
       const int displacements[], MPI_Datatype receive_type, int root, MPI_Comm comm),
      (const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive, const MPI_Count receive_counts[],
       const MPI_Aint displacements[], MPI_Datatype receive_type, int root, MPI_Comm comm),
      (send, send_count, send_type, receive, receive_counts, displacements, receive_type, root, comm))
FORMS(scatter, (BLOCKS(int), int root, MPI_Comm comm), (BLOCKS(MPI_Count), int root, MPI_Comm comm),
      (BLOCK_NAMES, root, comm))
FORMS(scatterv,
      (const void* send, const int send_counts[], const int displacements[], MPI_Datatype send_type, void* receive,
       int receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm),
      (const void* send, const MPI_Count send_counts[], const MPI_Aint displacements[], MPI_Datatype send_type,
       void* receive, MPI_Count receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm),
      (send, send_counts, displacements, send_type, receive, receive_count, receive_type, root, comm))
FORMS(allgather, (BLOCKS(int), MPI_Comm comm), (BLOCKS(MPI_Count), MPI_Comm comm), (BLOCK_NAMES, comm))
FORMS(allgatherv,
      (const void* send, int send_count, MPI_Datatype send_type, void* receive, const int receive_counts[],
       const int displacements[], MPI_Datatype receive_type, MPI_Comm comm),
      (const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive, const MPI_Count receive_counts[],
       const MPI_Aint displacements[], MPI_Datatype receive_type, MPI_Comm comm),
      (send, send_count, send_type, receive, receive_counts, displacements, receive_type, comm))
FORMS(alltoall, (BLOCKS(int), MPI_Comm comm), (BLOCKS(MPI_Count), MPI_Comm comm), (BLOCK_NAMES, comm))
FORMS(alltoallv,
      (const void* send, const int send_counts[], const int send_displacements[], MPI_Datatype send_type, void* receive,
       const int receive_counts[], const int receive_displacements[], MPI_Datatype receive_type, MPI_Comm comm),
      (const void* send, const MPI_Count send_counts[], const MPI_Aint send_displacements[], MPI_Datatype send_type,
       void* receive, const MPI_Count receive_counts[], const MPI_Aint receive_displacements[],
       MPI_Datatype receive_type, MPI_Comm comm),
      (send, send_counts, send_displacements, send_type, receive, receive_counts, receive_displacements, receive_type,
       comm))
FORMS(alltoallw,
      (const void* send, const int send_counts[], const int send_displacements[], const MPI_Datatype send_types[],
       void* receive, const int receive_counts[], const int receive_displacements[], const MPI_Datatype receive_types[],
       MPI_Comm comm),
      (const void* send, const MPI_Count send_counts[], const MPI_Aint send_displacements[],
       const MPI_Datatype send_types[], void* receive, const MPI_Count receive_counts[],
       const MPI_Aint receive_displacements[], const MPI_Datatype receive_types[], MPI_Comm comm),
      (send, send_counts, send_displacements, send_types, receive, receive_counts, receive_displacements, receive_types,
       comm))
FORMS(reduce_scatter,
      (const void* send, void* receive, const int receive_counts[], MPI_Datatype datatype, MPI_Op op, MPI_Comm comm),
      (const void* send, void* receive, const MPI_Count receive_counts[], MPI_Datatype datatype, MPI_Op op,
       MPI_Comm comm),
      (send, receive, receive_counts, datatype, op, comm))
FORMS(reduce_scatter_block,
      (const void* send, void* receive, int receive_count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm),
      (const void* send, void* receive, MPI_Count receive_count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm),
      (send, receive, receive_count, datatype, op, comm))
FORMS(scan, (const void* send, void* receive, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm),
      (const void* send, void* receive, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm),
      (send, receive, count, datatype, op, comm))
FORMS(exscan, (const void* send, void* receive, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm),
      (const void* send, void* receive, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm),
      (send, receive, count, datatype, op, comm))
FORMS_OF_ONE_SIZE(barrier, (MPI_Comm comm), (comm))
