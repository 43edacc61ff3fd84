// The report of a program that begins with MPI_Session_init and never calls MPI_Init. It has no MPI_COMM_WORLD, by
// which sites are found and reports are summed: nothing is served, and each process prints the calls of the
// communicators of which it is rank 0.
#pragma once

#include "algorithms/mpi/drop_in/report.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace drop_in {

/// Called when the program has begun a session of MPI. If a setting is wrong rank 0 prints one line, and the job ends
/// with exit status 2.
void session_begun();
/// Called when it has ended one: after the last it prints the report.
void session_ended();

/// Null unless it was asked for.
Report* report_alone();

}  // namespace drop_in
}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
