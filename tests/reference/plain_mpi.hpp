// Three broadcasts as an MPI programmer writes them by hand: the reference for the executor.
#pragma once

#include <mpi.h>

#include <vector>

namespace isthmus::reference {
inline namespace ISTHMUS_MPI_FLAVOUR {

/// Binomial tree, whole message, the most distant child first.
void binomial(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm);

/// Chain root, root + 1, ... passing on segments of `segment` elements.
void chain(void* buffer, int count, MPI_Datatype datatype, int root, int segment, MPI_Comm comm);

/// Two layers, pipelined: each segment from the root to the coordinator of every other cluster, then down a binary tree
/// inside each cluster. A cluster's coordinator is the root where it is a member, else its lowest rank.
void two_layers(void* buffer, int count, MPI_Datatype datatype, int root, int segment,
                const std::vector<int>& cluster_of_rank, MPI_Comm comm);

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus::reference
