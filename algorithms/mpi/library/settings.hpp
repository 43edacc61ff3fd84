// The user's settings: environment variables, or members of the network file.
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "algorithms/collective/algorithm.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {

/// How a Cartesian communicator that may be reordered is made. ranks: its ranks are numbered anew, as MPI says.
/// coordinates: its ranks keep their numbers and get other coordinates, for programs that use the numbers on the
/// communicator that it was made of (coordinates.hpp). none: the MPI beneath does as it likes.
enum class ReorderForm : std::uint8_t { ranks, coordinates, none };

/// Who serves collectives among neighbours. chosen: the quicker by model, the MPI beneath where aggregation does not
/// pay.
enum class NeighbourService : std::uint8_t { chosen, mpi, direct, aggregated };

/// Whether the drop-in discovers the network when a program initialises MPI, one pair of hosts after the other, or in
/// rounds of pairs that measure at the same time.
enum class DiscoverForm : std::uint8_t { none, pairs, rounds };

struct Settings {
  std::string network;   ///< ISTHMUS_NETWORK: a network JSON file; empty: none
  std::string channels;  ///< ISTHMUS_CHANNELS: files of networks and channels, separated by `:`; empty: none
  std::string table;     ///< ISTHMUS_TABLE: a decision table, as `isthmus tune -o` writes it; empty: none
  /// ISTHMUS_EFFORT: messages that may be replayed to choose a plan, about a million a second; 0: nothing is chosen.
  std::int64_t effort_messages = std::int64_t{1} << 16;
  std::array<std::optional<Plan>, collective_count>
      plans;  ///< ISTHMUS_<COLLECTIVE>, by collective; `mpi`: the MPI's own

  /// ISTHMUS_SITE_PATTERN: see paths_of_ranks(); where there is no network.
  std::string site_pattern;
  /// For the drop-in. ISTHMUS_REPORT: the target of the report at the end, `1` for the standard error, else a file;
  /// empty: none. ISTHMUS_LOG: the same for a line at the first use of each plan.
  std::string report, log;
  /// ISTHMUS_CHECK: how long ranks wait for each other before CallOrderCheck ends the job; 0: no check.
  double check_s = 0;
  /// ISTHMUS_REORDER: `ranks`, `coordinates` or `no`.
  ReorderForm reorder = ReorderForm::ranks;
  /// ISTHMUS_NEIGHBOURS: `mpi`, `direct` or `aggregated`; empty: chosen.
  NeighbourService neighbours = NeighbourService::chosen;
  /// ISTHMUS_DISCOVER: `0`, `1` or `rounds`.
  DiscoverForm discover = DiscoverForm::none;
  /// ISTHMUS_DISCOVER_SECONDS: how long a discovery may take.
  double discover_s = 60;
  /// ISTHMUS_DISCOVER_CACHE: a folder where networks that were discovered are kept by their hosts; empty: none.
  std::string discover_cache;
  /// ISTHMUS_FORWARD: whether forwarders carry messages between hosts without a route.
  bool forwards = false;
  /// ISTHMUS_TAG_LIMIT: the highest tag that calls may use, where the MPI has higher ones: for tests.
  int tag_limit = std::numeric_limits<int>::max();

  const std::optional<Plan>& plan(Collective collective) const { return plans[static_cast<std::size_t>(collective)]; }
};

/// The settings of rank 0, on every rank: of variables; and in the file of ISTHMUS_NETWORK, of members of its object
/// "settings": `"broadcast": "magpie"` for ISTHMUS_BROADCAST=magpie, which has precedence. Collective; throws BadInput,
/// the same on all ranks, that begins with the name of the wrong variable, as of one that differs by one letter from
/// these.
Settings settings_of_rank_0(MPI_Comm comm);
/// The same of this process, before there is a communicator. Throws BadInput.
Settings settings_of_process();
/// ISTHMUS_START_SECONDS of this process: how long its MPI_Init waits for those of the other ranks. Throws BadInput.
double start_seconds();

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
