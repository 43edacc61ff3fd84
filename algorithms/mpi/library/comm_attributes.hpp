// The attributes of a user's communicator: made at the first call of a collective on it, freed with it.
#pragma once

#include <mpi.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/mpi/library/call_order_check.hpp"
#include "algorithms/mpi/library/comm_state.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {

/// Facts that are determined once for MPI_COMM_WORLD and used for all communicators of its ranks.
struct WorldSetup {
  Settings settings;
  std::optional<PlacedNetwork> placed;                   ///< where a network was given
  std::vector<std::vector<std::string>> paths;           ///< else: site and node, by rank
  std::shared_ptr<const DecisionTable> table = nullptr;  ///< where one was given
  bool many_threads = false;                             ///< a rank has MPI_THREAD_MULTIPLE
};

/// Collective over MPI_COMM_WORLD; throws BadInput, the same on all ranks.
/// `discover` finds a network where the settings ask for that, or nothing.
using FindNetwork = std::function<std::optional<Network>(const Settings& settings, MPI_Comm comm)>;
std::shared_ptr<const WorldSetup> world_of(MPI_Comm comm, const FindNetwork& discover);
/// Stores the setup for later communicators of its ranks.
void set_world(std::shared_ptr<const WorldSetup> world);
/// Whether calls on a communicator of the world's ranks may be served: it spans sites, or plans are asked for. The same
/// on all its ranks. Throws MpiError.
bool may_be_served(MPI_Comm comm);
/// Whether an intracommunicator has ranks outside the world, such as those of MPI_Comm_spawn, under which the drop-in
/// may not be. Throws MpiError.
bool has_other_ranks(MPI_Comm comm);

/// Where an intracommunicator's ranks are, and how it may be reordered.
struct CommGroups {
  PlacedNetwork placed;  ///< without a network of default costs
  ReorderForm reorder = ReorderForm::ranks;
  std::int64_t effort_messages = Settings{}.effort_messages;

  const Topology& topology() const { return placed.topology(); }
};
/// No value for an intercommunicator, where some ranks are not of the world, or where the settings are wrong. Without a
/// world attributes are made: collective. Throws MpiError.
std::optional<CommGroups> groups_of(MPI_Comm comm);

/// A communicator's state, or the reason why it has none, determined once and the same on all ranks. An
/// intercommunicator has neither.
struct CommAttributes {
  std::shared_ptr<CommState> state;
  std::unique_ptr<CallOrderCheck> call_order_check = nullptr;  ///< where ISTHMUS_CHECK asks for it
  int failure = MPI_SUCCESS;  ///< a code whose MPI_Error_string() says what is wrong with the settings

  bool neighbours_sought = false;

  bool intercommunicator() const { return state == nullptr && failure == MPI_SUCCESS; }
};

/// Communicators whose calls all go to the MPI beneath: a direct-mapped cache of 64 handles, where a collision only
/// costs the slow path. A handle is added only after an attribute has been attached to it; deletion of the attribute
/// removes the handle.
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

/// Leaves all calls on a communicator to the MPI beneath. Used for communicators with ranks outside the world, and for
/// those of MPI_Comm_create_group if there are several threads: a rank may make several at once, distinguished only by
/// the caller's tag. Our private communicator is made by a call without a tag, in which the threads of Open MPI 4.1
/// deadlock.
void leave_to_mpi(MPI_Comm comm);
bool is_left_to_mpi(MPI_Comm comm);

/// The calls in progress of this process, on any communicator.
const std::shared_ptr<InFlight>& calls_in_flight();

/// Collective if nothing is attached yet. Throws MpiError.
CommAttributes& attributes_of(MPI_Comm comm);
/// The same, with the neighbours of a communicator that has a topology of MPI and whose calls among neighbours isthmus
/// may serve. Collective if anything is not attached yet.
CommAttributes& attributes_with_neighbours(MPI_Comm comm);
/// Attaches a state with this topology of the communicator's ranks, unless something is attached already. Collective;
/// throws MpiError.
void attach_topology(MPI_Comm comm, const Settings& settings, Topology topology);
/// Null if nothing is attached. Throws MpiError.
CommAttributes* attributes_before(MPI_Comm comm);

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
