// What every search for a plan keeps to: no segment that is not worth a message of its own, and few messages.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace isthmus {

/// No search tries shorter segments: a message of less than a frame costs as much as one that fills it.
inline constexpr std::int64_t min_segment_bytes = 1024;
/// Nor cuts a message in more: beyond, filling the pipeline is no longer what takes the time, and memory would be.
inline constexpr std::int64_t max_segments = 4096;

/// The shortest segment that is worth a trial, for a message of so many bytes: whole elements.
inline std::int64_t shortest_segment(std::int64_t bytes, std::int64_t element_bytes) {
  const std::int64_t least = std::max(min_segment_bytes, (bytes + max_segments - 1) / max_segments);
  return (least + element_bytes - 1) / element_bytes * element_bytes;
}

/// Plans that take up to so much longer than the quickest are as good as that: no model knows time better, and messages
/// cost what it does not know.
inline constexpr double as_quick = 1.01;

/// Of those that are as good as the quickest the one with the fewest messages; of several the quicker, then the first.
/// Elements have `seconds` and `messages`; there is one at least.
template <typename Tried>
auto fewest_messages(Tried&& tried) {
  const auto quicker = [](const auto& a, const auto& b) { return a.seconds < b.seconds; };
  const double limit_s = as_quick * std::min_element(std::begin(tried), std::end(tried), quicker)->seconds;
  auto found = std::end(tried);
  for (auto one = std::begin(tried); one != std::end(tried); ++one) {
    if (one->seconds > limit_s) continue;
    if (found == std::end(tried) || one->messages < found->messages ||
        (one->messages == found->messages && one->seconds < found->seconds))
      found = one;
  }
  return found;
}

}  // namespace isthmus
