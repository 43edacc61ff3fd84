// The Fortran interface, for the calls that mpi_interface.cpp has for C. The MPI's own Fortran interface calls its
// profiling names and not ours. So arguments are converted to C here: handles, MPI_IN_PLACE and MPI_BOTTOM.
#include <mpi.h>

#include <functional>
#include <vector>

#include "algorithms/mpi/drop_in/dispatch.hpp"
#include "algorithms/mpi/drop_in/fortran.hpp"
#include "algorithms/mpi/drop_in/forwarding.hpp"
#include "algorithms/mpi/drop_in/lost_peers.hpp"
#include "algorithms/mpi/drop_in/session.hpp"
#include "algorithms/mpi/drop_in/topology_calls.hpp"
#include "algorithms/mpi/library/coordinates.hpp"
#include "algorithms/mpi/library/topologies.hpp"
#include "algorithms/process/loaded_symbol.hpp"

using namespace isthmus;
using namespace drop_in::fortran;

namespace {

// Fortran's variables that represent constants.
struct Constants {
  const void* in_place;
  const void* bottom;
};

#if defined(MPICH_VERSION)
// MPICH has variables that point there, and sets them in the first of its own calls.
Constants constants_of_mpi() {
  auto* const unset = static_cast<int*>(loaded_symbol("MPIR_F_NeedInit"));
  if (unset != nullptr && *unset != 0) {
    beneath("mpirinitf_");
    *unset = 0;
  }
  const auto pointed_at = [](const char* name) {
    const auto* const pointer = static_cast<void* const*>(loaded_symbol(name));
    return pointer != nullptr ? *pointer : nullptr;
  };
  return {pointed_at("MPIR_F_MPI_IN_PLACE"), pointed_at("MPIR_F_MPI_BOTTOM")};
}
#else
Constants constants_of_mpi() { return {loaded_symbol("mpi_fortran_in_place_"), loaded_symbol("mpi_fortran_bottom_")}; }
#endif

void* buffer(void* address) {
  if (address == nullptr) return address;
  static const Constants constants = constants_of_mpi();
  if (address == constants.in_place) return MPI_IN_PLACE;
  if (address == constants.bottom) return MPI_BOTTOM;
  return address;
}

MPI_Datatype type_of(const Int* handle) { return PMPI_Type_f2c(*handle); }
MPI_Op op_of(const Int* handle) { return PMPI_Op_f2c(*handle); }

// The datatypes of alltoallw, if the side matters on this rank.
class Types {
 public:
  Types(const Int* handles, const Int* comm, bool matter) {
    int inter = 0;
    int size = 0;
    if (!matter || PMPI_Comm_test_inter(comm_of(comm), &inter) != MPI_SUCCESS) return;
    if (inter != 0)
      PMPI_Comm_remote_size(comm_of(comm), &size);
    else
      PMPI_Comm_size(comm_of(comm), &size);
    for (int rank = 0; rank < size; ++rank) types_.push_back(type_of(handles + rank));
  }
  operator const MPI_Datatype*() const { return types_.data(); }

 private:
  std::vector<MPI_Datatype> types_;
};

// The same among neighbours.
class NeighbourTypes {
 public:
  NeighbourTypes(const Int* handles, const Int* comm) : handles_(handles), degrees_(degrees_of(comm_of(comm))) {}
  const MPI_Datatype* sent() { return first(degrees_.sent); }
  const MPI_Datatype* received() { return first(degrees_.received); }

 private:
  const MPI_Datatype* first(int number) {
    types_.assign(1, MPI_DATATYPE_NULL);  // not null where there is none
    for (int i = 0; i < number; ++i) types_.insert(types_.end() - 1, type_of(handles_ + i));
    return types_.data();
  }

  const Int* handles_;
  BlockNumbers degrees_;
  std::vector<MPI_Datatype> types_;
};

// Starts a call by `dispatch`, which converts its arguments; that may take memory.
template <typename Dispatch>
void start(MPI_Comm comm, Int* request, Int* error, Dispatch dispatch) {
  MPI_Request started = MPI_REQUEST_NULL;
  const int code = contained(comm, [&] { return dispatch(&started); });
  if (code == MPI_SUCCESS) *request = PMPI_Request_c2f(started);
  set(error, code);
}

}  // namespace

