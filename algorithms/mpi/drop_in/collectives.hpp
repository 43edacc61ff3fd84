// MPI's collectives as C has them, once for all forms: X(name, name after I, name in calls, parameters, arguments),
// where parameters and arguments are in parentheses. COUNT is int or MPI_Count and PLACE int or MPI_Aint, as whoever
// uses the lists defines them.
#pragma once

#define PARAMETERS(...) __VA_ARGS__
#define ISTHMUS_EXPAND(X, ...) X(__VA_ARGS__)

// What several collectives have alike.
#define EQUAL_BLOCKS                                                                               \
  (const void* send, COUNT send_count, MPI_Datatype send_type, void* receive, COUNT receive_count, \
   MPI_Datatype receive_type, MPI_Comm comm),                                                      \
      (send, send_count, send_type, receive, receive_count, receive_type, comm)
#define EQUAL_BLOCKS_AND_ROOT                                                                      \
  (const void* send, COUNT send_count, MPI_Datatype send_type, void* receive, COUNT receive_count, \
   MPI_Datatype receive_type, int root, MPI_Comm comm),                                            \
      (send, send_count, send_type, receive, receive_count, receive_type, root, comm)
#define RECEIVED_BLOCKS                                                                                     \
  (const void* send, COUNT send_count, MPI_Datatype send_type, void* receive, const COUNT receive_counts[], \
   const PLACE places[], MPI_Datatype receive_type, MPI_Comm comm),                                         \
      (send, send_count, send_type, receive, receive_counts, places, receive_type, comm)
#define EXCHANGED_BLOCKS                                                                                          \
  (const void* send, const COUNT send_counts[], const PLACE send_places[], MPI_Datatype send_type, void* receive, \
   const COUNT receive_counts[], const PLACE receive_places[], MPI_Datatype receive_type, MPI_Comm comm),         \
      (send, send_counts, send_places, send_type, receive, receive_counts, receive_places, receive_type, comm)
#define BLOCKS_OF_TYPES(place)                                                                                    \
  (const void* send, const COUNT send_counts[], const place send_places[], const MPI_Datatype send_types[],       \
   void* receive, const COUNT receive_counts[], const place receive_places[], const MPI_Datatype receive_types[], \
   MPI_Comm comm),                                                                                                \
      (send, send_counts, send_places, send_types, receive, receive_counts, receive_places, receive_types, comm)
#define OPERANDS                                                                                   \
  (const void* send, void* receive, COUNT count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm), \
      (send, receive, count, datatype, op, comm)

// All but the barrier, which has no large form.
#define COLLECTIVES_OF_A_GROUP(X)                                                                                     \
  X(Bcast, bcast, broadcast, (void* buffer, COUNT count, MPI_Datatype datatype, int root, MPI_Comm comm),             \
    (buffer, count, datatype, root, comm))                                                                            \
  X(Reduce, reduce, reduce,                                                                                           \
    (const void* send, void* receive, COUNT count, MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm),        \
    (send, receive, count, datatype, op, root, comm))                                                                 \
  ISTHMUS_EXPAND(X, Allreduce, allreduce, allreduce, OPERANDS)                                                        \
  ISTHMUS_EXPAND(X, Gather, gather, gather, EQUAL_BLOCKS_AND_ROOT)                                                    \
  X(Gatherv, gatherv, gatherv,                                                                                        \
    (const void* send, COUNT send_count, MPI_Datatype send_type, void* receive, const COUNT receive_counts[],         \
     const PLACE places[], MPI_Datatype receive_type, int root, MPI_Comm comm),                                       \
    (send, send_count, send_type, receive, receive_counts, places, receive_type, root, comm))                         \
  ISTHMUS_EXPAND(X, Scatter, scatter, scatter, EQUAL_BLOCKS_AND_ROOT)                                                 \
  X(Scatterv, scatterv, scatterv,                                                                                     \
    (const void* send, const COUNT send_counts[], const PLACE places[], MPI_Datatype send_type, void* receive,        \
     COUNT receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm),                                        \
    (send, send_counts, places, send_type, receive, receive_count, receive_type, root, comm))                         \
  ISTHMUS_EXPAND(X, Allgather, allgather, allgather, EQUAL_BLOCKS)                                                    \
  ISTHMUS_EXPAND(X, Allgatherv, allgatherv, allgatherv, RECEIVED_BLOCKS)                                              \
  ISTHMUS_EXPAND(X, Alltoall, alltoall, alltoall, EQUAL_BLOCKS)                                                       \
  ISTHMUS_EXPAND(X, Alltoallv, alltoallv, alltoallv, EXCHANGED_BLOCKS)                                                \
  ISTHMUS_EXPAND(X, Alltoallw, alltoallw, alltoallw, BLOCKS_OF_TYPES(PLACE))                                          \
  X(Reduce_scatter, reduce_scatter, reduce_scatter,                                                                   \
    (const void* send, void* receive, const COUNT receive_counts[], MPI_Datatype datatype, MPI_Op op, MPI_Comm comm), \
    (send, receive, receive_counts, datatype, op, comm))                                                              \
  ISTHMUS_EXPAND(X, Reduce_scatter_block, reduce_scatter_block, reduce_scatter_block, OPERANDS)                       \
  ISTHMUS_EXPAND(X, Scan, scan, scan, OPERANDS)                                                                       \
  ISTHMUS_EXPAND(X, Exscan, exscan, exscan, OPERANDS)

// Among the neighbours of a communicator with a topology.
#define COLLECTIVES_OF_NEIGHBOURS(X)                                                                 \
  ISTHMUS_EXPAND(X, Neighbor_allgather, neighbor_allgather, neighbour_allgather, EQUAL_BLOCKS)       \
  ISTHMUS_EXPAND(X, Neighbor_allgatherv, neighbor_allgatherv, neighbour_allgatherv, RECEIVED_BLOCKS) \
  ISTHMUS_EXPAND(X, Neighbor_alltoall, neighbor_alltoall, neighbour_alltoall, EQUAL_BLOCKS)          \
  ISTHMUS_EXPAND(X, Neighbor_alltoallv, neighbor_alltoallv, neighbour_alltoallv, EXCHANGED_BLOCKS)   \
  ISTHMUS_EXPAND(X, Neighbor_alltoallw, neighbor_alltoallw, neighbour_alltoallw, BLOCKS_OF_TYPES(MPI_Aint))
