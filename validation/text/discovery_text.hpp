// What discovery measured, beside what the network that it found says.
#pragma once

#include <string>

#include "algorithms/measuring/discovery.hpp"
#include "validation/text/terminal.hpp"

namespace isthmus {

/// A row for each route between two outermost groups whose rate was measured: latency and rate, and how far the network
/// is from them; below it the largest deviations of all routes.
std::string discovery_table(const Discovered& discovered, const Look& look);

/// A line for each measured route, in the units of the JSON: from, to, empty_s, found_empty_s, rate_Bps,
/// found_rate_Bps, message_Bps, lost; the rates are empty where none was measured. Then a line for each test of several
/// streams at once: their number in the last column, `streams`, what they carried together, and the hosts of the stream
/// that is furthest off; the columns of one route are empty.
std::string discovery_csv(const Discovered& discovered);

}  // namespace isthmus
