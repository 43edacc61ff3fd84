/* isthmus.h from C: every form of every collective, against MPI's own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isthmus.h"

enum { most = 64 * 32 };

struct buffers {
  int rank, size;
  int send[most], receive[most], right[most];
};

static void clear(int* values) {
  for (int i = 0; i < most; ++i) values[i] = -1;
}

static int is_wrong(const struct buffers* b, int code, const char* form) {
  if (code == MPI_SUCCESS && memcmp(b->receive, b->right, sizeof b->right) == 0) return 0;
  printf("rank %d: %s is wrong, code %d\n", b->rank, form, code);
  return 1;
}

static int end(isthmus_request* request) {
  int code = MPI_SUCCESS;
  for (int done = 0; done == 0 && code == MPI_SUCCESS;) code = isthmus_test(request, &done);
  return code;
}

#define ARGUMENTS(...) __VA_ARGS__

#define BLOCKING(form, arguments)  \
  clear(b->receive);               \
  code = isthmus_##form arguments; \
  wrong += is_wrong(b, code, #form);

#define NON_BLOCKING(form, arguments)                   \
  clear(b->receive);                                    \
  code = isthmus_##form(ARGUMENTS arguments, &request); \
  if (code == MPI_SUCCESS) code = end(&request);        \
  wrong += is_wrong(b, code, #form);                    \
  wrong += request != ISTHMUS_REQUEST_NULL;

#define PERSISTENT(form, arguments)                          \
  code = isthmus_##form(ARGUMENTS arguments, &request);      \
  for (int start = 0; start < 2; ++start) {                  \
    clear(b->receive);                                       \
    if (code == MPI_SUCCESS) code = isthmus_start(&request); \
    if (code == MPI_SUCCESS) code = isthmus_wait(&request);  \
    wrong += is_wrong(b, code, #form);                       \
  }                                                          \
  wrong += isthmus_request_free(&request) != MPI_SUCCESS || request != ISTHMUS_REQUEST_NULL;

/* `right` is MPI's result with the same arguments. */
#define FORMS(name, mpi_name, arguments, large_arguments) \
  {                                                       \
    int* receive = b->right;                              \
    clear(receive);                                       \
    mpi_name arguments;                                   \
    receive = b->receive;                                 \
    BLOCKING(name, arguments)                             \
    BLOCKING(name##_c, large_arguments)                   \
    NON_BLOCKING(i##name, arguments)                      \
    NON_BLOCKING(i##name##_c, large_arguments)            \
    PERSISTENT(name##_init, arguments)                    \
    PERSISTENT(name##_init_c, large_arguments)            \
  }

int wrong_forms(MPI_Comm comm) {
  struct buffers* b = malloc(sizeof *b);
  int wrong = 0;
  int code = MPI_SUCCESS;
  isthmus_request request = ISTHMUS_REQUEST_NULL;
  MPI_Comm_rank(comm, &b->rank);
  MPI_Comm_size(comm, &b->size);
  for (int i = 0; i < most; ++i) b->send[i] = 1000 * b->rank + i;
  const int* send = b->send;
  const int root = b->size - 1;

  /* Blocks of 3; in the v forms of rank + 1, one place apart; in bytes for alltoallw. */
  int counts[32], places[32], ones[32], own_places[32], byte_places[32];
  MPI_Count large_counts[32], large_ones[32];
  MPI_Aint large_places[32], large_own_places[32], large_byte_places[32];
  MPI_Datatype types[32];
  for (int rank = 0, place = 0; rank < b->size; ++rank) {
    large_counts[rank] = counts[rank] = rank + 1;
    large_places[rank] = places[rank] = place;
    large_ones[rank] = ones[rank] = b->rank + 1;
    large_own_places[rank] = own_places[rank] = rank * (b->rank + 2);
    large_byte_places[rank] = byte_places[rank] = 4 * own_places[rank];
    types[rank] = MPI_INT;
    place += rank + 2;
  }
  int int_places[32];
  MPI_Aint large_int_places[32];
  for (int rank = 0; rank < b->size; ++rank) large_int_places[rank] = int_places[rank] = 4 * places[rank];

  /* A broadcast's buffer is the root's message as well. */
  int message[7];
  for (int form = 0; form < 6; ++form) {
    for (int i = 0; i < 7; ++i) message[i] = b->rank == root ? 70 + form + i : 0;
    code = form == 0   ? isthmus_broadcast(message, 7, MPI_INT, root, comm)
           : form == 1 ? isthmus_broadcast_c(message, 7, MPI_INT, root, comm)
           : form == 2 ? isthmus_ibroadcast(message, 7, MPI_INT, root, comm, &request)
           : form == 3 ? isthmus_ibroadcast_c(message, 7, MPI_INT, root, comm, &request)
           : form == 4 ? isthmus_broadcast_init(message, 7, MPI_INT, root, comm, &request)
                       : isthmus_broadcast_init_c(message, 7, MPI_INT, root, comm, &request);
    if (form > 3 && code == MPI_SUCCESS) code = isthmus_start(&request);
    if (code == MPI_SUCCESS) code = isthmus_wait(&request);
    if (form > 3 && code == MPI_SUCCESS) code = isthmus_request_free(&request);
    for (int i = 0; i < 7; ++i) code |= message[i] != 70 + form + i;
    if (code != MPI_SUCCESS) printf("rank %d: form %d of broadcast is wrong\n", b->rank, form);
    wrong += code != MPI_SUCCESS;
  }

  FORMS(reduce, MPI_Reduce, (send, receive, 9, MPI_INT, MPI_SUM, root, comm),
        (send, receive, 9, MPI_INT, MPI_SUM, root, comm))
  FORMS(allreduce, MPI_Allreduce, (send, receive, 9, MPI_INT, MPI_MAX, comm),
        (send, receive, 9, MPI_INT, MPI_MAX, comm))
  FORMS(gather, MPI_Gather, (send, 3, MPI_INT, receive, 3, MPI_INT, root, comm),
        (send, 3, MPI_INT, receive, 3, MPI_INT, root, comm))
  FORMS(gatherv, MPI_Gatherv, (send, b->rank + 1, MPI_INT, receive, counts, places, MPI_INT, root, comm),
        (send, b->rank + 1, MPI_INT, receive, large_counts, large_places, MPI_INT, root, comm))
  FORMS(scatter, MPI_Scatter, (send, 3, MPI_INT, receive, 3, MPI_INT, root, comm),
        (send, 3, MPI_INT, receive, 3, MPI_INT, root, comm))
  FORMS(scatterv, MPI_Scatterv, (send, counts, places, MPI_INT, receive, b->rank + 1, MPI_INT, root, comm),
        (send, large_counts, large_places, MPI_INT, receive, b->rank + 1, MPI_INT, root, comm))
  FORMS(allgather, MPI_Allgather, (send, 3, MPI_INT, receive, 3, MPI_INT, comm),
        (send, 3, MPI_INT, receive, 3, MPI_INT, comm))
  FORMS(allgatherv, MPI_Allgatherv, (send, b->rank + 1, MPI_INT, receive, counts, places, MPI_INT, comm),
        (send, b->rank + 1, MPI_INT, receive, large_counts, large_places, MPI_INT, comm))
  FORMS(alltoall, MPI_Alltoall, (send, 3, MPI_INT, receive, 3, MPI_INT, comm),
        (send, 3, MPI_INT, receive, 3, MPI_INT, comm))
  FORMS(alltoallv, MPI_Alltoallv, (send, ones, own_places, MPI_INT, receive, counts, places, MPI_INT, comm),
        (send, large_ones, large_own_places, MPI_INT, receive, large_counts, large_places, MPI_INT, comm))
  FORMS(alltoallw, MPI_Alltoallw, (send, ones, byte_places, types, receive, counts, int_places, types, comm),
        (send, large_ones, large_byte_places, types, receive, large_counts, large_int_places, types, comm))
  FORMS(reduce_scatter, MPI_Reduce_scatter, (send, receive, counts, MPI_INT, MPI_SUM, comm),
        (send, receive, large_counts, MPI_INT, MPI_SUM, comm))
  FORMS(reduce_scatter_block, MPI_Reduce_scatter_block, (send, receive, 3, MPI_INT, MPI_SUM, comm),
        (send, receive, 3, MPI_INT, MPI_SUM, comm))
  FORMS(scan, MPI_Scan, (send, receive, 9, MPI_INT, MPI_SUM, comm), (send, receive, 9, MPI_INT, MPI_SUM, comm))
  if (b->size > 1) {
    FORMS(exscan, MPI_Exscan, (send, receive, 9, MPI_INT, MPI_SUM, comm), (send, receive, 9, MPI_INT, MPI_SUM, comm))
  }
  clear(b->receive);
  clear(b->right);
  BLOCKING(barrier, (comm))
  NON_BLOCKING(ibarrier, (comm))
  PERSISTENT(barrier_init, (comm))
  free(b);
  return wrong;
}
