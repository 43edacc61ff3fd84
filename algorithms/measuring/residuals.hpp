// How far a network that was found is from what was measured.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "algorithms/measuring/discovery.hpp"

namespace isthmus {

/// Streams that were measured at once: their hosts, and what each got.
struct LoadTest {
  std::vector<std::pair<int, int>> streams;
  std::vector<double> rates_Bps;
};

/// What was measured: all by the hosts from and to, times with the lower host first.
struct Measurements {
  const std::map<std::pair<int, int>, double>& ways_s;        ///< half a round trip
  const std::map<std::pair<int, int>, double>& rates_Bps;     ///< of a message, or of the line
  const std::map<std::pair<int, int>, LineRate>& lines;       ///< by trains of datagrams, where these were tried
  const std::map<std::pair<int, int>, double>& messages_Bps;  ///< of a message, where its rate is not that of the line
  const std::vector<LoadTest>& loads;                         ///< as they came
  std::int64_t long_bytes = 0;                                ///< of the longest message that measured a rate
};

/// The prober, which also keeps every test of several streams.
PairProber keeping_loads(const PairProber& prober, std::vector<LoadTest>& loads);

/// How much more than was measured the network gives, as a share of it; 0 for what was not measured.
inline double residual(double found, double measured) { return measured > 0 ? found / measured - 1 : 0; }

/// Adds the routes and the loads that were measured, and notes: on latencies that the network does not explain, on
/// rates that messages do not tell, on messages that get far less than the line, on lost frames, and on datagrams that
/// did not arrive.
void add_residuals(Discovered& found, const Measurements& measured);

}  // namespace isthmus
