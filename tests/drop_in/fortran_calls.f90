! Collectives called from Fortran: in place, from MPI_BOTTOM, non-blocking, with an operator of the program's own.
program fortran_calls
  use mpi
  implicit none
  integer :: rank, ranks, ierror, i, request, type, op, failures, all_failures, half, half_ranks, message, total
  integer, volatile :: at_address  ! what MPI writes there, the compiler cannot see
  integer :: status(MPI_STATUS_SIZE)
  integer(kind=MPI_ADDRESS_KIND) :: place(1)
  integer :: lengths(1)
  integer, allocatable :: all(:), own(:), counts(:), places(:), types(:)
  double precision :: x, sum
  external :: largest

  failures = 0
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  allocate (all(ranks), own(ranks), counts(ranks), places(ranks), types(ranks))

  message = merge(17, 0, rank == ranks - 1)
  call MPI_Bcast(message, 1, MPI_INTEGER, ranks - 1, MPI_COMM_WORLD, ierror)
  call expect(message == 17 .and. ierror == MPI_SUCCESS, 'broadcast')

  x = rank + 0.5d0
  call MPI_Allreduce(x, sum, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierror)
  call expect(abs(sum - 0.5d0 * ranks * ranks) < 1d-9, 'allreduce')
  call MPI_Allreduce(MPI_IN_PLACE, x, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierror)
  call expect(abs(x - 0.5d0 * ranks * ranks) < 1d-9, 'allreduce in place')

  all = 0
  all(rank + 1) = rank
  call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INTEGER, MPI_COMM_WORLD, ierror)
  do i = 1, ranks
    call expect(all(i) == i - 1, 'allgather in place')
  end do

  own = rank
  if (rank == 0) then
    all = 0
    call MPI_Gather(MPI_IN_PLACE, 1, MPI_INTEGER, all, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierror)
    do i = 1, ranks
      call expect(all(i) == i - 1, 'gather in place')
    end do
    call MPI_Scatter(all, 1, MPI_INTEGER, MPI_IN_PLACE, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierror)
  else
    call MPI_Gather(own, 1, MPI_INTEGER, all, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierror)
    call MPI_Scatter(all, 1, MPI_INTEGER, own, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierror)
    call expect(own(1) == rank, 'scatter')
  end if

  do i = 1, ranks
    own(i) = 100 * rank + i
    counts(i) = 1
    places(i) = 4 * (i - 1)
    types(i) = MPI_INTEGER
  end do
  all = -1
  call MPI_Alltoallw(own, counts, places, types, all, counts, places, types, MPI_COMM_WORLD, ierror)
  do i = 1, ranks
    call expect(all(i) == 100 * (i - 1) + rank + 1, 'alltoallw')
  end do
  call MPI_Alltoall(MPI_IN_PLACE, 1, MPI_INTEGER, own, 1, MPI_INTEGER, MPI_COMM_WORLD, ierror)
  do i = 1, ranks
    call expect(own(i) == 100 * (i - 1) + rank + 1, 'alltoall in place')
  end do

  ! A datatype of absolute addresses.
  at_address = merge(23, 0, rank == 0)
  call MPI_Get_address(at_address, place(1), ierror)
  lengths(1) = 1
  call MPI_Type_create_hindexed(1, lengths, place, MPI_INTEGER, type, ierror)
  call MPI_Type_commit(type, ierror)
  call MPI_Bcast(MPI_BOTTOM, 1, type, 0, MPI_COMM_WORLD, ierror)
  call MPI_Type_free(type, ierror)
  call expect(at_address == 23, 'MPI_BOTTOM')

  call MPI_Op_create(largest, .true., op, ierror)
  call MPI_Reduce(rank, total, 1, MPI_INTEGER, op, 0, MPI_COMM_WORLD, ierror)
  call expect(rank /= 0 .or. total == ranks - 1, 'own operator')
  call MPI_Iallreduce(rank, total, 1, MPI_INTEGER, op, MPI_COMM_WORLD, request, ierror)
  call MPI_Wait(request, status, ierror)
  call expect(total == ranks - 1, 'non-blocking allreduce')
  call MPI_Op_free(op, ierror)

  call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), -rank, half, ierror)
  call MPI_Comm_size(half, half_ranks, ierror)
  call MPI_Scan(1, total, 1, MPI_INTEGER, MPI_SUM, half, ierror)
  call expect(total >= 1 .and. total <= half_ranks, 'scan')
  call MPI_Ibarrier(half, request, ierror)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
  call MPI_Comm_free(half, ierror)

  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierror)
  call MPI_Bcast(message, 1, MPI_INTEGER, ranks, MPI_COMM_WORLD, ierror)
  call expect(ierror /= MPI_SUCCESS, 'wrong root')

  call MPI_Allreduce(failures, all_failures, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
  call MPI_Barrier(MPI_COMM_WORLD, ierror)
  if (rank == 0) print '(i0, a)', all_failures, ' failures'
  call MPI_Finalize(ierror)
  if (all_failures > 0) stop 1

contains

  include 'expect.inc'

end program fortran_calls

subroutine largest(left, right, length, type)
  implicit none
  integer :: length, type
  integer :: left(length), right(length)
  right = max(left, right)
end subroutine largest
