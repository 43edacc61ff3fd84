/* Collective operations for clusters of clusters, with the arguments of MPI's own. For C and C++; link libisthmus-mpi.
 *
 * Like MPI's collectives these are called by all ranks of an intracommunicator in the same order. Every rank passes the
 * same count and datatypes of the same size. Errors go to the communicator's error handler, as those of MPI calls do, and
 * are returned if it returns: MPI_ERR_COMM, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_ROOT, what a failing MPI call gave, or a
 * code of class MPI_ERR_OTHER whose MPI_Error_string() says what is wrong with the settings below.
 *
 * Settings are environment variables of the communicator's rank 0, read when a communicator is used first:
 *   ISTHMUS_BROADCAST  the plan, as the command line writes it: kielmann:segment=64Ki. Without it: multilevel. A segment
 *                      that is not a multiple of the element is rounded down to one.
 *   ISTHMUS_NETWORK    a network JSON file (`isthmus platform --format json`). Ranks are matched to its hosts by host
 *                      name, and what the plan leaves open (kielmann's segment and degrees) is chosen by model. Without
 *                      it, the groups are the nodes that share memory.
 *
 * What is kept for a communicator is freed with it.
 */
#ifndef ISTHMUS_H
#define ISTHMUS_H

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* MPI_Bcast: `count` elements go from the root's buffer to everybody's. */
int isthmus_broadcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm);

/* The same for counts beyond INT_MAX (MPI 4's MPI_Bcast_c). */
int isthmus_broadcast_c(void* buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm);

#ifdef __cplusplus
}
#endif

#endif
