! A library that a C program loads when it runs, as Python loads its extensions. The program has initialised MPI by C:
! the first call of MPI's Fortran interface has MPI_IN_PLACE.
subroutine later_fortran(failures) bind(C)
  use iso_c_binding, only: c_int
  implicit none
  include 'mpif.h'
  integer(c_int), intent(out) :: failures
  integer :: rank, ranks, ierror, duplicate, total

  failures = 0
  total = 1
  call MPI_Allreduce(MPI_IN_PLACE, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  call expect(total == ranks, 'allreduce in place')
  call MPI_Comm_dup(MPI_COMM_WORLD, duplicate, ierror)
  call expect(ierror == MPI_SUCCESS, 'a duplicate')
  total = rank
  call MPI_Allreduce(MPI_IN_PLACE, total, 1, MPI_INTEGER, MPI_SUM, duplicate, ierror)
  call expect(total == ranks*(ranks - 1)/2, 'allreduce in place on a duplicate')
  call MPI_Comm_free(duplicate, ierror)
contains
  include 'expect.inc'
end subroutine later_fortran
