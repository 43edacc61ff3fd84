// What a collective promises, in symbols: what lies where before it, and what must lie where after it.
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

/// The contract of a collective over `size` ranks. Whatever no initial piece covers is undefined at first; whatever no
/// required piece covers may hold anything at the end.
struct Contract {
  int size = 0;
  bool commutative = true;                 ///< whether the operator is: if not, the order of contributors counts
  bool idempotent = false;                 ///< x (op) x = x, as of an or: how often somebody contributes does not count
  std::vector<std::int64_t> input_count;   ///< by rank: elements of `input`
  std::vector<std::int64_t> output_count;  ///< by rank: elements of `output`
  std::vector<std::vector<int>> values;    ///< ordered contributors, shared by the pieces
  std::vector<Piece> initial;
  std::vector<Piece> required;
};

}  // namespace isthmus
