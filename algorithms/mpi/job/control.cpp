#include "algorithms/mpi/job/control.hpp"

#include <vector>

#include "algorithms/catalog.hpp"
#include "algorithms/collective/algorithm.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace {

// Above those of the job's own programs, which may be on the same communicator.
constexpr int first_control_tag = 1 << 13, tags_of_a_collective = 1 << 9;

}  // namespace

Control::Control(MPI_Comm comm, const Topology& topology, const ExecutorOptions& options)
    : comm_(comm), topology_(topology), options_(options) {}

Executor& Control::executor(Collective collective, std::size_t values) {
  std::unique_ptr<Executor>& known = executors_[{collective, values}];
  if (!known) {
    const Problem problem{collective, static_cast<std::int64_t>(values), sizeof(double), 0};
    const Plan plan = parse_plan(collective, "binomial");
    int rank = 0;
    check_mpi(MPI_Comm_rank(comm_, &rank), {.call = "MPI_Comm_rank"});
    Program program;
    source(plan, topology_, problem)(rank, program);
    known = std::make_unique<Executor>(std::move(program), comm_, options_);
  }
  return *known;
}

void Control::barrier() {
  if (topology_.connectivity().complete()) {
    check_mpi(MPI_Barrier(comm_), {.call = "MPI_Barrier"});
    return;
  }
  double token = 0;
  std::vector<double> tokens(topology_.size());
  gather({&token, 1}, tokens.data());
  broadcast({&token, 1});
}

void Control::broadcast(std::span<double> values) {
  if (topology_.connectivity().complete()) {
    check_mpi(MPI_Bcast(values.data(), static_cast<int>(values.size()), MPI_DOUBLE, 0, comm_), {.call = "MPI_Bcast"});
    return;
  }
  executor(Collective::broadcast, values.size())
      .run({.output = values.data(), .datatype = MPI_DOUBLE, .first_tag = first_control_tag});
}

void Control::gather(std::span<const double> values, double* all) {
  const int count = static_cast<int>(values.size());
  if (topology_.connectivity().complete()) {
    check_mpi(MPI_Gather(values.data(), count, MPI_DOUBLE, all, count, MPI_DOUBLE, 0, comm_), {.call = "MPI_Gather"});
    return;
  }
  executor(Collective::gather, values.size())
      .run({.input = values.data(),
            .output = all,
            .datatype = MPI_DOUBLE,
            .first_tag = first_control_tag + tags_of_a_collective});
}

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
