// A collective call of all ranks, again and again; errors are returned. When the last gateway is lost it cannot return.
//
// Usage: collective_after_loss dup|split|inter|fence|file|barrier
#include <mpi.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "tests/forwarding/world.hpp"

namespace {

void call(const std::string& which, MPI_Comm inter, MPI_Win window) {
  MPI_Comm made = MPI_COMM_NULL;
  if (which == "barrier") MPI_Barrier(MPI_COMM_WORLD);
  if (which == "inter") MPI_Barrier(inter);
  if (which == "fence") MPI_Win_fence(0, window);
  if (which == "dup") MPI_Comm_dup(MPI_COMM_WORLD, &made);
  if (which == "split") MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &made);
  if (which == "file") {
    MPI_File file = MPI_FILE_NULL;
    MPI_File_open(MPI_COMM_WORLD, "/dev/null", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    if (file != MPI_FILE_NULL) MPI_File_close(&file);
  }
  if (made != MPI_COMM_NULL) MPI_Comm_free(&made);
}

}  // namespace

int main(int argc, char** argv) {
  const auto [rank, ranks] = World(argc, argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  const bool first = rank < ranks / 2;
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm inter = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, first ? 0 : 1, 0, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, first ? ranks / 2 : 0, 1, &inter);
  int* shared = nullptr;
  MPI_Win window = MPI_WIN_NULL;
  MPI_Win_allocate(sizeof *shared, sizeof *shared, MPI_INFO_NULL, MPI_COMM_WORLD, &shared, &window);
  const std::string which = argc > 1 ? argv[1] : "barrier";
  constexpr useconds_t between_calls_us = 50000;
  constexpr double patience_s = 40;
  const double begin_s = MPI_Wtime();
  for (int calls = 0; MPI_Wtime() - begin_s < patience_s; ++calls) {
    call(which, inter, window);
    if (calls == 3 && rank == 0) {
      std::puts("the calls work");
      std::fflush(stdout);
    }
    usleep(between_calls_us);
  }
  MPI_Abort(MPI_COMM_WORLD, 3);
}
