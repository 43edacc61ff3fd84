/* Preloaded into the kernel of the virtual substrate: chance is the same in every run.
 *
 * User-Mode Linux asks the machine around it for what its random numbers start from. They decide on ports and on where
 * things lie in tables, and so on how often Open MPI's daemons look at the clock while they start. Nothing in an
 * emulation is a secret; conditions have a seed of their own. */
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
