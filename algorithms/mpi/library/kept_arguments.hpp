// Copies of the arguments that are read after a call has returned, since programs may change and free their own.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <vector>

#include "algorithms/mpi/library/collective_call.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {

/// The lists of counts, displacements and datatypes, and where asked for the datatypes of collectives that move data.
/// Buffers, operators and the datatypes of reductions are not copied.
class KeptArguments {
 public:
  /// Makes `call` refer to the copies. Arguments must be right if `datatypes` are copied. Throws MpiError.
  KeptArguments(CollectiveCall& call, bool datatypes);
  ~KeptArguments();
  KeptArguments(const KeptArguments&) = delete;
  KeptArguments& operator=(const KeptArguments&) = delete;

 private:
  struct Lists {
    std::unique_ptr<std::byte[]> counts, displacements;
    std::vector<MPI_Datatype> datatypes;
  };
  void keep(CallSide& side, int blocks, bool datatypes, Lists& lists);
  MPI_Datatype kept(MPI_Datatype datatype);
  void free();

  Lists send_, receive_;
  std::vector<MPI_Datatype> made_;
};

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
