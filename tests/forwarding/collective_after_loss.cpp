// A collective call of all ranks, again and again; errors are returned. When the last gateway is lost it cannot return.
//
// Usage: collective_after_loss dup|split|inter|fence|file|ordered|accept|groups|barrier
// ordered: a split collective call of a file; accept: of processes that never connect; groups: where the MPI has it.
#include <mpi.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <string>

#include "tests/forwarding/world.hpp"

namespace {

constexpr int last_before_loss = 3;  // then it says that the calls work

// Nobody connects. Until the loss there are barriers instead.
void accept_nobody(bool begins) {
  if (begins) {
    MPI_Barrier(MPI_COMM_WORLD);
    return;
  }
  std::array<char, MPI_MAX_PORT_NAME> port{};
  MPI_Comm made = MPI_COMM_NULL;
  MPI_Open_port(MPI_INFO_NULL, port.data());
  MPI_Comm_accept(port.data(), MPI_INFO_NULL, 0, MPI_COMM_WORLD, &made);
}

MPI_File new_file() {
  constexpr const char* name = "ordered";
  MPI_File file = MPI_FILE_NULL;
  MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_INFO_NULL, &file);
  MPI_Barrier(MPI_COMM_WORLD);
  unlink(name);
  return file;
}

// A byte of each rank, in their order, as a call in two halves.
void write_ordered() {
  static const MPI_File file = new_file();
  const char byte = 1;
  MPI_File_write_ordered_begin(file, &byte, 1, MPI_CHAR);
  MPI_File_write_ordered_end(file, &byte, MPI_STATUS_IGNORE);
}

#if MPI_VERSION >= 4
MPI_Comm made_of_groups(MPI_Comm half) {
  MPI_Comm made = MPI_COMM_NULL;
  MPI_Group world = MPI_GROUP_NULL;
  MPI_Group own = MPI_GROUP_NULL;
  MPI_Group other = MPI_GROUP_NULL;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Comm_group(half, &own);
  MPI_Group_difference(world, own, &other);
  MPI_Intercomm_create_from_groups(own, 0, other, 0, "halves", MPI_INFO_NULL, MPI_ERRORS_RETURN, &made);
  for (MPI_Group* const group : {&world, &own, &other}) MPI_Group_free(group);
  return made;
}
#endif

void call(const std::string& which, int calls, [[maybe_unused]] MPI_Comm half, MPI_Comm inter, MPI_Win window) {
  MPI_Comm made = MPI_COMM_NULL;
  if (which == "barrier") MPI_Barrier(MPI_COMM_WORLD);
  if (which == "inter") MPI_Barrier(inter);
  if (which == "fence") MPI_Win_fence(0, window);
  if (which == "dup") MPI_Comm_dup(MPI_COMM_WORLD, &made);
  if (which == "split") MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &made);
  if (which == "ordered") write_ordered();
  if (which == "accept") accept_nobody(calls <= last_before_loss);
#if MPI_VERSION >= 4
  if (which == "groups") made = made_of_groups(half);
#endif
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
    call(which, calls, half, inter, window);
    if (calls == last_before_loss && rank == 0) {
      std::puts("the calls work");
      std::fflush(stdout);
    }
    usleep(between_calls_us);
  }
  MPI_Abort(MPI_COMM_WORLD, 3);
}
