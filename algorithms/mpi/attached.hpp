// What is attached to a communicator of the user's: made when a collective is first called on it, freed with it.
#pragma once

#include <mpi.h>

#include <memory>

#include "algorithms/mpi/comm_state.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {

/// A communicator's state, or why it has none: that is found out once, and the same on all ranks. An intercommunicator
/// has neither.
struct Attached {
  std::shared_ptr<CommState> state;
  int failure = MPI_SUCCESS;  ///< a code whose MPI_Error_string() says what is wrong with the settings

  bool intercommunicator() const { return state == nullptr && failure == MPI_SUCCESS; }
};

/// This process's calls under way, on any communicator.
const std::shared_ptr<InFlight>& calls_in_flight();

/// Collective where nothing is attached as yet. Throws MpiError.
Attached& attached_to(MPI_Comm comm);

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
