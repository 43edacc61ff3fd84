// What makes a lower bound, in words.
#pragma once

#include <span>
#include <string>

#include "algorithms/bounds/lower_bound.hpp"
#include "algorithms/network/network.hpp"

namespace isthmus {

/// `No schedule takes less than 1.3 s: 16 MiB have to cross these links, for instance from a to b`, without a full
/// stop.
std::string bound_sentence(const LowerBound& bound, const Network& network);

/// `wan0-1`, `wan0-1, wan2-1`, `wan0-1, wan2-1, wan3-1 and 14 more`.
std::string links_in_words(const Network& network, std::span<const int> links);

/// As format_bytes(), of a number that may be no whole one, or too large for one.
std::string rounded_bytes(double bytes);

}  // namespace isthmus
