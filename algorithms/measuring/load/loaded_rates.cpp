#include "algorithms/measuring/load/loaded_rates.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

namespace isthmus {
namespace {

constexpr double round_trips_of_test = 2;
constexpr double order_margin_s = 0.01, order_s = 0.002;
constexpr double min_message_bytes = 4096, max_message_bytes = 2 << 20;
constexpr int messages_of_stream = 96, min_messages_of_stream = 32;
constexpr double filled = 0.95;  // share of a rate that acknowledgements take, above which they fill it
constexpr double more = 2;       // factor by which a stream exceeds what its line carried before
constexpr int max_doublings = 6;

}  // namespace

double sum_of(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

std::vector<double> rates_at_once(const std::vector<LoadedPair>& pairs, const PairProber& prober, int max_tests,
                                  bool arrive_together, double longer) {
  double window_s = min_test_s, last_order_s = 0, longest_s = 0, quickest_Bps = 1;
  for (const LoadedPair& pair : pairs) {
    window_s = std::max(window_s, round_trips_of_test * 2 * pair.way_s);
    last_order_s = std::max({last_order_s, pair.order_s, pair.order_to_receiver_s});
    longest_s = std::max(longest_s, pair.way_s);
    quickest_Bps = std::max(quickest_Bps, pair.alone_Bps);
    window_s = std::max(window_s, min_messages_of_stream * min_message_bytes / std::max(1.0, pair.alone_Bps));
  }
  window_s = std::min({window_s, max_test_s, max_stream_bytes / quickest_Bps});
  // Rank 0 gives its orders one after the other.
  last_order_s += order_margin_s + order_s * static_cast<double>(pairs.size());
  const bool by_datagrams = std::ranges::any_of(pairs, &LoadedPair::by_datagrams);
  std::vector<ProbeStream> streams;
  for (const LoadedPair& pair : pairs) {
    const double bytes =
        std::clamp(pair.alone_Bps * window_s / messages_of_stream, min_message_bytes, max_message_bytes);
    ProbeStream stream{pair.from, pair.to, static_cast<std::int64_t>(bytes), 0, 0, 0};
    stream.messages = std::max(8, static_cast<int>(std::ceil(pair.alone_Bps * window_s / bytes)));
    const double start_s = last_order_s + (arrive_together ? longest_s - pair.way_s : 0);
    stream.delay_s = start_s - pair.order_s;
    stream.arrival_s = start_s + pair.way_s - pair.order_to_receiver_s;
    if (by_datagrams) stream.rate_Bps = pair.alone_Bps;
    streams.push_back(stream);
  }
  // Messages have headers.
  const double header_bytes = by_datagrams ? 0 : tcp_over_ethernet().header_bytes;
  std::vector<double> best;
  bool is_slower = true;
  for (int test = 0; test < max_tests && is_slower; ++test) {
    std::vector<double> rates = prober.streams_Bps(streams, longer * window_s);
    is_slower = false;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      rates[i] *= 1 + header_bytes / static_cast<double>(streams[i].bytes);
      is_slower = is_slower || rates[i] < shares_below * pairs[i].alone_Bps;
    }
    if (best.empty() || sum_of(rates) > sum_of(best)) best = std::move(rates);
  }
  return best;
}

bool acknowledgements_fill(double back_Bps, double rate_Bps) {
  const Transport transport = tcp_over_ethernet();
  return rate_Bps * transport.acknowledgement_bytes / static_cast<double>(transport.frame_bytes) >= filled * back_Bps;
}

double rate_at_receiver_Bps(LoadedPair pair, const PairProber& prober) {
  double rate_Bps = pair.alone_Bps;
  for (int doubling = 0; doubling < max_doublings; ++doubling) {
    pair.alone_Bps = more * rate_Bps;
    const double seen_Bps = rates_at_once({pair}, prober, 1).front();
    rate_Bps = std::max(rate_Bps, seen_Bps);
    if (seen_Bps < shares_below * pair.alone_Bps) break;
  }
  return rate_Bps;
}

}  // namespace isthmus
