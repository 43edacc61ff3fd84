// The rows of a collective's table from those of another.
#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include "algorithms/collective/algorithm.hpp"

namespace isthmus {

/// The rows with one more before them.
template <std::size_t rows>
constexpr std::array<Algorithm, rows + 1> with_first(const Algorithm& first,
                                                     const std::array<Algorithm, rows>& others) {
  return [&]<std::size_t... index>(std::index_sequence<index...>) { return std::array{first, others[index]...}; }
  (std::make_index_sequence<rows>());
}

/// The rows with one more behind them.
template <std::size_t rows>
constexpr std::array<Algorithm, rows + 1> with_last(const std::array<Algorithm, rows>& others, const Algorithm& last) {
  return [&]<std::size_t... index>(std::index_sequence<index...>) { return std::array{others[index]..., last}; }
  (std::make_index_sequence<rows>());
}

}  // namespace isthmus
