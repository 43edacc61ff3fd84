// PROGRAM [MACHINES [SECONDS]]: calls whose inside of a machine is a plan of isthmus, against the same calls with the
// MPI's own collective there (`levels=linear/mpi`, `inside=mpi`), and the MPI's own call alone. The ranks run on this
// machine and count as so many machines (1), in blocks. The contestants alternate; each turn is a loop of calls behind
// one barrier, as in OSU's micro-benchmarks. A turn's time is that of its slowest rank; microseconds a call are
// printed: medians of all turns, which take about SECONDS (1) a line. Run no more ranks than there are processors, with
// Open MPI's collectives by messages, then by shared memory:
//   mpirun -n 2 --mca btl self,vader --mca btl_vader_single_copy_mechanism none inside_benchmark
//   mpirun -n 2 --mca btl self,vader --mca btl_vader_single_copy_mechanism none --mca coll_sm_priority 100
//   inside_benchmark
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/catalog.hpp"
#include "algorithms/mpi/library/comm_state.hpp"
#include "algorithms/mpi/library/request.hpp"
#include "tests/reference/summary.hpp"

namespace {
using namespace isthmus;
using reference::summary;

constexpr int max_bytes = 1 << 20;
constexpr std::size_t min_turns = 4;

/// Plans of one collective; an empty text is the MPI's own call.
struct Contest {
  Collective collective;
  std::vector<std::string> plans;
};

Topology machines_of(int size, int machines) {
  std::vector<std::vector<std::string>> paths;
  for (int rank = 0; rank < size; ++rank) paths.push_back({std::to_string(rank * machines / size)});
  return Topology::from_paths(paths);
}

class Ranks {
 public:
  Ranks(int machines, double budget_s) : budget_s_(budget_s) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    topology_.emplace(machines_of(size_, machines));
    in_.resize(static_cast<std::size_t>(size_) * max_bytes);
    out_.resize(in_.size());
  }

  void hold(const Contest& contest) {
    std::string names = std::string(name(contest.collective)) + " bytes";
    std::vector<std::unique_ptr<CommState>> states;
    for (const std::string& plan : contest.plans) {
      names += " | " + (plan.empty() ? "the MPI's own" : plan);
      states.push_back(plan.empty() ? nullptr : state_with(contest.collective, plan));
    }
    if (rank_ == 0) std::printf("%s\n", names.c_str());
    for (const int bytes : {8, 1024, 16384, 65536, 262144, max_bytes}) {
      if (!carries_data(contest.collective) && bytes > 8) break;
      line(call_of(contest.collective, bytes), bytes, states);
    }
  }

 private:
  std::unique_ptr<CommState> state_with(Collective collective, const std::string& plan) const {
    Settings settings;
    settings.plans[static_cast<std::size_t>(collective)] = parse_plan(collective, plan);
    return std::make_unique<CommState>(MPI_COMM_WORLD, std::make_shared<InFlight>(), settings, *topology_);
  }

  CollectiveCall call_of(Collective collective, int bytes) {
    switch (collective) {
      case Collective::broadcast:
        return calls::broadcast(in_.data(), bytes, MPI_CHAR, 0, MPI_COMM_WORLD);
      case Collective::allreduce:
        return calls::allreduce(in_.data(), out_.data(), bytes / 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
      case Collective::allgather:
        return calls::allgather(in_.data(), bytes, MPI_CHAR, out_.data(), bytes, MPI_CHAR, MPI_COMM_WORLD);
      default:
        return calls::barrier(MPI_COMM_WORLD);
    }
  }

  /// Seconds of a call in a loop of them.
  static double turn(const CollectiveCall& call, CommState* state, int calls) {
    PMPI_Barrier(MPI_COMM_WORLD);
    const double start_s = MPI_Wtime();
    for (int i = 0; i < calls; ++i) {
      if (state == nullptr)
        call_mpi(call);
      else if (const CallDecision decision = state->decide(call); decision.error == MPI_SUCCESS)
        state->run(call, decision);
      else
        std::abort();
    }
    return (MPI_Wtime() - start_s) / calls;
  }

  void line(const CollectiveCall& call, int bytes, const std::vector<std::unique_ptr<CommState>>& states) const {
    const int calls = std::clamp((1 << 20) / bytes, 4, 50);
    std::vector<std::vector<double>> seconds(states.size());
    const double start_s = MPI_Wtime();
    for (int go_on = 1; go_on != 0;) {
      for (std::size_t i = 0; i < states.size(); ++i) seconds[i].push_back(turn(call, states[i].get(), calls));
      go_on = MPI_Wtime() - start_s < budget_s_ || seconds.front().size() < min_turns ? 1 : 0;
      MPI_Bcast(&go_on, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    std::string row = std::to_string(bytes);
    for (std::vector<double>& of_plan : seconds) {
      char text[32];
      of_plan.erase(of_plan.begin());  // prepares plans and communicators
      std::snprintf(text, sizeof text, " | %.2f", summary(of_plan).median);
      row += text;
    }
    if (rank_ == 0) std::printf("%s\n", row.c_str());
  }

  int rank_ = 0, size_ = 0;
  double budget_s_;
  std::optional<Topology> topology_;
  std::vector<char> in_, out_;
};
}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  {
    Ranks ranks(argc > 1 ? std::atoi(argv[1]) : 1, argc > 2 ? std::atof(argv[2]) : 1);
    ranks.hold({Collective::broadcast,
                {"multilevel:levels=linear/linear", "multilevel:levels=linear/binomial",
                 "multilevel:segment=64Ki,levels=linear/chain", "multilevel:levels=linear/mpi", ""}});
    ranks.hold({Collective::allreduce,
                {"multilevel:levels=linear/binomial", "multilevel:levels=linear/mpi", "multilevel-exchange",
                 "multilevel-exchange:inside=mpi", ""}});
    ranks.hold({Collective::allgather, {"ring", "multilevel", "aggregated", ""}});
    ranks.hold({Collective::barrier, {"multilevel", "multilevel:inside=mpi", ""}});
  }
  MPI_Finalize();
  return 0;
}
