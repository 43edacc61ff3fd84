/* Preloaded into ranks of MPICH, before all other libraries: prevents a hang in MPI_Finalize.
 *
 * MPICH 4.0 over UCX's TCP flushes its connections in MPI_Finalize, and opens those that were never used. If the peer
 * already waits for other ranks without polling its network, the rank waits for ever (seen in a third of the runs of
 * four ranks on one machine, with nothing emulated). Here every rank exchanges data with every other before
 * MPI_Finalize. An alltoall would not do: MPICH's goes over other ranks from 8 ranks on. The handles are those of
 * MPICH's ABI. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>

enum { comm_world = 0x44000000, type_int = 0x4c000405, success = 0 };

__attribute__((weak)) int PMPI_Comm_size(int comm, int* size);
__attribute__((weak)) int PMPI_Comm_rank(int comm, int* rank);
__attribute__((weak)) int PMPI_Sendrecv(const void* from, int sent, int type, int to, int tag, void* into, int received,
                                        int as, int source, int with_tag, int comm, void* status);

static void exchange_with_all(void) {
  int size = 0, rank = 0, word = 0, other = 0;
  void* const no_status = (void*)1;
  if (PMPI_Sendrecv == NULL || PMPI_Comm_size(comm_world, &size) != success ||
      PMPI_Comm_rank(comm_world, &rank) != success)
    return;
  for (int step = 1; step < size; ++step)
    PMPI_Sendrecv(&word, 1, type_int, (rank + step) % size, 0, &other, 1, type_int, (rank - step + size) % size, 0,
                  comm_world, no_status);
}

int MPI_Finalize(void) {
  /* Of the drop-in, of a profiling library, or of MPICH itself. */
  int (*const next)(void) = (int (*)(void))dlsym(RTLD_NEXT, "MPI_Finalize");
  exchange_with_all();
  return next();
}
