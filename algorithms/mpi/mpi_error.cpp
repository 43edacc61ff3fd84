#include "algorithms/mpi/mpi_error.hpp"

#include <string>

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {

void throw_mpi_error(int code, const Attempt& attempt) {
  char text[MPI_MAX_ERROR_STRING + 1] = {};
  int length = 0;
  if (MPI_Error_string(code, text, &length) != MPI_SUCCESS) length = 0;
  std::string message = attempt.call;
  if (attempt.rank >= 0) message += " on rank " + std::to_string(attempt.rank);
  if (attempt.peer >= 0) message += ", peer " + std::to_string(attempt.peer);
  if (attempt.operation >= 0) message += ", operation " + std::to_string(attempt.operation);
  message += ": " + (length > 0 ? std::string(text, length) : "error " + std::to_string(code));
  throw MpiError(code, message);
}

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
