// Checks of MPI calls: an error says what was tried.
#pragma once

#include <mpi.h>

#include <string>

#include "algorithms/errors.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {

/// An MPI call failed. Seen only on communicators whose error handler is MPI_ERRORS_RETURN.
class MpiError : public Refused {
 public:
  MpiError(int code, const std::string& message) : Refused(message), code_(code) {}
  /// What the call returned.
  int code() const noexcept { return code_; }

 private:
  int code_;
};

/// The operation that was tried. Negative: does not apply.
struct Attempt {
  const char* call;
  int rank = -1;
  int peer = -1;
  int operation = -1;  ///< index into the rank's program
};

[[noreturn]] void throw_mpi_error(int code, const Attempt& attempt);

/// Throws MpiError unless `code` is MPI_SUCCESS.
inline void check_mpi(int code, const Attempt& attempt) {
  if (code != MPI_SUCCESS) [[unlikely]]
    throw_mpi_error(code, attempt);
}

/// For catch (...): the error code for the current exception; a new code with its text if MPI has none for it.
int code_of_current_exception();
/// The code of `work`, or of the exception that it throws. Errors go to the communicator's error handler.
template <typename Work>
int guarded(MPI_Comm comm, Work work) {
  int code = MPI_SUCCESS;
  try {
    code = work();
  } catch (...) {
    code = code_of_current_exception();
  }
  if (code != MPI_SUCCESS) PMPI_Comm_call_errhandler(comm, code);
  return code;
}

/// The code of `work`, whose errors have gone to an error handler already. An exception becomes an error, which goes to
/// the communicator's: none may leave a function that C programs call.
template <typename Work>
int contained(MPI_Comm comm, Work work) {
  int code = MPI_SUCCESS;
  try {
    return work();
  } catch (...) {
    code = code_of_current_exception();
  }
  PMPI_Comm_call_errhandler(comm, code);
  return code;
}

/// Ends the whole job with status 2 and prints the reason on the standard error. Called by one rank.
[[noreturn]] void end_job(const std::string& why);

/// An error code with a text, as MPI lets libraries add them; of class MPI_ERR_OTHER, over MPICH of one that is added.
int code_with_text(const std::string& text);

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
