// What one call of a collective asks for: shapes, no data.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace isthmus {

enum class Collective : std::uint8_t { broadcast };

/// The name used on the command line and in records, e.g. `broadcast`.
std::string_view name(Collective collective);
/// The collective of a name. Throws BadInput with the near matches.
Collective collective_named(std::string_view name);

/// `count` elements of `element_bytes` each, as the MPI call of the collective passes for one buffer or block.
struct Problem {
  Collective collective = Collective::broadcast;
  std::int64_t count = 0;
  std::int64_t element_bytes = 1;
  int root = 0;

  std::int64_t bytes() const { return count * element_bytes; }
};

}  // namespace isthmus
