// What several streams get when all send at once.
#pragma once

#include <vector>

#include "algorithms/measuring/discovery.hpp"

namespace isthmus {

/// Streams that get less than this share of what they get alone are on one link.
constexpr double shares_below = 0.85;
constexpr double min_test_s = 0.05, max_test_s = 2, max_stream_bytes = 24e6;  ///< bounds of a test

/// A stream of a test: what it gets alone, its latency, and those of rank 0's orders to its sender and its receiver.
struct LoadedPair {
  int from = 0, to = 0;  ///< hosts
  double alone_Bps = 0, way_s = 0, order_s = 0, order_to_receiver_s = 0;
  bool by_datagrams = false;  ///< messages get less than that alone
};

double sum_of(const std::vector<double>& values);

/// What each gets when all send at once. Those with short ways start later if `arrive_together`, so that they meet at a
/// common receiver; else all start together. If messages are too slow for one of them, all are datagrams at the rates
/// that they get alone. While one gets less there is another test, up to `max_tests`; the one in which
/// they get most counts.
///
/// Each stream has as much as it sends alone during the test. What all wait for carries that in more time, `longer` by
/// this factor, if it is known: then the rates are those of the whole of this time. At its start queues elsewhere fill,
/// such as at a link that a host sends and receives on, and they empty at a higher rate.
std::vector<double> rates_at_once(const std::vector<LoadedPair>& pairs, const PairProber& prober, int max_tests,
                                  bool arrive_together = false, double longer = 1);

/// Whether the acknowledgements of a message at this rate fill the way back.
bool acknowledgements_fill(double back_Bps, double rate_Bps);

/// What one stream gets alone, as its receiver sees it; `pair.alone_Bps` or more.
double rate_at_receiver_Bps(LoadedPair pair, const PairProber& prober);

}  // namespace isthmus
