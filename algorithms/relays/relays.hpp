// Messages between ranks without a route: passed on by ranks that reach both ends.
//
// Any schedule becomes one that uses only routes that exist. A message without a route is cut into pieces, which other
// ranks receive and send on. The pieces of a message take the ranks that could relay in turn, so that these share the
// load.
//
// Why nothing gets stuck or mixed up: a synchronous execution of the given schedule puts its messages into an order in
// which each comes after all that it needs. On every rank the sends and receives of relayed messages, and what it
// relays for others, are issued in that order, in lanes of their own. So both ends of every pair agree on the order of
// their messages, and by induction over the order each message gets through once those before it have.
#pragma once

#include <cstdint>

#include "algorithms/schedule/program.hpp"
#include "algorithms/topology/connectivity.hpp"

namespace isthmus {

/// A relaying rank has passed on the first piece of a message while the second arrives.
inline constexpr std::int64_t relayed_piece_bytes = std::int64_t{64} << 10;
/// A relaying rank holds at most so many pieces for each of its relay lanes.
inline constexpr int max_held_pieces = 4;

/// The schedule with its messages relayed where `connectivity` has no direct route. A schedule that gets stuck comes
/// back unchanged. Throws BadInput where no rank can relay.
Schedule with_relays(const Schedule& schedule, const Connectivity& connectivity, std::int64_t piece_elements);

/// The same for a source; the whole schedule is made at the first call, since a relaying rank has to know what others
/// send. Copies share it.
ProgramSource with_relays(ProgramSource programs, const Connectivity& connectivity, int size,
                          std::int64_t piece_elements);

/// The programs of `ranks` ranks and of those after them, which have no part in the collective and only relay.
ProgramSource with_relays_after(ProgramSource programs, int ranks, const Connectivity& connectivity, int size,
                                std::int64_t piece_elements);

}  // namespace isthmus
