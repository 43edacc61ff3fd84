/* Preloaded into Open MPI's daemons and ranks: the memory that starting takes is there from the start.
 *
 * Each page that is touched for the first time is a fault. An emulated kernel has three changes of process for one, and
 * hands out a row of pages in about the time of one fault. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* What Open MPI 4.1 has on its heap when it has started, in a daemon and in a rank: 1.4 and 1.6 MB. */
enum { at_start = 1536 * 1024 };

__attribute__((constructor)) static void populate(void) {
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  char* const first = malloc(1); /* MALLOC_TOP_PAD_ makes the heap larger than it need be */
  if (first == NULL) return;
  char* const from = first + (page - (uintptr_t)first % page) % page;
  char* const end = sbrk(0);
  if (end > from) {
    const size_t there = (size_t)(end - from);
    madvise(from, there < at_start ? there : at_start, MADV_POPULATE_WRITE); /* Linux 5.14; else it is slower */
  }
  free(first);
}
