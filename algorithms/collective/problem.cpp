#include "algorithms/collective/problem.hpp"

#include <array>

#include "algorithms/collective/near_matches.hpp"
#include "algorithms/errors.hpp"

namespace isthmus {
namespace {

constexpr std::array<std::string_view, 1> names = {"broadcast"};  // in the order of the enumeration

}  // namespace

std::string_view name(Collective collective) { return names[static_cast<std::size_t>(collective)]; }

Collective collective_named(std::string_view name) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return static_cast<Collective>(i);
  throw BadInput("no collective `" + std::string(name) + "`" + near_matches(name, names));
}

}  // namespace isthmus
