! Grids, graphs and collectives among neighbours from Fortran, on 8 ranks. Prints what is wrong, then `end`.
program fortran_neighbours
  use mpi
  implicit none
  integer :: error, rank, cart, me, coords(2), back, below, above, i, graph, part
  integer :: sent(4), got(4), ones(4), types(4), dims(2)
  integer(kind=MPI_ADDRESS_KIND) :: places(4)
  logical :: periodic(2), remain(2)
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  dims = [4, 2]; periodic = [.true., .true.]; remain = [.true., .false.]
  call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periodic, .true., cart, error)
  call MPI_Comm_rank(cart, me, error)
  call MPI_Cart_coords(cart, me, 2, coords, error)
  call MPI_Cart_rank(cart, coords, back, error)
  if (back /= me) print *, 'wrong rank'
  call MPI_Cart_get(cart, 2, dims, periodic, coords, error)
  call MPI_Cart_shift(cart, 0, 1, below, above, error)
  sent = [(me * 10 + i, i = 0, 3)]; got = -1; ones = 1; types = MPI_INTEGER
  places = [(int(4 * i, MPI_ADDRESS_KIND), i = 0, 3)]
  call MPI_Neighbor_alltoallw(sent, ones, places, types, got, ones, places, types, cart, error)
  if (got(1) /= below * 10 + 1 .or. got(2) /= above * 10) print *, 'wrong alltoallw', got, below, above
  call MPI_Neighbor_allgather(me, 1, MPI_INTEGER, got, 1, MPI_INTEGER, cart, error)
  if (got(1) /= below .or. got(2) /= above) print *, 'wrong allgather', got, below, above
  call MPI_Cart_sub(cart, remain, part, error)
  call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, [mod(rank + 4, 8)], MPI_UNWEIGHTED, 1, [mod(rank + 4, 8)], &
       MPI_UNWEIGHTED, MPI_INFO_NULL, .true., graph, error)
  call MPI_Comm_rank(graph, me, error)
  call MPI_Neighbor_allgather(me, 1, MPI_INTEGER, got, 1, MPI_INTEGER, graph, error)
  if (got(1) /= mod(me + 4, 8)) print *, 'wrong graph', me, got(1)
  call MPI_Comm_free(graph, error)
  call MPI_Finalize(error)
  if (rank == 0) print *, 'end'
end program
