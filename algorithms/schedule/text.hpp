// Slices and operations in words, as error messages and pictures show them.
#pragma once

#include <string>
#include <string_view>

#include "algorithms/schedule/program.hpp"

namespace isthmus {

/// `input`, `output` or `scratch`.
std::string_view name(Buffer buffer);
/// `send`, `receive`, `reduce` or `copy`.
std::string_view name(OpKind kind);

/// `output[0..7)`: elements 0 to 6.
std::string to_string(const Slice& slice);

/// `send output[0..7) to rank 3`, `receive scratch[0..7) from rank 3 in lane 1`,
/// `reduce output[0..7) = scratch[0..7) + output[0..7)`, `copy output[0..7) = input[0..7)`.
std::string to_string(const Op& op);

}  // namespace isthmus
