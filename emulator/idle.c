/* Preloaded into the ranks: lets Open MPI wait instead of polling.
 *
 * An idle Open MPI polls its sockets with a zero timeout for ever. On a few processors that starves the ranks that have
 * something to do, and where a clock stands still while somebody computes (virtual time) it never ends. With
 * `mpi_yield_when_idle` Open MPI calls sched_yield() after each round of polling that brought nothing. This library
 * remembers the last set of descriptors polled with a zero timeout; sched_yield() then blocks on that set, for at most
 * `longest_wait_ms`, unless a poll since the previous yield returned something. What ended the wait is the answer of
 * the poll that follows: system calls are dear in an emulated kernel.
 *
 * A message of many frames would end such a wait with each of them. Open MPI's TCP transport reads what is there into
 * the parts that the message still lacks, and then a buffer for whatever comes behind it; so it is known what lacks,
 * and the socket is told to be readable only when that is there (SO_RCVLOWAT). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/* Open MPI also does work by its own clock; it must not sleep through that. */
enum { longest_wait_ms = 10 };

static __thread struct {
  enum { nothing, by_poll, by_epoll } kind;
  int epoll;
  struct pollfd* set;
  nfds_t count, room;
  int something_came;
  int ready; /* how many of the set are, as the wait has left it; 0: nothing to hand on */
} polled;

int epoll_wait(int epoll, struct epoll_event* events, int count, int timeout_ms) {
  const int result = (int)syscall(SYS_epoll_wait, epoll, events, count, timeout_ms);
  if (timeout_ms == 0) {
    polled.kind = by_epoll;
    polled.epoll = epoll;
    polled.something_came |= result != 0;
  }
  return result;
}

static int same_set(const struct pollfd* set, nfds_t count) {
  if (count != polled.count) return 0;
  for (nfds_t i = 0; i < count; ++i)
    if (set[i].fd != polled.set[i].fd || set[i].events != polled.set[i].events) return 0;
  return 1;
}

int poll(struct pollfd* set, nfds_t count, int timeout_ms) {
  if (timeout_ms == 0 && polled.ready > 0 && same_set(set, count)) {
    const int ready = polled.ready;
    memcpy(set, polled.set, count * sizeof *set);
    polled.ready = 0;
    polled.something_came = 1;
    polled.kind = by_poll;
    return ready;
  }
  polled.ready = 0;
  if (timeout_ms == 0) {
    if (count > polled.room) {
      struct pollfd* const larger = realloc(polled.set, (count + 64) * sizeof *set);
      if (larger != NULL) {
        polled.set = larger;
        polled.room = count + 64;
      }
    }
    if (count <= polled.room) {
      memcpy(polled.set, set, count * sizeof *set);
      polled.count = count;
      polled.kind = by_poll;
    }
  }
  const int result = (int)syscall(SYS_poll, set, count, timeout_ms);
  if (timeout_ms == 0) polled.something_came |= result != 0;
  return result;
}

int sched_yield(void) {
  if (polled.something_came) {
    polled.something_came = 0;
    return 0;
  }
  if (polled.kind == nothing) return (int)syscall(SYS_sched_yield);
  if (polled.kind == by_epoll) {
    struct pollfd one = {.fd = polled.epoll, .events = POLLIN, .revents = 0};
    syscall(SYS_poll, &one, 1, longest_wait_ms);
  } else {
    polled.ready = (int)syscall(SYS_poll, polled.set, polled.count, longest_wait_ms);
  }
  polled.kind = nothing;
  return 0;
}

/* Others may look at their sockets before a message is whole. */
static int is_transport(void* caller) {
  static void* known;
  if (caller == known) return 1;
  Dl_info about;
  if (dladdr(caller, &about) == 0 || about.dli_fname == NULL) return 0;
  const char* const slash = strrchr(about.dli_fname, '/');
  if (strcmp(slash != NULL ? slash + 1 : about.dli_fname, "mca_btl_tcp.so") != 0) return 0;
  known = caller;
  return 1;
}

/* Lets waits on a socket end when `lacking` bytes are there; with 1, when anything is. */
static void wake_at(int socket, size_t lacking) {
  enum { sockets = 4096, worth_it = 4096, most = 262144 /* the window stays open */ };
  static int wakes_at[sockets]; /* 0: has never been set, which is as 1 */
  if (socket < 0 || socket >= sockets) return;
  const int bytes = lacking < worth_it ? 1 : lacking > most ? most : (int)lacking;
  if (bytes == wakes_at[socket] || (bytes == 1 && wakes_at[socket] == 0)) return;
  wakes_at[socket] = setsockopt(socket, SOL_SOCKET, SO_RCVLOWAT, &bytes, sizeof bytes) == 0 ? bytes : 0;
}

ssize_t readv(int descriptor, const struct iovec* parts, int count) {
  const ssize_t got = syscall(SYS_readv, descriptor, parts, count);
  if (count < 2 || (got < 0 && errno != EAGAIN) || !is_transport(__builtin_return_address(0))) return got;
  const int error = errno;
  size_t wanted = 0;
  for (int i = 0; i + 1 < count; ++i) wanted += parts[i].iov_len;
  const size_t there = got > 0 ? (size_t)got : 0;
  wake_at(descriptor, wanted > there ? wanted - there : 1);
  errno = error;
  return got;
}
