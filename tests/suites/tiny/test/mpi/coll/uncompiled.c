#error "this MPI cannot compile it"
