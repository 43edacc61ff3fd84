/* Preloaded into the kernel of the virtual substrate: its random numbers are the same in every run.
 *
 * User-Mode Linux gets the seed of its random numbers from the machine. They decide port numbers and positions in hash
 * tables, and so how often Open MPI's daemons read the clock while they start. Nothing in an emulation is secret;
 * conditions have their own seed. */
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* SplitMix64 (Steele, Lea, Flood 2014). */
static uint64_t next(void) {
  static uint64_t state;
  uint64_t z = state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

ssize_t getrandom(void* buffer, size_t size, unsigned flags) {
  (void)flags;
  unsigned char* const bytes = buffer;
  for (size_t i = 0; i < size; ++i) bytes[i] = (unsigned char)next();
  return (ssize_t)size;
}
