! The sum of all ranks.
program fortran_sum
  implicit none
  include 'mpif.h'
  integer :: rank, sum, ierror

  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Allreduce(rank, sum, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
  if (rank == 0) print '(a, i0)', 'sum ', sum
  call MPI_Finalize(ierror)
end program fortran_sum
