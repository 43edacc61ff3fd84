#include "algorithms/tuning/search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "algorithms/models/kielmann.hpp"
#include "algorithms/topology/tree.hpp"
#include "algorithms/tuning/trials/thrift.hpp"

namespace isthmus {
namespace {

std::int64_t ceil_of(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

// The degrees 1..size-1 at which the minimum height decreases, ascending; only 1 for up to two members.
std::vector<int> falling_degrees(int size) {
  std::vector<int> degrees;
  int height = std::numeric_limits<int>::max();
  for (int degree = 1; degree < std::max(size, 2); ++degree) {
    const int lower = min_height(size, degree);
    if (lower < height) degrees.push_back(degree);
    height = lower;
  }
  return degrees;
}

// a / b as a degree in 1..most; `most` if sending costs nothing.
int ratio(double a, double b, int most) {
  if (!(b > 0)) return most;
  return static_cast<int>(std::clamp(std::floor(a / b), 1.0, static_cast<double>(most)));
}

class KielmannSearch {
 public:
  KielmannSearch(const TwoLayers& layers, std::int64_t bytes, std::int64_t element_bytes, const KielmannFixed& fixed)
      : layers_(layers), bytes_(bytes), element_bytes_(element_bytes), fixed_(fixed) {
    best_.seconds = infinite;
  }

  KielmannChoice by_heuristic() {
    if (nothing_to_do()) return done();
    wan_degrees_ = falling_degrees(layers_.clusters);
    lan_degrees_ = falling_degrees(layers_.cluster_size);
    if (fixed_.segment_bytes > 0) {
      take(best_with(fixed_.segment_bytes / element_bytes_));
      return done();
    }
    const std::int64_t count = bytes_ / element_bytes_;
    const std::int64_t max_parts =
        std::max<std::int64_t>(1, count / (shortest_segment(bytes_, element_bytes_) / element_bytes_));
    for (std::int64_t parts = 1; parts <= max_parts; parts *= 2) take(best_with(ceil_of(count, parts)));
    for (bool improved = true; improved;) {
      improved = false;
      const std::int64_t parts = best_.segments;
      for (std::int64_t step : {-5, -1, 1, 5}) {
        const std::int64_t other = parts + step;
        if (other >= 1 && other <= max_parts && take(best_with(ceil_of(count, other)))) improved = true;
      }
    }
    take_fewer_segments(count);
    return done();
  }

  KielmannChoice exhaustively() {
    if (nothing_to_do()) return done();
    const std::int64_t count = bytes_ / element_bytes_;
    const auto look = [&](std::int64_t segment) {
      for (int wan = first(fixed_.wan_degree); wan <= last(fixed_.wan_degree, layers_.clusters); ++wan) {
        for (int lan = first(fixed_.lan_degree); lan <= last(fixed_.lan_degree, layers_.cluster_size); ++lan) {
          take(evaluate(segment, wan, lan));
        }
      }
    };
    if (fixed_.segment_bytes > 0) {
      look(fixed_.segment_bytes / element_bytes_);
      return done();
    }
    // The longest segment stays the same until the number of parts exceeds (count - 1) / (segment - 1).
    for (std::int64_t parts = 1; parts <= count;) {
      const std::int64_t segment = ceil_of(count, parts);
      look(segment);
      if (segment == 1) break;
      parts = (count - 1) / (segment - 1) + 1;
    }
    return done();
  }

 private:
  static int first(int fixed) { return fixed > 0 ? fixed : 1; }
  static int last(int fixed, int size) { return fixed > 0 ? fixed : std::max(size - 1, 1); }

  bool nothing_to_do() const { return bytes_ <= 0 || (layers_.clusters <= 1 && layers_.cluster_size <= 1); }

  // Nothing to do: all plans are equal; takes the unsegmented one.
  KielmannChoice done() {
    if (std::isinf(best_.seconds)) {
      best_ = {.segment_bytes = fixed_.segment_bytes > 0 ? fixed_.segment_bytes : std::max<std::int64_t>(bytes_, 0),
               .wan_degree = first(fixed_.wan_degree),
               .lan_degree = first(fixed_.lan_degree)};
    }
    if (best_.min_seconds == 0) best_.min_seconds = best_.seconds;
    best_.evaluations = evaluations_;
    return best_;
  }

  bool take(const KielmannChoice& choice) {
    if (!(choice.seconds < best_.seconds)) return false;
    best_ = choice;
    return true;
  }

  // Fewer segments are fewer messages for each member. The time decreases with the number of segments up to the best
  // number.
  void take_fewer_segments(std::int64_t count) {
    const double min_s = best_.seconds;
    for (std::int64_t too_few = 0; best_.segments - too_few > 1;) {
      const std::int64_t parts = too_few + (best_.segments - too_few) / 2;
      const KielmannChoice other = best_with(ceil_of(count, parts));
      if (other.seconds <= as_quick * min_s && other.segments < best_.segments)
        best_ = other;
      else
        too_few = parts;
    }
    best_.min_seconds = min_s;
  }

  KielmannChoice evaluate(std::int64_t segment, int wan_degree, int lan_degree) {
    const std::int64_t segment_bytes = segment * element_bytes_;
    ++evaluations_;
    return {.segment_bytes = segment_bytes,
            .segments = ceil_of(bytes_, segment_bytes),
            .wan_degree = wan_degree,
            .lan_degree = lan_degree,
            .seconds = pipelined_seconds(layers_, bytes_, segment_bytes, wan_degree, lan_degree)};
  }

  // `low`, and the height-lowering degrees between it and `high`.
  static void candidates(std::span<const int> falling, int low, int high, int fixed, std::vector<int>& out) {
    out.clear();
    if (fixed > 0) {
      out.push_back(fixed);
      return;
    }
    out.push_back(low);
    for (int degree : falling) {
      if (degree > low && degree <= high) out.push_back(degree);
    }
  }

  // The best degrees for one segment size in elements, by the paper's rule.
  KielmannChoice best_with(std::int64_t segment) {
    const auto size = static_cast<double>(std::min(bytes_, segment * element_bytes_));
    const double s_l = layers_.lan.gap(size), g_w = layers_.wan.gap(size);
    const double s_w = std::max(s_l, layers_.wan.send_overhead(size));
    const int max_wan = std::max(layers_.clusters - 1, 1), max_lan = std::max(layers_.cluster_size - 1, 1);
    KielmannChoice best;
    best.seconds = infinite;
    candidates(wan_degrees_, ratio(g_w, s_w, max_wan), max_wan, fixed_.wan_degree, wan_candidates_);
    for (int wan_degree : wan_candidates_) {
      // gamma': the part of gamma that the LAN can use without slowing the WAN. It does not apply to an unsegmented
      // message, which has no next segment, and to a single cluster, which has no WAN.
      const bool unbounded = layers_.clusters == 1 || segment * element_bytes_ >= bytes_;
      const double left_s = std::max(g_w - layers_.wan.receive_overhead(size) - wan_degree * s_w, s_l);
      candidates(lan_degrees_, 1, unbounded ? max_lan : ratio(left_s, s_l, max_lan), fixed_.lan_degree,
                 lan_candidates_);
      for (int lan_degree : lan_candidates_) {
        const KielmannChoice one = evaluate(segment, wan_degree, lan_degree);
        if (one.seconds < best.seconds) best = one;
      }
    }
    return best;
  }

  const TwoLayers& layers_;
  const std::int64_t bytes_, element_bytes_;
  const KielmannFixed fixed_;
  std::vector<int> wan_degrees_, lan_degrees_, wan_candidates_, lan_candidates_;
  KielmannChoice best_;
  std::int64_t evaluations_ = 0;
};

}  // namespace

KielmannChoice search_kielmann(const TwoLayers& layers, std::int64_t bytes, std::int64_t element_bytes,
                               const KielmannFixed& fixed) {
  return KielmannSearch(layers, bytes, element_bytes, fixed).by_heuristic();
}

KielmannChoice search_kielmann_exhaustively(const TwoLayers& layers, std::int64_t bytes, std::int64_t element_bytes,
                                            const KielmannFixed& fixed) {
  return KielmannSearch(layers, bytes, element_bytes, fixed).exhaustively();
}

}  // namespace isthmus
