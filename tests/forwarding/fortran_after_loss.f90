! fortran_after_loss fence|file|accept: a call of all ranks, again and again; a part in C has set that errors are
! returned. When the last gateway is lost the call cannot return. accept: of processes that never connect, after some
! barriers.
program fortran_after_loss
  use mpi
  implicit none
  integer, parameter :: last_before_loss = 3  ! then it says that the calls work
  double precision, parameter :: patience_s = 40
  integer :: rank, window, file, port_comm, calls, ierror
  integer(kind=MPI_ADDRESS_KIND) :: bytes
  integer :: shared(1)
  character(len=16) :: which
  character(len=MPI_MAX_PORT_NAME) :: port
  double precision :: begin_s
  interface
    subroutine errors_returned() bind(C)
    end subroutine errors_returned
  end interface

  call get_command_argument(1, which)
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call errors_returned()
  bytes = 4
  call MPI_Win_create(shared, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, window, ierror)
  call MPI_Open_port(MPI_INFO_NULL, port, ierror)
  begin_s = MPI_Wtime()
  calls = 0
  do while (MPI_Wtime() - begin_s < patience_s)
    if (which == 'fence') call MPI_Win_fence(0, window, ierror)
    if (which == 'file') then
      call MPI_File_open(MPI_COMM_WORLD, '/dev/null', MPI_MODE_RDONLY, MPI_INFO_NULL, file, ierror)
      if (ierror == MPI_SUCCESS) call MPI_File_close(file, ierror)
    end if
    if (which == 'accept') then
      if (calls <= last_before_loss) then
        call MPI_Barrier(MPI_COMM_WORLD, ierror)
      else
        call MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, port_comm, ierror)
      end if
    end if
    if (calls == last_before_loss .and. rank == 0) then
      print '(a)', 'the calls work'
      flush (6)
    end if
    calls = calls + 1
  end do
  call MPI_Abort(MPI_COMM_WORLD, 3, ierror)
end program fortran_after_loss
