// Two calls whose times are compared, measured in turns, so that other load affects both.
#pragma once

#include <mpi.h>

#include <utility>
#include <vector>

namespace isthmus::reference {

/// Seconds of each call of `first` and of `second` on this rank, after a barrier: the call of a rank that runs ahead
/// would measure flow control. Each is as often the earlier one, which finds the buffers cold. All ranks end together,
/// after `budget_s` or `max_calls` of each. The profiling interface leaves out a drop-in.
template <typename First, typename Second>
std::pair<std::vector<double>, std::vector<double>> times_in_turns(First first, Second second, double budget_s,
                                                                   std::size_t max_calls) {
  const auto measure = [](const auto& call, std::vector<double>& seconds) {
    PMPI_Barrier(MPI_COMM_WORLD);
    const double start_s = MPI_Wtime();
    call();
    seconds.push_back(MPI_Wtime() - start_s);
  };
  constexpr int turns = 25;  // between two looks at the clock
  std::vector<double> first_s, second_s;
  const double start_s = MPI_Wtime();
  for (int go_on = 1; go_on != 0;) {
    for (int turn = 0; turn < turns; ++turn) {
      if (turn % 2 == 0) measure(first, first_s);
      measure(second, second_s);
      if (turn % 2 == 1) measure(first, first_s);
    }
    go_on = MPI_Wtime() - start_s < budget_s && first_s.size() < max_calls ? 1 : 0;
    PMPI_Bcast(&go_on, 1, MPI_INT, 0, MPI_COMM_WORLD);
  }
  return {std::move(first_s), std::move(second_s)};
}

}  // namespace isthmus::reference
