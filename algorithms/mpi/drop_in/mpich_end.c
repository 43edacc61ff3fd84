/* Loaded before MPICH: prevents a hang in its MPI_Finalize.
 *
 * MPICH over UCX ends its connections in MPI_Finalize, then waits for all ranks in a barrier of its process manager
 * (PMI). Over TCP an end has to be acknowledged by the peer, and nothing answers while a rank waits for that barrier,
 * since it only reads PMI's socket. So a rank that comes later than the answers to another take is never answered:
 * seen with nothing emulated, and in every run where messages to some ranks went through gateways. Here a rank that
 * waits for PMI goes on to answer. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#define NEXT(function) (__extension__(__typeof__(&(function))) dlsym(RTLD_NEXT, #function))

/* Of UCX. */
int ucp_worker_create(void* context, const void* parameters, void** worker);
void ucp_worker_destroy(void* worker);
unsigned ucp_worker_progress(void* worker);
void* ucp_disconnect_nb(void* endpoint);
int ucp_request_is_completed(void* request);

/* Whether the last gateway to some rank is lost. Of the drop-in, which this file is a part of, or absent. */
__attribute__((weak)) int drop_in_has_lost_ranks(void);

enum { most_workers = 64 /* of MPICH */, between_looks_ms = 1 };

static void* workers[most_workers];
static int ending; /* MPI_Finalize has begun to end connections */

int ucp_worker_create(void* context, const void* parameters, void** worker) {
  const int status = NEXT(ucp_worker_create)(context, parameters, worker);
  for (int i = 0; i < most_workers && status == 0; ++i) {
    if (workers[i] != NULL) continue;
    workers[i] = *worker;
    break;
  }
  return status;
}

void ucp_worker_destroy(void* worker) {
  for (int i = 0; i < most_workers; ++i)
    if (workers[i] == worker) workers[i] = NULL;
  NEXT(ucp_worker_destroy)(worker);
}

void* ucp_disconnect_nb(void* endpoint) {
  ending = 1;
  return NEXT(ucp_disconnect_nb)(endpoint);
}

int ucp_request_is_completed(void* request) {
  /* Nobody acknowledges an end to lost ranks. */
  if (ending && drop_in_has_lost_ranks != NULL && drop_in_has_lost_ranks()) return 1;
  static int (*beneath)(void*);
  if (beneath == NULL) beneath = NEXT(ucp_request_is_completed);
  return beneath(request);
}

static void answer_until_readable(int descriptor) {
  unsigned (*const progress)(void*) = NEXT(ucp_worker_progress);
  struct pollfd source = {.fd = descriptor, .events = POLLIN, .revents = 0};
  do
    for (int i = 0; i < most_workers; ++i)
      while (workers[i] != NULL && progress(workers[i]) != 0) continue;
  while (poll(&source, 1, between_looks_ms) == 0);
}

ssize_t read(int descriptor, void* into, size_t bytes) {
  static ssize_t (*beneath)(int, void*, size_t);
  if (beneath == NULL) beneath = NEXT(read);
  if (ending) {
    const char* const of_pmi = getenv("PMI_FD");
    if (of_pmi != NULL && atoi(of_pmi) == descriptor) answer_until_readable(descriptor);
  }
  return beneath(descriptor, into, bytes);
}
