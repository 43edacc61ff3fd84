// Replaces run_job() in a simulator that fails as ISTHMUS_FAULT says.
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "algorithms/mpi/job/run_job.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {

void run_job(const Job& job, MPI_Comm comm, const RankEnvironment& environment, const ResultSink& done) {
  const std::string fault = std::getenv("ISTHMUS_FAULT");
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  const int last = job.placement.size() - 1;
  char byte = 0;
  if (fault == "deadlock" && rank == last) MPI_Recv(&byte, 1, MPI_BYTE, 0, 0, comm, MPI_STATUS_IGNORE);
  if (fault == "abort" && rank == last) MPI_Abort(comm, 3);
  if (fault == "crash" && rank == last) std::raise(SIGSEGV);
  if (fault == "no-memory" && rank == last) std::raise(SIGKILL);
  if (fault == "exception" && rank == last) throw std::runtime_error("rank 5 is out of luck");
  if (fault == "hang" && rank == last) {
    for (;;) environment.sleep_until(environment.now_s() + 1);
  }
  PointResult result;
  result.correct = fault != "wrong-bytes";
  const std::vector<double> at_once(job.placement.size());
  result.repetitions = {{0, at_once, at_once}};
  if (rank == 0 && fault != "silence") done(0, result);
}

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
