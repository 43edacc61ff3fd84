// Makes communicators with a topology of MPI: reordered where the program allows it and slow links are then crossed
// less often, else by the MPI beneath.
#pragma once

#include <mpi.h>

#include <functional>

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace drop_in {

/// Implement MPI_Cart_create and the others. The returned codes have already been passed to the communicator's error
/// handler.
int create_cart(MPI_Comm comm, int dimensions, const int sizes[], const int periodic[], int reorder, MPI_Comm* made);
int create_graph(MPI_Comm comm, int nodes, const int index[], const int edges[], int reorder, MPI_Comm* made);
/// `mpi` makes the communicator by the MPI beneath, with the given value of `reorder`: a reference, which takes no
/// memory. `name` must outlive the call.
int create_dist_graph(const char* name, MPI_Comm comm, MPI_Info info, int reorder, MPI_Comm* made,
                      const std::function<int(int reorder)>& mpi);
int sub_cart(MPI_Comm comm, const int remain[], MPI_Comm* made);

}  // namespace drop_in
}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
