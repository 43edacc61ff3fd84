// The MPI datatype and the MPI operator of a job's elements (see job_data.hpp).
#pragma once

#include <mpi.h>

#include "algorithms/collective/problem.hpp"
#include "algorithms/mpi/executor/mpi_error.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {

/// An unsigned integer where the element is one, else bytes in a row. MPI's own operator where there is one that does
/// what job_data.hpp asks for, else one made for it.
class JobElement {
 public:
  /// Throws MpiError.
  explicit JobElement(const Problem& problem);
  ~JobElement();
  JobElement(const JobElement&) = delete;
  JobElement& operator=(const JobElement&) = delete;

  MPI_Datatype datatype() const { return datatype_; }
  /// MPI_OP_NULL where the collective has none.
  MPI_Op op() const { return op_; }

 private:
  MPI_Datatype datatype_, made_datatype_ = MPI_DATATYPE_NULL;
  MPI_Op op_ = MPI_OP_NULL, made_op_ = MPI_OP_NULL;
};

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
