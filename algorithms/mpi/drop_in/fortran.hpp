// Common parts of the Fortran interface. Symbols are named as by gfortran; those of the module mpi_f08 are Open MPI's,
// with an optional ierror.
#pragma once

#include <mpi.h>

#include "algorithms/mpi/drop_in/collectives.hpp"
#include "algorithms/process/loaded_symbol.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace drop_in::fortran {

using Int = MPI_Fint;

inline MPI_Comm comm_of(const Int* handle) { return PMPI_Comm_f2c(*handle); }

inline void set(Int* error, int code) {
  if (error != nullptr) *error = code;
}

/// The MPI beneath, by the profiling name of its Fortran interface.
template <typename... Arguments>
void beneath(const char* name, Arguments... arguments) {
  reinterpret_cast<void (*)(Arguments...)>(loaded_symbol(name))(arguments...);
}

}  // namespace drop_in::fortran
}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus

// Compilers differ in the underscores that they append; a name cannot stand in parentheses. Names without one are not
// here: libraries in C have functions of their own that are called mpi_allreduce, such as R's Rmpi.
// NOLINTBEGIN(bugprone-reserved-identifier,bugprone-macro-parentheses)
#define FORTRAN_NAMES(name)                                                \
  extern "C" __attribute__((alias(#name "_"))) decltype(name##_) name##__; \
  extern "C" __attribute__((alias(#name "_"))) decltype(name##_) name##_f08_;
// NOLINTEND(bugprone-reserved-identifier,bugprone-macro-parentheses)
