// The MPI's own collective with the buffers of a job: the call that a program without isthmus makes.
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

#include "algorithms/collective/problem.hpp"
#include "algorithms/mpi/executor/executor.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {

class MpiCall {
 public:
  /// The selector is one of mpi_own.hpp. Open MPI's components are asked for with an info key of a communicator made
  /// for it; SMPI's selector is set by the simulator, and the communicator is used unchanged. Throws MpiError, and
  /// BadInput for counts or displacements that do not fit MPI's int.
  MpiCall(const Problem& problem, const std::string& selector, MPI_Comm comm);
  ~MpiCall();
  MpiCall(const MpiCall&) = delete;
  MpiCall& operator=(const MpiCall&) = delete;

  /// Throws MpiError.
  void run(const Arguments& arguments);

 private:
  void find_blocks();
  int call(const Arguments& arguments);

  const Problem& problem_;
  MPI_Comm comm_, made_comm_ = MPI_COMM_NULL;
  int rank_ = 0, size_ = 0;
  int count_ = 0;
  // Of blocks in the input or output of this rank, in elements.
  std::vector<int> send_counts_, send_displacements_, receive_counts_, receive_displacements_;
};

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
