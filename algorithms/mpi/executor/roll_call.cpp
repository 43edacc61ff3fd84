#include "algorithms/mpi/executor/roll_call.hpp"

#include <mpi.h>

#include <algorithm>
#include <string>
#include <vector>

#include "algorithms/mpi/executor/mpi_error.hpp"
#include "algorithms/mpi/executor/number_words.hpp"
#include "algorithms/mpi/executor/tags.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace {

constexpr const char* what_is_right =
    "; the drop-in in LD_PRELOAD of all ranks, also in each part of an mpirun of several "
    "programs, would be right";

// Asks until it is so, or until the time is up. The calls that ask make progress, and yield where the MPI is told to.
template <typename IsSo>
bool within(double limit_s, IsSo is_so) {
  const double begin_s = PMPI_Wtime();
  while (!is_so()) {
    if (PMPI_Wtime() - begin_s > limit_s) return false;
  }
  return true;
}

// Rank 0 learns who is there. Messages of the program have lower tags.
[[noreturn]] void name_the_silent(int size, int tag, double limit_s) {
  constexpr double answers_s = 1;
  std::vector<bool> there(size, false);
  there[0] = true;
  within(answers_s, [&] {
    int found = 0;
    MPI_Status status;
    check_mpi(PMPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &found, &status), {.call = "MPI_Iprobe"});
    if (found != 0) {
      there[status.MPI_SOURCE] = true;
      PMPI_Recv(nullptr, 0, MPI_BYTE, status.MPI_SOURCE, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    return false;
  });
  std::vector<int> silent;
  for (int rank = 0; rank < size; ++rank)
    if (!there[rank]) silent.push_back(rank);
  if (silent.empty()) end_job("MPI_Init: the ranks have not come within " + seconds_text(limit_s) + " of each other");
  end_job("MPI_Init: " + ranks_text(silent) + " of " + std::to_string(size) + " did not come in " +
          seconds_text(limit_s) + what_is_right);
}

}  // namespace

void call_roll(double limit_s) {
  MPI_Request all_are_there = MPI_REQUEST_NULL;
  check_mpi(PMPI_Ibarrier(MPI_COMM_WORLD, &all_are_there), {.call = "MPI_Ibarrier"});
  const auto is_done = [](MPI_Request& request) {
    int done = 0;
    check_mpi(PMPI_Test(&request, &done, MPI_STATUS_IGNORE), {.call = "MPI_Test"});
    return done != 0;
  };
  if (within(limit_s, [&] { return is_done(all_are_there); })) return;
  int rank = 0, size = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &size);
  const int tag = highest_tag();
  if (rank == 0) name_the_silent(size, tag, limit_s);
  MPI_Request sign = MPI_REQUEST_NULL;
  check_mpi(PMPI_Isend(nullptr, 0, MPI_BYTE, 0, tag, MPI_COMM_WORLD, &sign), {.call = "MPI_Isend"});
  // Rank 0 ends the job sooner, if it is there; else the lowest of the others does.
  constexpr double rank_0_s = 3, apart_s = 1;
  constexpr int last_turn = 30;
  within(rank_0_s + apart_s * std::min(rank, last_turn), [&] { return is_done(sign) && false; });
  end_job("MPI_Init: rank 0 of " + std::to_string(size) + " did not come in " + seconds_text(limit_s) + what_is_right);
}

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