#define COLLECTIVE(name, iname, parameters, call)                                              \
  extern "C" void mpi_##name##_(PARAMETERS parameters, Int* error) {                           \
    set(error, contained(comm_of(comm), [&] { return drop_in::dispatch_blocking(call); }));    \
  }                                                                                            \
  extern "C" void mpi_##iname##_(PARAMETERS parameters, Int* request, Int* error) {            \
    start(comm_of(comm), request, error,                                                       \
          [&](MPI_Request* started) { return drop_in::dispatch_nonblocking(call, started); }); \
  }                                                                                            \
  FORTRAN_NAMES(mpi_##name)                                                                    \
  FORTRAN_NAMES(mpi_##iname)

// What is sent and received: blocks of one size; of sizes of their own where they are received; of pairs of ranks.
#define BLOCKS void *send, Int *send_count, Int *send_type, void *receive, Int *receive_count, Int *receive_type
#define BLOCKS_PASSED \
  buffer(send), *send_count, type_of(send_type), buffer(receive), *receive_count, type_of(receive_type)
#define GATHERED \
  void *send, Int *send_count, Int *send_type, void *receive, Int *receive_counts, Int *displacements, Int *receive_type
#define GATHERED_PASSED \
  buffer(send), *send_count, type_of(send_type), buffer(receive), receive_counts, displacements, type_of(receive_type)
#define EXCHANGED                                                                                            \
  void *send, Int *send_counts, Int *send_displacements, Int *send_type, void *receive, Int *receive_counts, \
      Int *receive_displacements, Int *receive_type
#define EXCHANGED_PASSED                                                                              \
  buffer(send), send_counts, send_displacements, type_of(send_type), buffer(receive), receive_counts, \
      receive_displacements, type_of(receive_type)

COLLECTIVE(barrier, ibarrier, (Int * comm), calls::barrier(comm_of(comm)))
COLLECTIVE(bcast, ibcast, (void* data, Int* count, Int* datatype, Int* root, Int* comm),
           calls::broadcast(buffer(data), *count, type_of(datatype), *root, comm_of(comm)))
COLLECTIVE(reduce, ireduce, (void* send, void* receive, Int* count, Int* datatype, Int* op, Int* root, Int* comm),
           calls::reduce(buffer(send), buffer(receive), *count, type_of(datatype), op_of(op), *root, comm_of(comm)))
COLLECTIVE(allreduce, iallreduce, (void* send, void* receive, Int* count, Int* datatype, Int* op, Int* comm),
           calls::allreduce(buffer(send), buffer(receive), *count, type_of(datatype), op_of(op), comm_of(comm)))
COLLECTIVE(gather, igather, (BLOCKS, Int* root, Int* comm), calls::gather(BLOCKS_PASSED, *root, comm_of(comm)))
COLLECTIVE(gatherv, igatherv, (GATHERED, Int* root, Int* comm), calls::gatherv(GATHERED_PASSED, *root, comm_of(comm)))
COLLECTIVE(scatter, iscatter, (BLOCKS, Int* root, Int* comm), calls::scatter(BLOCKS_PASSED, *root, comm_of(comm)))
COLLECTIVE(scatterv, iscatterv,
           (void* send, Int* send_counts, Int* displacements, Int* send_type, void* receive, Int* receive_count,
            Int* receive_type, Int* root, Int* comm),
           calls::scatterv(buffer(send), send_counts, displacements, type_of(send_type), buffer(receive),
                           *receive_count, type_of(receive_type), *root, comm_of(comm)))
COLLECTIVE(allgather, iallgather, (BLOCKS, Int* comm), calls::allgather(BLOCKS_PASSED, comm_of(comm)))
COLLECTIVE(allgatherv, iallgatherv, (GATHERED, Int* comm), calls::allgatherv(GATHERED_PASSED, comm_of(comm)))
COLLECTIVE(alltoall, ialltoall, (BLOCKS, Int* comm), calls::alltoall(BLOCKS_PASSED, comm_of(comm)))
COLLECTIVE(alltoallv, ialltoallv, (EXCHANGED, Int* comm), calls::alltoallv(EXCHANGED_PASSED, comm_of(comm)))
COLLECTIVE(alltoallw, ialltoallw,
           (void* send, Int* send_counts, Int* send_displacements, Int* send_types, void* receive, Int* receive_counts,
            Int* receive_displacements, Int* receive_types, Int* comm),
           calls::alltoallw(buffer(send), send_counts, send_displacements,
                            Types(send_types, comm, buffer(send) != MPI_IN_PLACE), buffer(receive), receive_counts,
                            receive_displacements, Types(receive_types, comm, true), comm_of(comm)))
COLLECTIVE(neighbor_allgather, ineighbor_allgather, (BLOCKS, Int* comm),
           calls::neighbour_allgather(BLOCKS_PASSED, comm_of(comm)))
COLLECTIVE(neighbor_allgatherv, ineighbor_allgatherv, (GATHERED, Int* comm),
           calls::neighbour_allgatherv(GATHERED_PASSED, comm_of(comm)))
COLLECTIVE(neighbor_alltoall, ineighbor_alltoall, (BLOCKS, Int* comm),
           calls::neighbour_alltoall(BLOCKS_PASSED, comm_of(comm)))
COLLECTIVE(neighbor_alltoallv, ineighbor_alltoallv, (EXCHANGED, Int* comm),
           calls::neighbour_alltoallv(EXCHANGED_PASSED, comm_of(comm)))
COLLECTIVE(neighbor_alltoallw, ineighbor_alltoallw,
           (void* send, Int* send_counts, MPI_Aint* send_displacements, Int* send_types, void* receive,
            Int* receive_counts, MPI_Aint* receive_displacements, Int* receive_types, Int* comm),
           calls::neighbour_alltoallw(buffer(send), send_counts, send_displacements,
                                      NeighbourTypes(send_types, comm).sent(), buffer(receive), receive_counts,
                                      receive_displacements, NeighbourTypes(receive_types, comm).received(),
                                      comm_of(comm)))
COLLECTIVE(reduce_scatter, ireduce_scatter,
           (void* send, void* receive, Int* receive_counts, Int* datatype, Int* op, Int* comm),
           calls::reduce_scatter(buffer(send), buffer(receive), receive_counts, type_of(datatype), op_of(op),
                                 comm_of(comm)))
COLLECTIVE(reduce_scatter_block, ireduce_scatter_block,
           (void* send, void* receive, Int* receive_count, Int* datatype, Int* op, Int* comm),
           calls::reduce_scatter_block(buffer(send), buffer(receive), *receive_count, type_of(datatype), op_of(op),
                                       comm_of(comm)))
COLLECTIVE(scan, iscan, (void* send, void* receive, Int* count, Int* datatype, Int* op, Int* comm),
           calls::scan(buffer(send), buffer(receive), *count, type_of(datatype), op_of(op), comm_of(comm)))
COLLECTIVE(exscan, iexscan, (void* send, void* receive, Int* count, Int* datatype, Int* op, Int* comm),
           calls::exscan(buffer(send), buffer(receive), *count, type_of(datatype), op_of(op), comm_of(comm)))

extern "C" void mpi_op_free_(Int* op, Int* error) {
  MPI_Op freed = op_of(op);
  const int code = drop_in::free_op(&freed);
  if (code == MPI_SUCCESS) *op = PMPI_Op_c2f(freed);
  set(error, code);
}
FORTRAN_NAMES(mpi_op_free)
extern "C" void mpi_type_free_(Int* datatype, Int* error) {
  MPI_Datatype freed = type_of(datatype);
  const int code = drop_in::free_type(&freed);
  if (code == MPI_SUCCESS) *datatype = PMPI_Type_c2f(freed);
  set(error, code);
}
FORTRAN_NAMES(mpi_type_free)

// Calls the Fortran names of the MPI beneath, which handle logicals and initialisation.
#define MAKES_COMM_THEN(then, name, parameters, ...)                            \
  extern "C" void mpi_##name##_(PARAMETERS parameters, Int* made, Int* error) { \
    const drop_in::EndsWithLoss guard;                                          \
    Int code = MPI_SUCCESS;                                                     \
    beneath("pmpi_" #name "_", __VA_ARGS__, made, &code);                       \
    if (code == MPI_SUCCESS) code = drop_in::then(comm_of(made));               \
    set(error, code);                                                           \
  }                                                                             \
  FORTRAN_NAMES(mpi_##name)
#define MAKES_COMM(name, parameters, ...) MAKES_COMM_THEN(made, name, parameters, __VA_ARGS__)

MAKES_COMM_THEN(made_of_group, comm_create_group, (Int * comm, Int* group, Int* tag), comm, group, tag)
MAKES_COMM(comm_dup, (Int * comm), comm)
MAKES_COMM(comm_dup_with_info, (Int * comm, Int* info), comm, info)
MAKES_COMM(comm_split, (Int * comm, Int* color, Int* key), comm, color, key)
MAKES_COMM(comm_split_type, (Int * comm, Int* type, Int* key, Int* info), comm, type, key, info)
MAKES_COMM(comm_create, (Int * comm, Int* group), comm, group)
MAKES_COMM(intercomm_merge, (Int * inter, Int* high), inter, high)

#define GUARDED(name, parameters, ...)                               \
  extern "C" void mpi_##name##_(PARAMETERS parameters, Int* error) { \
    const drop_in::EndsWithLoss guard;                               \
    Int code = MPI_SUCCESS;                                          \
    beneath("pmpi_" #name "_", __VA_ARGS__, &code);                  \
    set(error, code);                                                \
  }                                                                  \
  FORTRAN_NAMES(mpi_##name)

GUARDED(intercomm_create, (Int * own, Int* leader, Int* peer, Int* remote_leader, Int* tag, Int* made), own, leader,
        peer, remote_leader, tag, made)
GUARDED(comm_free, (Int * comm), comm)
GUARDED(comm_disconnect, (Int * comm), comm)

// MPICH goes on by the names of C, which are guarded.
#ifdef OPEN_MPI
// With the lengths of texts behind the error.
#define GUARDED_WITH_TEXTS(name, parameters, lengths, texts, ...)                        \
  extern "C" void mpi_##name##_(PARAMETERS parameters, Int* error, PARAMETERS lengths) { \
    const drop_in::EndsWithLoss guard;                                                   \
    Int code = MPI_SUCCESS;                                                              \
    beneath("pmpi_" #name "_", __VA_ARGS__, &code, PARAMETERS texts);                    \
    set(error, code);                                                                    \
  }                                                                                      \
  FORTRAN_NAMES(mpi_##name)
// What is handed on as it is.
#define ONE(name) GUARDED(name, (void* a), a)
#define TWO(name) GUARDED(name, (void* a, void* b), a, b)
#define THREE(name) GUARDED(name, (void* a, void* b, void* c), a, b, c)
#define FOUR(name) GUARDED(name, (void* a, void* b, void* c, void* d), a, b, c, d)
#define FIVE(name) GUARDED(name, (void* a, void* b, void* c, void* d, void* e), a, b, c, d, e)
#define SIX(name) GUARDED(name, (void* a, void* b, void* c, void* d, void* e, void* f), a, b, c, d, e, f)

GUARDED_WITH_TEXTS(comm_spawn,
                   (void* command, void* words, void* processes, void* info, void* root, void* comm, void* made,
                    void* codes),
                   (std::size_t command_length, std::size_t word_length), (command_length, word_length), command, words,
                   processes, info, root, comm, made, codes)
GUARDED_WITH_TEXTS(comm_spawn_multiple,
                   (void* count, void* commands, void* words, void* processes, void* infos, void* root, void* comm,
                    void* made, void* codes),
                   (std::size_t command_length, std::size_t word_length), (command_length, word_length), count,
                   commands, words, processes, infos, root, comm, made, codes)
GUARDED_WITH_TEXTS(comm_accept, (void* port, void* info, void* root, void* comm, void* made), (std::size_t length),
                   (length), port, info, root, comm, made)
GUARDED_WITH_TEXTS(comm_connect, (void* port, void* info, void* root, void* comm, void* made), (std::size_t length),
                   (length), port, info, root, comm, made)
TWO(comm_join)

SIX(win_create)
SIX(win_allocate)
SIX(win_allocate_shared)
THREE(win_create_dynamic)
ONE(win_free)
TWO(win_fence)
THREE(win_start)
ONE(win_complete)
ONE(win_wait)
FOUR(win_lock)
TWO(win_lock_all)
TWO(win_unlock)
ONE(win_unlock_all)
TWO(win_flush)
ONE(win_flush_all)
TWO(win_flush_local)
ONE(win_flush_local_all)

GUARDED_WITH_TEXTS(file_open, (void* comm, void* file_name, void* mode, void* info, void* file), (std::size_t length),
                   (length), comm, file_name, mode, info, file)
GUARDED_WITH_TEXTS(file_set_view, (void* file, void* at, void* unit, void* type, void* form, void* info),
                   (std::size_t length), (length), file, at, unit, type, form, info)
ONE(file_close)
TWO(file_set_size)
TWO(file_preallocate)
TWO(file_set_atomicity)
ONE(file_sync)
THREE(file_seek_shared)
FIVE(file_read_all)
FIVE(file_write_all)
FIVE(file_read_ordered)
FIVE(file_write_ordered)
SIX(file_read_at_all)
SIX(file_write_at_all)
FOUR(file_read_all_begin)
FOUR(file_write_all_begin)
FOUR(file_read_ordered_begin)
FOUR(file_write_ordered_begin)
FIVE(file_read_at_all_begin)
FIVE(file_write_at_all_begin)
THREE(file_read_all_end)
THREE(file_write_all_end)
THREE(file_read_ordered_end)
THREE(file_write_ordered_end)
THREE(file_read_at_all_end)
THREE(file_write_at_all_end)
#endif

// A logical of Fortran is true where it is not 0, as gfortran has it.
extern "C" void mpi_cart_create_(Int* comm, Int* dimensions, Int* sizes, Int* periodic, Int* reorder, Int* made,
                                 Int* error) {
  MPI_Comm cart = MPI_COMM_NULL;
  const int code = drop_in::create_cart(comm_of(comm), *dimensions, sizes, periodic, *reorder, &cart);
  if (code == MPI_SUCCESS) *made = PMPI_Comm_c2f(cart);
  set(error, code);
}
FORTRAN_NAMES(mpi_cart_create)
extern "C" void mpi_graph_create_(Int* comm, Int* nodes, Int* index, Int* edges, Int* reorder, Int* made, Int* error) {
  MPI_Comm graph = MPI_COMM_NULL;
  const int code = drop_in::create_graph(comm_of(comm), *nodes, index, edges, *reorder, &graph);
  if (code == MPI_SUCCESS) *made = PMPI_Comm_c2f(graph);
  set(error, code);
}
FORTRAN_NAMES(mpi_graph_create)

// Fortran's constants for weights are known to the MPI's own names alone.
template <typename Beneath>
void create_dist_graph(const char* name, const Int* comm, const Int* info, const Int* reorder, Int* made, Int* error,
                       Beneath make) {
  MPI_Comm graph = MPI_COMM_NULL;
  const auto mpi = [&](int order) {
    Int chosen = order;
    Int plain = 0;
    Int failed = MPI_SUCCESS;
    make(&chosen, &plain, &failed);
    if (failed == MPI_SUCCESS) graph = comm_of(&plain);
    return static_cast<int>(failed);
  };
  const int code =
      drop_in::create_dist_graph(name, comm_of(comm), PMPI_Info_f2c(*info), *reorder, &graph, std::ref(mpi));
  if (code == MPI_SUCCESS) *made = PMPI_Comm_c2f(graph);
  set(error, code);
}
extern "C" void mpi_dist_graph_create_(Int* comm, Int* nodes, Int* sources, Int* degrees, Int* destinations,
                                       Int* weights, Int* info, Int* reorder, Int* made, Int* error) {
  create_dist_graph("Dist_graph_create", comm, info, reorder, made, error, [&](Int* order, Int* plain, Int* failed) {
    beneath("pmpi_dist_graph_create_", comm, nodes, sources, degrees, destinations, weights, info, order, plain,
            failed);
  });
}
FORTRAN_NAMES(mpi_dist_graph_create)
extern "C" void mpi_dist_graph_create_adjacent_(Int* comm, Int* indegree, Int* sources, Int* source_weights,
                                                Int* outdegree, Int* destinations, Int* destination_weights, Int* info,
                                                Int* reorder, Int* made, Int* error) {
  create_dist_graph("Dist_graph_create_adjacent", comm, info, reorder, made, error,
                    [&](Int* order, Int* plain, Int* failed) {
                      beneath("pmpi_dist_graph_create_adjacent_", comm, indegree, sources, source_weights, outdegree,
                              destinations, destination_weights, info, order, plain, failed);
                    });
}
FORTRAN_NAMES(mpi_dist_graph_create_adjacent)

extern "C" void mpi_cart_rank_(Int* comm, Int* coordinates, Int* rank, Int* error) {
  set(error, cart_rank(comm_of(comm), coordinates, rank));
}
FORTRAN_NAMES(mpi_cart_rank)
extern "C" void mpi_cart_coords_(Int* comm, Int* rank, Int* dimensions, Int* coordinates, Int* error) {
  set(error, cart_coords(comm_of(comm), *rank, *dimensions, coordinates));
}
FORTRAN_NAMES(mpi_cart_coords)
extern "C" void mpi_cart_shift_(Int* comm, Int* dimension, Int* step, Int* source, Int* destination, Int* error) {
  set(error, cart_shift(comm_of(comm), *dimension, *step, source, destination));
}
FORTRAN_NAMES(mpi_cart_shift)
extern "C" void mpi_cart_get_(Int* comm, Int* dimensions, Int* sizes, Int* periodic, Int* coordinates, Int* error) {
  set(error, cart_get(comm_of(comm), *dimensions, sizes, periodic, coordinates));
}
FORTRAN_NAMES(mpi_cart_get)
extern "C" void mpi_cart_sub_(Int* comm, Int* remain, Int* made, Int* error) {
  MPI_Comm part = MPI_COMM_NULL;
  const int code = drop_in::sub_cart(comm_of(comm), remain, &part);
  if (code == MPI_SUCCESS) *made = PMPI_Comm_c2f(part);
  set(error, code);
}
FORTRAN_NAMES(mpi_cart_sub)

extern "C" void mpi_init_(Int* error) {
  Int code = MPI_SUCCESS;
  drop_in::refuse_other_mpi();
  drop_in::begin_forwarding();
  beneath("pmpi_init_", &code);
  if (code == MPI_SUCCESS) drop_in::begin_session();
  set(error, code);
}
FORTRAN_NAMES(mpi_init)
extern "C" void mpi_init_thread_(Int* required, Int* provided, Int* error) {
  Int code = MPI_SUCCESS;
  drop_in::refuse_other_mpi();
  drop_in::begin_forwarding();
  beneath("pmpi_init_thread_", required, provided, &code);
  if (code == MPI_SUCCESS) drop_in::begin_session();
  set(error, code);
}
FORTRAN_NAMES(mpi_init_thread)
extern "C" void mpi_finalize_(Int* error) {
  const int ended = drop_in::end_session();
  const int code = PMPI_Finalize();
  set(error, code == MPI_SUCCESS ? ended : code);
}
FORTRAN_NAMES(mpi_finalize)
