#include "algorithms/measuring/growing_rate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace isthmus {
namespace {

constexpr std::int64_t first_bytes = 8192;
constexpr double settled_rate = 0.02;
constexpr double min_growth = 0.25;  // of the shortest trip

constexpr double plausible = 0.5;  // of the shortest trip; below it a clock has jumped
constexpr int max_jumps = 3;

/// Trips of `floor_s` or less are taken for errors of the clock, and repeated.
double quickest_s(const std::function<double(std::int64_t)>& trip_s, std::int64_t bytes, int repetitions,
                  double floor_s) {
  double best_s = std::numeric_limits<double>::infinity();
  for (int repetition = 0, jumps = 0; repetition < repetitions; ++repetition) {
    const double seconds = trip_s(bytes);
    if (seconds <= floor_s && jumps < max_jumps) {
      ++jumps;
      --repetition;
      continue;
    }
    const bool are_alike = std::abs(seconds - best_s) <= same_trip * seconds;
    best_s = std::min(best_s, seconds);
    if (are_alike) break;
  }
  return best_s;
}

}  // namespace

double growing_rate_Bps(const std::function<double(std::int64_t bytes)>& trip_s, std::int64_t max_bytes,
                        int repetitions) {
  std::int64_t bytes = 1, next = std::max<std::int64_t>(2, std::min(first_bytes, max_bytes / 2));
  const double shortest_s = quickest_s(trip_s, bytes, repetitions, 0);
  double before_s = shortest_s, before_Bps = 0;
  for (;;) {
    const double seconds = quickest_s(trip_s, next, repetitions, plausible * shortest_s), growth_s = seconds - before_s;
    const double rate_Bps = growth_s > 0 ? static_cast<double>(next - bytes) / growth_s : 0;
    const bool is_settled =
        growth_s >= min_growth * shortest_s && std::abs(rate_Bps - before_Bps) <= settled_rate * rate_Bps;
    if (is_settled || (2 * next > max_bytes && rate_Bps > 0)) return rate_Bps;
    if (2 * next > max_bytes)
      return static_cast<double>(next) / (seconds <= (1 + same_trip) * shortest_s ? same_trip * shortest_s : seconds);
    bytes = next;
    next *= 2;
    before_s = seconds;
    before_Bps = rate_Bps;
  }
}

}  // namespace isthmus
