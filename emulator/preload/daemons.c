/* Preloaded into mpirun and its daemons.
 *
 * In each child that starts a daemon, Open MPI's mpirun closes all descriptors up to the largest number allowed, one
 * system call each: a thousand or a million for every host. Here it closes them by one call.
 *
 * MPICH's proxies ask again and again, without a pause, whether a rank has ended. In virtual time, where nothing
 * interrupts them, no rank would run any more. Here they sleep between two questions. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <linux/close_range.h>
#include <malloc.h>
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
