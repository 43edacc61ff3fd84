// What is attached to a communicator of the user's: made when a collective is first called on it, freed with it.
#pragma once

#include <mpi.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/mpi/agreement.hpp"
#include "algorithms/mpi/comm_state.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {

/// What is found out once for MPI_COMM_WORLD, and holds for all communicators made of its ranks.
struct World {
  Settings settings;
  std::optional<Placed> placed;                 ///< where a network was given
  std::vector<std::vector<std::string>> paths;  ///< else: site and node, by rank
};

/// Collective over MPI_COMM_WORLD; throws BadInput, the same on all ranks.
std::shared_ptr<const World> world_of(MPI_Comm comm);
/// From here on it is not asked again for communicators of its ranks.
void set_world(std::shared_ptr<const World> world);
/// Whether the calls on a communicator of the world may be served: it spans sites, or plans are asked for. The same on
/// all its ranks. Throws MpiError.
bool may_be_served(MPI_Comm comm);

/// A communicator's state, or why it has none: that is found out once, and the same on all ranks. An intercommunicator
/// has neither.
struct Attached {
  std::shared_ptr<CommState> state;
  std::unique_ptr<Agreement> agreement = nullptr;  ///< where ISTHMUS_CHECK asks for it
  int failure = MPI_SUCCESS;  ///< a code whose MPI_Error_string() says what is wrong with the settings

  bool intercommunicator() const { return state == nullptr && failure == MPI_SUCCESS; }
};

/// This process's calls under way, on any communicator.
const std::shared_ptr<InFlight>& calls_in_flight();

/// Collective where nothing is attached as yet. Throws MpiError.
Attached& attached_to(MPI_Comm comm);
/// Null where nothing is. Throws MpiError.
Attached* attached_before(MPI_Comm comm);

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
