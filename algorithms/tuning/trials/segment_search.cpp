#include "algorithms/tuning/trials/segment_search.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "algorithms/patterns/tree_broadcast.hpp"
#include "algorithms/tuning/trials/link_load.hpp"
#include "algorithms/tuning/trials/packed_plans.hpp"
#include "algorithms/tuning/trials/thrift.hpp"

namespace isthmus {
namespace {

constexpr double worth_more_messages = 1.005;

/// A pipeline fills quickly along a chain, and beside it along stars and binary trees.
bool is_for_pipelines(const Candidate& shape) {
  const std::vector<std::string>& levels = shape.plan.parameters.levels;
  if (levels.empty()) return true;
  const Tree outer = *tree_of(levels.front(), 0), inner = *tree_of(levels.back(), 0);
  const bool binary = inner.shape == TreeShape::k_ary && inner.degree == 2;
  return (outer.shape == TreeShape::flat && (inner.shape == TreeShape::chain || binary)) ||
         (outer.shape == TreeShape::chain && inner.shape == TreeShape::chain);
}

}  // namespace

std::int64_t longest_bytes(const Problem& problem, int ranks) {
  const BufferCounts counts = buffer_counts(problem, ranks, problem.root);
  return std::max(counts.input, counts.output) * problem.element_bytes;
}

SegmentSearch::SegmentSearch(PlanTimes& times)
    : times_(times),
      problem_(times.problem()),
      leaves_out_plans_(times.leaves_out_plans()),
      longest_bytes_(longest_bytes(times.problem(), times.placed().size())) {}

void SegmentSearch::try_shapes(const std::vector<Plan>& plans) {
  constexpr std::size_t max_segmented = 4;
  std::vector<Candidate> shapes;
  const bool segmented = takes(*plans.front().algorithm, "segment") && longest_bytes_ > min_segment_bytes;
  for (const Plan& plan : plans)
    shapes.push_back({plan, times_.seconds_of(plan, segmented ? infinite : times_.enough_s())});
  if (!segmented) return;
  std::ranges::stable_sort(shapes, {}, &Candidate::seconds);
  std::vector<std::pair<double, Candidate>> to_segment;  // by how long the busiest link is busy
  for (std::size_t i = 0; i < shapes.size(); ++i)
    if (i < max_segmented || is_for_pipelines(shapes[i])) to_segment.emplace_back(busy_s(shapes[i].plan), shapes[i]);
  // With many segments the least busy one wins: the others need not be tried to the end then.
  if (leaves_out_plans_) std::ranges::stable_sort(to_segment, {}, &std::pair<double, Candidate>::first);
  for (const auto& [busy_s, shape] : to_segment)
    if (may_be_as_quick(shape, busy_s)) try_segments(shape.plan, shape.seconds);
}

double SegmentSearch::busy_s(const Plan& plan) const {
  if (!serves(plan, times_.topology(), problem_)) return infinite;
  const ProgramSource programs = source(plan, times_.topology(), problem_);
  return busiest_link(times_.placed(), programs, problem_.element_bytes).seconds;
}

bool SegmentSearch::may_be_as_quick(const Candidate& shape, double busy_s) const {
  if (times_.search() == Search::every_algorithm || !std::isfinite(shape.seconds)) return true;
  return std::min(shape.seconds, busy_s) <= times_.enough_s();
}

void SegmentSearch::try_segments(Plan plan, double unsegmented_s) {
  constexpr int patience = 3;
  constexpr double more_steps = 3, little = 0.005;
  double best_s = unsegmented_s, most_saved_s = 0, saved_before_s = infinite;
  const std::int64_t shortest_bytes = shortest_segment(longest_bytes_, problem_.element_bytes);
  std::int64_t segment_bytes = problem_.element_bytes;
  while (segment_bytes < shortest_bytes) segment_bytes *= 2;
  const std::int64_t min_bytes = segment_bytes;
  while (segment_bytes < longest_bytes_ / 2) segment_bytes *= 2;
  for (int worse = 0; worse < patience && segment_bytes >= min_bytes; segment_bytes /= 2) {
    plan.parameters.segment_bytes = segment_bytes;
    if (is_hopeless(plan)) return;
    const double seconds = times_.seconds_of(plan, best_s);
    if (seconds == best_s) continue;  // no message is longer than a segment
    worse = seconds < best_s ? 0 : worse + 1;
    const double saved_s = best_s - std::min(best_s, seconds);
    best_s -= saved_s;
    most_saved_s = std::max(most_saved_s, saved_s);
    const double two_saved_s = std::max(saved_s, saved_before_s);
    saved_before_s = saved_s;
    // Once the steps save less and less, all that follow save no more than a few of the last.
    if (leaves_out_plans_ && most_saved_s > 0 && two_saved_s <= most_saved_s / 2 &&
        best_s - more_steps * std::max(two_saved_s, little * best_s) > as_quick * times_.rival()->seconds)
      return;
  }
}

bool SegmentSearch::is_hopeless(const Plan& plan) const {
  const Candidate* const rival = times_.rival();
  if (!leaves_out_plans_ || rival == nullptr || !serves(plan, times_.topology(), problem_)) return false;
  const ProgramSource programs = source(plan, times_.topology(), problem_);
  const std::int64_t messages = sketch_of(times_.placed().size(), programs).messages;
  if (messages <= few_messages || messages > times_.messages_left()) return false;
  const double least_s = busiest_link(times_.placed(), programs, problem_.element_bytes).seconds;
  return least_s > as_quick * rival->seconds ||
         (worth_more_messages * least_s > rival->seconds && messages > rival->messages);
}

void SegmentSearch::try_longer_segments() {
  const double own_s = std::ranges::min_element(times_.own(), {}, &Candidate::seconds)->seconds;
  const double near_s = as_quick * own_s;
  // A longer segment may be the quicker one too, by much where messages are few.
  const bool has_few = fewest_messages(times_.own())->messages <= few_messages;
  const double enough_s = as_quick * times_.rival()->seconds;
  if (leaves_out_plans_ && !has_few && own_s > as_quick * enough_s) return;
  const double limit_s = leaves_out_plans_ && !has_few && own_s > enough_s ? enough_s : near_s;
  std::vector<Candidate> segmented;
  for (const Candidate& one : times_.own())
    if (one.plan.parameters.segment_bytes > 0 && one.seconds <= near_s) segmented.push_back(one);
  std::ranges::stable_sort(segmented, {}, [](const Candidate& one) { return std::pair(one.messages, one.seconds); });
  // Pacing that never waits makes the same schedule as none.
  const auto is_same = [](const Candidate& a, const Candidate& b) {
    return a.messages == b.messages && a.seconds == b.seconds;
  };
  segmented.erase(std::unique(segmented.begin(), segmented.end(), is_same), segmented.end());
  std::vector<Candidate> lengthened, in_vain;
  for (const Candidate& one : segmented) {
    if (one.messages > few_messages && one.messages / 5 * 2 >= fewest_messages(times_.own())->messages) break;
    const auto is_no_slower = [&](const Candidate& other) {
      return other.messages == one.messages && other.seconds <= one.seconds;
    };
    constexpr std::ptrdiff_t enough = 2;
    const bool is_known = one.messages > many_messages ? std::ranges::any_of(lengthened, is_no_slower)
                                                       : std::ranges::count_if(in_vain, is_no_slower) >= enough;
    if (leaves_out_plans_ && is_known) continue;
    lengthened.push_back(one);
    const bool cheap = one.messages <= few_messages;
    Plan longer = one.plan;
    while (lengthen(longer, limit_s, cheap)) {
    }
    if (longer.parameters == one.plan.parameters) in_vain.push_back(one);
  }
}

bool SegmentSearch::lengthen(Plan& plan, double limit_s, bool cheap) {
  // A piece along a way is of one block.
  const std::int64_t longest = has_packing_to_choose(*plan.algorithm) ? problem_.bytes() : longest_bytes_;
  if (plan.parameters.segment_bytes == 0) return false;
  constexpr int some[] = {20, 16, 13, 11}, many[] = {20, 18, 16, 14, 13, 12, 11, 10};
  for (const int eighths : cheap ? std::span<const int>(many) : std::span<const int>(some)) {
    Plan longer = plan;
    std::int64_t& segment = longer.parameters.segment_bytes;
    segment = plan.parameters.segment_bytes / 8 * eighths / problem_.element_bytes * problem_.element_bytes;
    if (segment <= plan.parameters.segment_bytes) continue;
    if (segment >= longest) segment = 0;
    if (is_known_to_be_too_long(longer, plan.parameters.segment_bytes, limit_s)) continue;
    if (times_.seconds_of(longer, limit_s) > limit_s) continue;
    plan = longer;
    return true;
  }
  return false;
}

bool SegmentSearch::is_known_to_be_too_long(const Plan& plan, std::int64_t good_bytes, double limit_s) const {
  constexpr double clearly = 1.005, much = 1.1;
  if (!leaves_out_plans_) return false;
  const std::int64_t own = plan.parameters.segment_bytes;
  return times_.has_known(plan.parameters, [&](std::int64_t bytes, double seconds, double known_limit_s) {
    if (bytes <= good_bytes || (own != 0 && bytes > own)) return false;
    const bool is_much_shorter = own == 0 || static_cast<double>(own) > much * static_cast<double>(bytes);
    return std::isfinite(seconds) ? seconds > (is_much_shorter ? 1 : clearly) * limit_s
                                  : known_limit_s >= limit_s && is_much_shorter;
  });
}

}  // namespace isthmus
