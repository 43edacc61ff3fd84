// What the ranks of a job tell each other between repetitions: by the MPI's collectives, or, where some ranks have no
// route to each other, by schedules that others relay.
#pragma once

#include <mpi.h>

#include <map>
#include <memory>
#include <span>
#include <utility>

#include "algorithms/collective/problem.hpp"
#include "algorithms/mpi/executor/executor.hpp"
#include "algorithms/topology/topology.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {

class Control {
 public:
  /// `options`: of the executors that relay. Both others must outlive it.
  Control(MPI_Comm comm, const Topology& topology, const ExecutorOptions& options);

  MPI_Comm comm() const { return comm_; }
  /// No rank returns before all have called.
  void barrier();
  /// From rank 0 to all.
  void broadcast(std::span<double> values);
  /// From all to rank 0, by rank; `all` matters there only.
  void gather(std::span<const double> values, double* all);

 private:
  Executor& executor(Collective collective, std::size_t values);

  MPI_Comm comm_;
  const Topology& topology_;
  ExecutorOptions options_;
  std::map<std::pair<Collective, std::size_t>, std::unique_ptr<Executor>> executors_;
};

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
