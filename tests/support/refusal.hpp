// What is said when something is refused.
#pragma once

#include <string>

#include "algorithms/errors.hpp"

namespace isthmus::tests {

/// The text of the BadInput that `action` throws; "accepted" if it throws none.
template <typename Action>
std::string refusal_of(const Action& action) {
  try {
    action();
  } catch (const BadInput& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace isthmus::tests
