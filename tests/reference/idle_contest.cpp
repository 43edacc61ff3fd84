// PROGRAM [SECONDS]: the overhead of the drop-in on a communicator within one site, whose calls it passes to the
// underlying MPI, as isthmus.h does. Drop-in and plain calls alternate, with a barrier before each. A call's time is
// that of its slowest rank; medians are printed, and lower deciles, which other load disturbs less. Each line takes
// about SECONDS. Then the time to look up a call whose plan is known, on a communicator with groups, without running
// it. Run no more ranks than there are processors:
//   mpirun -n 2 --mca btl self,vader --mca btl_vader_single_copy_mechanism none idle_benchmark
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "algorithms/mpi/library/comm_state.hpp"
#include "algorithms/mpi/library/request.hpp"
#include "tests/reference/summary.hpp"
#include "tests/reference/turns.hpp"

namespace {
using namespace isthmus;
using reference::Summary;
using reference::summary;

struct Contest {
  const char* name;
  std::function<void(int bytes)> beneath, isthmus;
};

void contest_of(const Contest& contest, int bytes, double budget_s, int rank) {
  const auto [beneath_s, isthmus_s] =
      reference::times_in_turns([&] { contest.beneath(bytes); }, [&] { contest.isthmus(bytes); }, budget_s, 20000);
  const Summary beneath = summary(beneath_s);
  const Summary ours = summary(isthmus_s);
  if (rank == 0)
    std::printf("%-12s %8d | %9.2f %9.2f %7.3f %7.2f | %9.2f %9.2f %7.3f %7.2f\n", contest.name, bytes, beneath.median,
                ours.median, ours.median / beneath.median, ours.median - beneath.median, beneath.decile, ours.decile,
                ours.decile / beneath.decile, ours.decile - beneath.decile);
}

// Nanoseconds to look up a call in the cache: the best of several rounds.
double answer_ns(const std::vector<CollectiveCall>& calls, CommState& state) {
  using Clock = std::chrono::steady_clock;
  constexpr int rounds = 20;
  constexpr int turns = 1000;
  double best_ns = 1e9;
  for (int round = 0; round < rounds; ++round) {
    const auto start = Clock::now();
    for (int turn = 0; turn < turns; ++turn)
      for (const CollectiveCall& call : calls)
        if (state.decide(call).ready == nullptr) std::abort();
    const std::chrono::duration<double, std::nano> passed = Clock::now() - start;
    best_ns = std::min(best_ns, passed.count() / (turns * static_cast<double>(calls.size())));
  }
  return best_ns;
}

void answers(int size, std::vector<char>& a, std::vector<char>& b) {
  std::vector<std::vector<std::string>> paths;
  for (int rank = 0; rank < size; ++rank) paths.push_back({std::to_string(rank % 2)});
  CommState state(MPI_COMM_WORLD, std::make_shared<InFlight>(), {}, Topology::from_paths(paths));
  std::vector<CollectiveCall> many;
  for (int count = 1; count <= 32; ++count)
    many.push_back(calls::allreduce(a.data(), b.data(), count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD));
  const double one_ns = answer_ns({many.front()}, state);
  const double turns_ns = answer_ns(many, state);
  if (state.rank() == 0)
    std::printf("a known call is answered in %.0f ns, one of 32 that take turns in %.0f ns\n", one_ns, turns_ns);
}
}  // namespace

int main(int argc, char** argv) {
  const auto [budget_s, rank, size] = reference::start_of(argc, argv);
  constexpr int max_bytes = 1 << 20;
  std::vector<char> a(static_cast<std::size_t>(size) * max_bytes), b(a.size());
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  const std::vector<Contest> contests = {
      {"broadcast", [&](int bytes) { PMPI_Bcast(a.data(), bytes, MPI_CHAR, 0, comm); },
       [&](int bytes) { MPI_Bcast(a.data(), bytes, MPI_CHAR, 0, comm); }},
      {"allreduce", [&](int bytes) { PMPI_Allreduce(a.data(), b.data(), bytes / 8, MPI_DOUBLE, MPI_SUM, comm); },
       [&](int bytes) { MPI_Allreduce(a.data(), b.data(), bytes / 8, MPI_DOUBLE, MPI_SUM, comm); }},
      {"allgather", [&](int bytes) { PMPI_Allgather(a.data(), bytes, MPI_CHAR, b.data(), bytes, MPI_CHAR, comm); },
       [&](int bytes) { MPI_Allgather(a.data(), bytes, MPI_CHAR, b.data(), bytes, MPI_CHAR, comm); }},
      {"alltoall", [&](int bytes) { PMPI_Alltoall(a.data(), bytes, MPI_CHAR, b.data(), bytes, MPI_CHAR, comm); },
       [&](int bytes) { MPI_Alltoall(a.data(), bytes, MPI_CHAR, b.data(), bytes, MPI_CHAR, comm); }},
  };
  if (rank == 0)
    std::printf(
        "%d ranks; microseconds a call: medians, then lower deciles; more: the difference\n"
        "%-12s %8s | %9s %9s %7s %7s | %9s %9s %7s %7s\n",
        size, "collective", "bytes", "MPI", "drop-in", "ratio", "more", "MPI", "drop-in", "ratio", "more");
  for (const int bytes : {8, 1024, 4096, 65536, max_bytes})
    for (const Contest& contest : contests) contest_of(contest, bytes, budget_s, rank);
  answers(size, a, b);
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return 0;
}
