// The contract of a collective, in symbols: the contents of the buffers before it, and their required contents after
// it.
#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/schedule/slice.hpp"

namespace isthmus {

/// What a slice of a rank's buffer holds. A value is an ordered list of contributing ranks; element k of the slice is
/// the reduction, in that order, of element first + k of each contributor's data. A single contributor is plain data.
struct Piece {
  int rank = 0;
  Slice slice;
  int value = 0;           ///< index into Contract::values
  std::int64_t first = 0;  ///< element of the contributors' data that the slice's first element holds
};

/// The contract of a collective over `size` ranks. Elements outside all initial pieces are undefined at first. Elements
/// outside all required pieces may hold anything at the end.
struct Contract {
  int size = 0;
  bool commutative = true;                 ///< whether the operator commutes; if not, the order of contributors counts
  bool idempotent = false;                 ///< x (op) x = x, for example `or`: a rank may contribute more than once
  std::vector<std::int64_t> input_count;   ///< by rank: elements of `input`
  std::vector<std::int64_t> output_count;  ///< by rank: elements of `output`
  std::vector<std::vector<int>> values;    ///< ordered contributors, shared by the pieces
  std::vector<Piece> initial;
  std::vector<Piece> required;
};

}  // namespace isthmus
