/* Preloaded into Open MPI's mpirun and daemons: lets them start faster in an emulated kernel.
 *
 * In each child that starts a daemon, mpirun closes all descriptors up to the largest number allowed, one system call
 * each: a thousand or a million for every host. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <linux/close_range.h>
#include <malloc.h>
#include <sys/syscall.h>
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
