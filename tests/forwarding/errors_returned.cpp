// Sets the error handler of MPI_COMM_WORLD by C, which the drop-in sees, for fortran_after_loss.
#include <mpi.h>

extern "C" void errors_returned() { MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN); }
