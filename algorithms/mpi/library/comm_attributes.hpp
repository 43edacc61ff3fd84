// What is attached to a communicator of the user's: made when a collective is first called on it, freed with it.
#pragma once

#include <mpi.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/mpi/library/call_order_check.hpp"
#include "algorithms/mpi/library/comm_state.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {

/// What is found out once for MPI_COMM_WORLD, and holds for all communicators made of its ranks.
struct WorldSetup {
  Settings settings;
  std::optional<PlacedNetwork> placed;                   ///< where a network was given
  std::vector<std::vector<std::string>> paths;           ///< else: site and node, by rank
  std::shared_ptr<const DecisionTable> table = nullptr;  ///< where one was given
  bool many_threads = false;                             ///< a rank has MPI_THREAD_MULTIPLE
};

/// Collective over MPI_COMM_WORLD; throws BadInput, the same on all ranks.
std::shared_ptr<const WorldSetup> world_of(MPI_Comm comm);
/// From here on it is not asked again for communicators of its ranks.
void set_world(std::shared_ptr<const WorldSetup> world);
/// Whether the calls on a communicator of the world may be served: it spans sites, or plans are asked for. The same on
/// all its ranks. Throws MpiError.
bool may_be_served(MPI_Comm comm);

/// A communicator's state, or why it has none: that is found out once, and the same on all ranks. An intercommunicator
/// has neither.
struct CommAttributes {
  std::shared_ptr<CommState> state;
  std::unique_ptr<CallOrderCheck> call_order_check = nullptr;  ///< where ISTHMUS_CHECK asks for it
  int failure = MPI_SUCCESS;  ///< a code whose MPI_Error_string() says what is wrong with the settings

  bool intercommunicator() const { return state == nullptr && failure == MPI_SUCCESS; }
};

/// Communicators whose calls all go to the MPI beneath: a direct-mapped cache of 64 handles, where a collision only
/// costs the slow path. Whoever adds one has attached something to it, whose deletion removes it.
class PassThroughCache {
 public:
  bool has(MPI_Comm comm) const { return place_of(comm).load(std::memory_order_relaxed) == comm; }
  void add(MPI_Comm comm) { place_of(comm).store(comm, std::memory_order_relaxed); }
  void remove(MPI_Comm comm) {
    if (has(comm)) place_of(comm).store(MPI_COMM_NULL, std::memory_order_relaxed);
  }

 private:
  using Place = std::atomic<MPI_Comm>;
  static constexpr std::size_t places = 64;
  static std::size_t index_of(MPI_Comm comm) {
    const std::size_t bits = std::hash<MPI_Comm>()(comm);  // an address or a number
    return (bits ^ bits >> 6 ^ bits >> 12) % places;
  }
  Place& place_of(MPI_Comm comm) { return places_[index_of(comm)]; }
  const Place& place_of(MPI_Comm comm) const { return places_[index_of(comm)]; }

  std::array<Place, places> places_ = {};
};
inline PassThroughCache pass_through;

/// Has the drop-in leave all calls on a communicator to the MPI beneath. Those of MPI_Comm_create_group where there are
/// many threads: several may be made at once on one rank, told apart by the caller's tag alone. A private communicator
/// beside each is made by a call without a tag, and Open MPI 4.1's threads then wait for each other for ever.
void leave_to_mpi(MPI_Comm comm);
bool is_left_to_mpi(MPI_Comm comm);

/// This process's calls under way, on any communicator.
const std::shared_ptr<InFlight>& calls_in_flight();

/// Collective where nothing is attached as yet. Throws MpiError.
CommAttributes& attributes_of(MPI_Comm comm);
/// Null where nothing is. Throws MpiError.
CommAttributes* attributes_before(MPI_Comm comm);

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
