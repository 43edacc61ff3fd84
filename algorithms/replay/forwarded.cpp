#include "algorithms/replay/forwarded.hpp"

#include <algorithm>
#include <utility>

#include "algorithms/network/forwarded_routes.hpp"
#include "algorithms/relays/relays.hpp"

namespace isthmus {

Carried carried(const PlacedNetwork& placed, std::int64_t element_bytes, const ProgramSource& programs) {
  if (!has_forwarded_routes(placed.network())) return {placed, programs};
  PlacedNetwork with_forwarders = placed.with_forwarders();
  ProgramSource relayed =
      with_relays_after(programs, placed.size(), with_forwarders.topology().connectivity(), with_forwarders.size(),
                        forwarded_piece_bytes(placed.network()) / std::max<std::int64_t>(element_bytes, 1));
  // The connectivity lives as long as the network.
  return {with_forwarders,
          [with_forwarders, relayed = std::move(relayed)](int rank, Program& program) { relayed(rank, program); }};
}

}  // namespace isthmus
