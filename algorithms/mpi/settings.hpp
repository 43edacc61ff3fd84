// What a user may set: environment variables.
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "algorithms/collective/algorithm.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {

constexpr std::size_t collectives = static_cast<std::size_t>(Collective::exscan) + 1;

struct Settings {
  std::string network;  ///< ISTHMUS_NETWORK: a network JSON file; empty: none
  /// ISTHMUS_EFFORT: messages that may be replayed to choose a plan, about a million a second; 0: nothing is chosen.
  std::int64_t effort_messages = std::int64_t{1} << 16;
  std::array<std::optional<Plan>, collectives> plans;  ///< ISTHMUS_<COLLECTIVE>, by collective

  const std::optional<Plan>& plan(Collective collective) const { return plans[static_cast<std::size_t>(collective)]; }
};

/// Those of this process. Throws BadInput that begins with the name of the variable that is wrong.
Settings own_settings();
/// Those of rank 0 on every rank. Collective; throws BadInput, the same on all ranks.
Settings settings_of_rank_0(MPI_Comm comm);

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
