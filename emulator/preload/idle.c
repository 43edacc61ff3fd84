/* Preloaded into the ranks: lets Open MPI wait instead of polling.
 *
 * An idle Open MPI polls its sockets with a zero timeout for ever. On a few processors that starves the ranks that have
 * something to do. In virtual time, where the clock stands still while a process computes, it never ends. With
 * `mpi_yield_when_idle` Open MPI calls sched_yield() after each round of polling that brought nothing. This library
 * remembers the last set of descriptors polled with a zero timeout; sched_yield() then blocks on that set, for at most
 * `longest_wait_ms`, unless a poll since the previous yield returned something.
 *
 * System calls are expensive in an emulated kernel. So the poll after a wait returns the result of that wait; and the
 * polls after one that found something return 0 at once, because the next wait polls anyway.
 *
 * When Open MPI starts and ends, it waits for messages of the daemon to its progress thread, and checks every 100 us
 * (usleep). That wait blocks likewise; it also ends when a thread has handled events and waits for events again.
 *
 * UCX, under MPICH, also polls in loops that never yield. After some polls such a loop blocks likewise, or sleeps for a
 * moment if the poll found something, which may be for another thread: in virtual time nothing interrupts the loop. A
 * thread that only yields soon sleeps too, as it may wait for one that waits for the clock (locks of UCX).
 *
 * A message of many frames would end such a wait at each frame. Open MPI's TCP transport reads into the missing parts
 * of the message, followed by a buffer for later data. So the number of missing bytes is known, and the socket is set
 * to become readable only when they have arrived (SO_RCVLOWAT). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

/* Open MPI also has timed work, and a program may test for a message between other work: neither may sleep long. */
enum { longest_wait_ms = 10 };

static __thread struct {
  enum { nothing, by_poll, by_epoll } kind;
  int epoll;
  struct pollfd* set; /* with room for one more */
  nfds_t count, room;
  int something_came; /* since the last yield */
  int unyielding;     /* polls by epoll since the last yield */
  int spared;         /* polls left that return 0 at once */
  int known, ready;   /* `set` holds the result of the wait; its ready descriptors */
  unsigned turns_seen;
  int rounds; /* until the clock is read again */
  struct timespec coarse;
} polled;

/* Threads that wait for events: how often one has begun to wait, how many waits listen for that, and their eventfd. */
static atomic_uint turns;
static atomic_int listeners;
static atomic_int bell = -1;

static void begin_to_wait(void) {
  atomic_fetch_add(&turns, 1);
  const uint64_t one = 1;
  if (atomic_load(&listeners) > 0) syscall(SYS_write, atomic_load(&bell), &one, sizeof one);
}

static void sleep_a_moment(void) {
  const struct timespec moment = {.tv_sec = 0, .tv_nsec = 100000};
  syscall(SYS_nanosleep, &moment, NULL);
}

static void wait_for_something(void) {
  if (polled.something_came) {
    polled.something_came = 0;
    return;
  }
  if (atomic_load(&bell) < 0) {
    int none = -1;
    const int made = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (!atomic_compare_exchange_strong(&bell, &none, made)) close(made);
  }
  struct pollfd few[2] = {{.fd = polled.epoll, .events = POLLIN, .revents = 0}};
  struct pollfd* const set = polled.kind == by_poll ? polled.set : few;
  const nfds_t count = polled.kind == by_poll ? polled.count : 1;
  set[count] = (struct pollfd){.fd = atomic_load(&bell), .events = POLLIN, .revents = 0};
  atomic_fetch_add(&listeners, 1);
  const unsigned before = atomic_load(&turns);
  if (before == polled.turns_seen) {
    polled.ready = (int)syscall(SYS_poll, set, count + 1, longest_wait_ms);
    if (polled.ready > 0 && set[count].revents != 0) {
      uint64_t rung;
      syscall(SYS_read, set[count].fd, &rung, sizeof rung);
      --polled.ready;
      if ((set[count].revents & POLLNVAL) != 0) atomic_store(&bell, -1); /* the program has closed this descriptor */
    }
    polled.known = polled.kind == by_poll && polled.ready >= 0;
  }
  polled.turns_seen = before;
  atomic_fetch_sub(&listeners, 1);
  polled.kind = nothing;
}

/* Whether `caller` is in the code of `library`; `known` caches the last address that was. */
static int is_of(const char* library, void* caller, void** known) {
  if (caller == *known) return 1;
  Dl_info about;
  if (dladdr(caller, &about) == 0 || about.dli_fname == NULL) return 0;
  const char* const slash = strrchr(about.dli_fname, '/');
  if (strncmp(slash != NULL ? slash + 1 : about.dli_fname, library, strlen(library)) != 0) return 0;
  *known = caller;
  return 1;
}

