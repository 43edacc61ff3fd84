/* Preloaded into the ranks: lets Open MPI wait instead of polling.
 *
 * An idle Open MPI polls its sockets with a zero timeout for ever. On a few processors that starves the ranks that have
 * something to do, and where a clock stands still while somebody computes (virtual time) it never ends. With
 * `mpi_yield_when_idle` Open MPI calls sched_yield() after each round of polling that brought nothing. This library
 * remembers the last set of descriptors polled with a zero timeout; sched_yield() then blocks on that set, for at most
 * `longest_wait_ms`, unless a poll since the previous yield returned something. What ended the wait is the answer of
 * the poll that follows: system calls are dear in an emulated kernel. */
#define _GNU_SOURCE
#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
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
