// Rules of all searches for plans: no very short segments, and few messages.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "algorithms/collective/packing.hpp"

namespace isthmus {

/// The minimum segment of a search: of shorter messages the headers are a large part. On slow lines short segments pay:
/// 5000 B along eight hosts of 1 MB/s take 10.0 ms by Open MPI in segments of 256 B, 12.6 ms in those of 1 KiB.
inline constexpr std::int64_t min_segment_bytes = 256;
/// The maximum number of segments of a search: with more, filling the pipeline is no longer significant, and memory
/// would be.
inline constexpr std::int64_t max_segments = 4096;

/// The shortest segment to try for a message of `bytes`: whole elements.
inline std::int64_t shortest_segment(std::int64_t bytes, std::int64_t element_bytes) {
  const std::int64_t least = std::max(min_segment_bytes, (bytes + max_segments - 1) / max_segments);
  return (least + element_bytes - 1) / element_bytes * element_bytes;
}

/// Plans up to this factor slower than the quickest count as equally good: models are not more accurate, and messages
/// have costs that models leave out.
inline constexpr double as_quick = 1.01;

/// Of the plans as good as the quickest, the one with the fewest messages; of several, the quickest, then the first.
/// Where the quickest is a packing with lines, whose pieces cannot overtake each other, packings without lines do not
/// count: latencies that are off by 0.1 % can make them 9 % slower. Elements have `plan`, `seconds` and `messages`;
/// `tried` is not empty.
template <typename Tried>
auto fewest_messages(Tried&& tried) {
  const auto quicker = [](const auto& a, const auto& b) { return a.seconds < b.seconds; };
  const auto quickest = std::min_element(std::begin(tried), std::end(tried), quicker);
  const double limit_s = as_quick * quickest->seconds;
  const bool in_order = !quickest->plan.parameters.packing.lines.empty();
  auto found = std::end(tried);
  for (auto one = std::begin(tried); one != std::end(tried); ++one) {
    if (one->seconds > limit_s) continue;
    const Packing& packing = one->plan.parameters.packing;
    if (in_order && packing.lines.empty() && !packing.empty()) continue;
    if (found == std::end(tried) || one->messages < found->messages ||
        (one->messages == found->messages && one->seconds < found->seconds))
      found = one;
  }
  return found;
}

}  // namespace isthmus
