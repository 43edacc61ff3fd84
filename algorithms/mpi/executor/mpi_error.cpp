#include "algorithms/mpi/executor/mpi_error.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <thread>

#if defined(__SANITIZE_ADDRESS__)
// No reports of memory that Open MPI does not free at its end. The emulation loads a library before the sanitizer's, so
// that the link order is not checked.
extern "C" const char* __asan_default_options() { return "detect_leaks=0:verify_asan_link_order=0"; }
#endif

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {

void throw_mpi_error(int code, const Attempt& attempt) {
  char text[MPI_MAX_ERROR_STRING + 1] = {};
  int length = 0;
  if (PMPI_Error_string(code, text, &length) != MPI_SUCCESS) length = 0;
  std::string message = attempt.call;
  if (attempt.rank >= 0) message += " on rank " + std::to_string(attempt.rank);
  if (attempt.peer >= 0) message += ", peer " + std::to_string(attempt.peer);
  if (attempt.operation >= 0) message += ", operation " + std::to_string(attempt.operation);
  message += ": " + (length > 0 ? std::string(text, length) : "error " + std::to_string(code));
  throw MpiError(code, message);
}

void end_job(const std::string& why) {
  constexpr int bad_request = 2;
  // MPICH's launcher kills the ranks at once, and loses output that it has not read by then.
  constexpr auto time_to_read = std::chrono::milliseconds(500);
  std::fprintf(stderr, "isthmus: %s\n", why.c_str());
  std::fflush(stderr);
  std::this_thread::sleep_for(time_to_read);
  PMPI_Abort(MPI_COMM_WORLD, bad_request);
  std::abort();
}

namespace {

int class_of_texts() {
#if defined(MPICH_VERSION)
  // MPICH finds the texts of codes in added classes alone.
  static const int added = [] {
    int made = MPI_ERR_OTHER;
    PMPI_Add_error_class(&made);
    return made;
  }();
  return added;
#else
  return MPI_ERR_OTHER;
#endif
}

}  // namespace

int code_with_text(const std::string& text) {
  int code = MPI_ERR_OTHER;
  if (PMPI_Add_error_code(class_of_texts(), &code) != MPI_SUCCESS) return MPI_ERR_OTHER;
  std::string told = text.substr(0, MPI_MAX_ERROR_STRING - 1);
  PMPI_Add_error_string(code, told.data());
  return code;
}

int code_of_current_exception() {
  try {
    try {
      throw;
    } catch (const MpiError& error) {
      return error.code();
    } catch (const std::bad_alloc&) {
      return MPI_ERR_NO_MEM;
    } catch (const std::exception& error) {
      return code_with_text(std::string("isthmus: ") + error.what());
    }
  } catch (const std::bad_alloc&) {  // for the text
    return MPI_ERR_NO_MEM;
  }
}

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
