/* The header serves C. */
#include "isthmus.h"

int broadcast_from_c(int* value, int root, MPI_Comm comm) { return isthmus_broadcast(value, 1, MPI_INT, root, comm); }
