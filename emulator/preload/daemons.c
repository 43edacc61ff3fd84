/* Preloaded into mpirun and its daemons.
 *
 * In each child that starts a daemon, Open MPI's mpirun closes all descriptors up to the largest number allowed, one
 * system call each: a thousand or a million for every host. Here it closes them by one call.
 *
 * MPICH's proxies ask again and again, without a pause, whether a rank has ended. In virtual time, where nothing
 * interrupts them, no rank would run any more. Here they sleep between two questions.
 *
 * MPICH's mpiexec waits for ever for the proxy of a host that is cut off. Here its connections break after minutes
 * without an answer, and it ends. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <linux/close_range.h>
#include <malloc.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static pid_t loaded_by;
static long (*sysconf_of_libc)(int);

__attribute__((constructor)) static void load(void) {
  loaded_by = getpid();
  sysconf_of_libc = (long (*)(int))dlsym(RTLD_NEXT, "sysconf");
  mallopt(M_ARENA_MAX, 1); /* a second arena would use other pages */
}

long sysconf(int name) {
  if (sysconf_of_libc == NULL) load();
  /* A child asks this before it closes all descriptors and executes a program. */
  const unsigned first = STDERR_FILENO + 1;
  if (name == _SC_OPEN_MAX && getpid() != loaded_by && syscall(SYS_close_range, first, ~0U, CLOSE_RANGE_CLOEXEC) == 0) {
    return first;
  }
  return sysconf_of_libc(name);
}

pid_t waitpid(pid_t process, int* status, int options) {
  const pid_t ended = (pid_t)syscall(SYS_wait4, process, status, options, NULL);
  if (ended == 0 && (options & WNOHANG) != 0) {
    const struct timespec pause = {.tv_sec = 0, .tv_nsec = 1000000};
    syscall(SYS_nanosleep, &pause, NULL);
  }
  return ended;
}

/* mpiexec asks a proxy that has been silent for a while whether it is there. A connection on which nothing is answered
 * for two minutes is reset. */
static void expect_answers(int connection) {
  const int on = 1, silent_s = 60, between_s = 30;
  const unsigned unanswered_ms = 120000;
  setsockopt(connection, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
  setsockopt(connection, IPPROTO_TCP, TCP_KEEPIDLE, &silent_s, sizeof silent_s);
  setsockopt(connection, IPPROTO_TCP, TCP_KEEPINTVL, &between_s, sizeof between_s);
  setsockopt(connection, IPPROTO_TCP, TCP_USER_TIMEOUT, &unanswered_ms, sizeof unanswered_ms);
}

int accept(int listener, struct sockaddr* address, socklen_t* size) {
  const int connection = (int)syscall(SYS_accept4, listener, address, size, 0);
  if (connection >= 0 && strncmp(program_invocation_short_name, "mpiexec", strlen("mpiexec")) == 0)
    expect_answers(connection);
  return connection;
}
