! Collectives called by the module mpi_f08: handles are types, ierror may be left out.
program fortran_2008_calls
  use mpi_f08
  implicit none
  integer :: rank, ranks, i, total, failures, all_failures, neighbours(2)
  integer, allocatable :: all(:), counts(:), places(:)
  integer, asynchronous :: mine, sum
  double precision :: x
  type(MPI_Comm) :: half, ring
  type(MPI_Request) :: request
  type(MPI_Status) :: status
  type(MPI_Op) :: op

  failures = 0
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  allocate (all(ranks), counts(ranks), places(ranks))

  total = merge(17, 0, rank == 0)
  call MPI_Bcast(total, 1, MPI_INTEGER, 0, MPI_COMM_WORLD)
  call expect(total == 17, 'broadcast')

  x = rank + 0.5d0
  call MPI_Allreduce(MPI_IN_PLACE, x, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
  call expect(abs(x - 0.5d0 * ranks * ranks) < 1d-9, 'allreduce in place')

  counts = 1
  places = [(i - 1, i = 1, ranks)]
  all = -1
  call MPI_Gatherv(rank, 1, MPI_INTEGER, all, counts, places, MPI_INTEGER, 0, MPI_COMM_WORLD)
  if (rank == 0) call expect(all(ranks) == ranks - 1, 'gatherv')
  call MPI_Scatterv(all, counts, places, MPI_INTEGER, total, 1, MPI_INTEGER, 0, MPI_COMM_WORLD)
  call expect(total == rank, 'scatterv')

  call MPI_Op_create(largest, .true., op)
  mine = rank
  call MPI_Iallreduce(mine, sum, 1, MPI_INTEGER, op, MPI_COMM_WORLD, request)
  call MPI_Wait(request, status)
  call expect(sum == ranks - 1, 'non-blocking allreduce')
  call MPI_Op_free(op)

  call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), -rank, half)
  call MPI_Scan(1, total, 1, MPI_INTEGER, MPI_SUM, half)
  call expect(total >= 1 .and. total <= ranks, 'scan')
  call MPI_Barrier(half)
  call MPI_Comm_free(half)

  call MPI_Cart_create(MPI_COMM_WORLD, 1, [ranks], [.true.], .false., ring)
  call MPI_Neighbor_allgather(rank, 1, MPI_INTEGER, neighbours, 1, MPI_INTEGER, ring)
  call expect(neighbours(1) == mod(rank + ranks - 1, ranks) .and. neighbours(2) == mod(rank + 1, ranks), 'neighbours')
  call MPI_Comm_free(ring)

  call MPI_Allreduce(failures, all_failures, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  if (rank == 0) print '(i0, a)', all_failures, ' failures'
  call MPI_Finalize()
  if (all_failures > 0) stop 1

contains

  include 'expect.inc'

  subroutine largest(left, right, length, type)
    use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer
    type(c_ptr), value :: left, right
    integer :: length
    type(MPI_Datatype) :: type
    integer, pointer :: a(:), b(:)
    call c_f_pointer(left, a, [length])
    call c_f_pointer(right, b, [length])
    if (type == MPI_INTEGER) b = max(a, b)
  end subroutine largest

end program fortran_2008_calls
