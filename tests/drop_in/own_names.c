// A library in C whose own functions are called as those of MPI, but in small letters, as in R's Rmpi. Functions of
// other libraries must not take their place in its table.
void mpi_allreduce(int* failures) { *failures -= 1; }
void mpi_bcast(int* failures) { *failures -= 1; }
void mpi_init(int* failures) { *failures -= 1; }

typedef void Function(int* failures);
Function* functions[] = {mpi_allreduce, mpi_bcast, mpi_init};

void own_names(int* failures) {
  *failures = sizeof functions / sizeof functions[0];
  for (unsigned i = 0; i < sizeof functions / sizeof functions[0]; ++i) functions[i](failures);
}
