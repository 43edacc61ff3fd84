// The rate between two hosts, by how much longer a message takes than one of half its size.
#pragma once

#include <cstdint>
#include <functional>

namespace isthmus {

constexpr double same_trip = 0.001;  ///< relative difference of two trips that are alike

/// Bytes per second. `trip_s` gives the seconds of one message of so many bytes and its empty answer; of at most
/// `repetitions` the quickest counts, fewer when two are alike. Sizes double until two rates in succession differ by
/// less than 2 % and the growth of the last is a quarter or more of the shortest trip, so that a window of TCP which
/// still opens, or the change of a protocol, is not taken for the rate; at most to `max_bytes` (2 or more). Where the
/// longest takes as long as the shortest, the lowest rate at which the two would still be alike.
double growing_rate_Bps(const std::function<double(std::int64_t bytes)>& trip_s, std::int64_t max_bytes,
                        int repetitions);

}  // namespace isthmus