int epoll_wait(int epoll, struct epoll_event* events, int count, int timeout_ms) {
  if (timeout_ms != 0) begin_to_wait();
  const int result = (int)syscall(SYS_epoll_wait, epoll, events, count, timeout_ms);
  if (timeout_ms == 0) {
    enum { polls_before_wait = 16 };
    polled.kind = by_epoll;
    polled.epoll = epoll;
    polled.something_came |= result != 0;
    if (++polled.unyielding == polls_before_wait) {
      const int error = errno;
      polled.unyielding = 0;
      if (result == 0)
        wait_for_something();
      else
        sleep_a_moment();
      errno = error;
    }
  }
  return result;
}

/* libevent polls once more before it returns to Open MPI; the code that waits for the message then polls again before
 * it waits. These two polls need no system call. */
static void note_that_something_came(void) {
  polled.something_came = 1;
  polled.spared = 2;
}

static int same_set(const struct pollfd* set, nfds_t count) {
  if (count != polled.count) return 0;
  for (nfds_t i = 0; i < count; ++i)
    if (set[i].fd != polled.set[i].fd || set[i].events != polled.set[i].events) return 0;
  return 1;
}

/* Keeps a copy of the set; false when out of memory. */
static int remember(const struct pollfd* set, nfds_t count) {
  if (count >= polled.room) {
    struct pollfd* const larger = realloc(polled.set, (count + 64) * sizeof *set);
    if (larger == NULL) return 0;
    polled.set = larger;
    polled.room = count + 64;
  }
  memcpy(polled.set, set, count * sizeof *set);
  polled.count = count;
  polled.kind = by_poll;
  return 1;
}

int poll(struct pollfd* set, nfds_t count, int timeout_ms) {
  static void* in_events;
  const int known = polled.known;
  polled.known = 0;
  if (timeout_ms != 0) {
    begin_to_wait();
    return (int)syscall(SYS_poll, set, count, timeout_ms);
  }
  if (known && same_set(set, count)) {
    memcpy(set, polled.set, count * sizeof *set);
    polled.kind = by_poll;
    if (polled.ready > 0) note_that_something_came();
    return polled.ready;
  }
  const int remembered = remember(set, count);
  if (remembered && polled.spared > 0 && is_of("libevent_core", __builtin_return_address(0), &in_events)) {
    --polled.spared;
    for (nfds_t i = 0; i < count; ++i) set[i].revents = 0;
    return 0;
  }
  const int result = (int)syscall(SYS_poll, set, count, timeout_ms);
  if (result != 0) note_that_something_came();
  return result;
}

int sched_yield(void) {
  enum { yields_before_sleep = 16 };
  static __thread int in_vain;
  polled.unyielding = 0;
  if (polled.kind != nothing) {
    in_vain = 0;
    wait_for_something();
    return 0;
  }
  if (in_vain < yields_before_sleep) {
    ++in_vain;
    return (int)syscall(SYS_sched_yield);
  }
  sleep_a_moment();
  return 0;
}

/* Each round of polling reads the coarse clock; most rounds get its last value. */
int clock_gettime(clockid_t clock, struct timespec* time) {
  static int (*of_libc)(clockid_t, struct timespec*);
  static void* in_events;
  enum { rounds_without_looking = 10 };
  if (clock == CLOCK_MONOTONIC_COARSE && is_of("libevent_core", __builtin_return_address(0), &in_events)) {
    if (polled.rounds-- > 0) {
      *time = polled.coarse;
      return 0;
    }
    polled.rounds = polled.kind == by_poll ? rounds_without_looking : 0;
    const int result = (int)syscall(SYS_clock_gettime, clock, time);
    polled.coarse = *time;
    return result;
  }
  if (of_libc == NULL) of_libc = (int (*)(clockid_t, struct timespec*))dlsym(RTLD_NEXT, "clock_gettime");
  return of_libc(clock, time);
}

int usleep(useconds_t us) {
  static void* in_mpi;
  if (us == 100 && polled.kind != nothing && is_of("libmpi.so", __builtin_return_address(0), &in_mpi)) {
    wait_for_something();
    return 0;
  }
  const struct timespec pause = {.tv_sec = us / 1000000, .tv_nsec = us % 1000000 * 1000L};
  return nanosleep(&pause, NULL);
}

/* Other callers may read their sockets before a message is complete. */
static int is_transport(void* caller) {
  static void* in_transport;
  return is_of("mca_btl_tcp.so", caller, &in_transport);
}

/* Makes a socket readable once `lacking` bytes have arrived; 1: any. */
static void wake_at(int socket, size_t lacking) {
  enum { sockets = 4096, worth_it = 4096, most = 262144 /* so that the TCP window stays open */ };
  static int wakes_at[sockets]; /* 0: never set, same as 1 */
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
