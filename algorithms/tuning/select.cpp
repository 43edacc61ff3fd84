#include "algorithms/tuning/select.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "algorithms/catalog.hpp"
#include "algorithms/collective/mpi_own.hpp"
#include "algorithms/errors.hpp"
#include "algorithms/memory.hpp"
#include "algorithms/network/forwarded_routes.hpp"
#include "algorithms/packed/way_ends.hpp"
#include "algorithms/patterns/tree_broadcast.hpp"
#include "algorithms/replay/replay.hpp"
#include "algorithms/schedule/schedule_sketch.hpp"
#include "algorithms/tuning/link_load.hpp"
#include "algorithms/tuning/packed_plans.hpp"
#include "algorithms/tuning/packed_search.hpp"
#include "algorithms/tuning/search.hpp"
#include "algorithms/tuning/subnet_patterns.hpp"
#include "algorithms/tuning/thrift.hpp"

namespace isthmus {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr std::size_t max_packed_sites = 12;
constexpr std::int64_t few_messages = 2048;   // of a plan whose replay costs next to nothing
constexpr std::int64_t many_messages = 8192;  // of a plan whose replay takes some 10 ms
constexpr double worth_more_messages = 1.005;

/// The parameters of an algorithm besides the segment: trees by level, outermost first, and degrees.
std::vector<Plan> shapes_of(const Algorithm& algorithm, const Topology& topology) {
  std::vector<Plan> plans{{&algorithm, {}}};
  if (takes(algorithm, "levels")) {
    constexpr std::array<const char*, 4> trees = {"linear", "binomial", "chain", "binary"};
    const bool has_groups = !topology.group(0).children.empty();
    for (const char* outer : trees)
      for (const char* inner : trees) {
        if (!has_groups && outer != trees[0]) continue;
        Plan& plan = plans.emplace_back(Plan{&algorithm, {}});
        plan.parameters.levels = has_groups ? std::vector<std::string>{outer, inner} : std::vector<std::string>{inner};
      }
    for (int merged = 2; takes(algorithm, "merged") && merged <= topology.levels(); ++merged)
      plans.emplace_back(Plan{&algorithm, {}}).parameters.merged = merged;
  } else if (takes(algorithm, "degree")) {
    for (const int degree : {1, 2, 3, 8, 16}) {
      if (degree >= topology.size()) continue;
      plans.emplace_back(Plan{&algorithm, {}}).parameters.degree = degree;
    }
  }
  return plans;
}

/// Replays plans, and counts the messages replayed.
class Trials {
 public:
  Trials(const PlacedNetwork& placed, const Problem& problem, Search search, std::int64_t effort_messages)
      : placed_(with_memory_for(placed)),
        problem_(problem),
        topology_(placed.topology()),
        search_(search),
        packed_plans_(placed),
        effort_messages_(effort_messages) {}

  const Topology& topology() const { return topology_; }
  std::vector<Candidate>& tried() { return tried_; }
  /// For the algorithms that follow.
  void set_effort(std::int64_t messages) { effort_messages_ = messages; }

  using Limit = PackedSearch::Limit;

  /// The seconds of a plan; infinity for a plan that does not serve the problem or has too many messages to be tried.
  /// The first plan is always tried. If the choice alone is asked for, infinity for a plan that cannot be the choice
  /// and takes longer than `limit_s` too; if the limit is strict, for one that takes longer.
  double seconds_of(const Plan& plan, double limit_s = infinite, Limit limit = Limit::of_this_search) {
    if (!serves(plan, topology_, problem_)) return infinite;
    limit_s = limit_of(limit_s, limit);
    const auto is_same = [&](const Known& one) { return one.parameters == plan.parameters && one.tells(limit_s); };
    if (const auto known = std::ranges::find_if(known_, is_same); known != known_.end())
      return as_candidate(*known, plan).seconds;
    const ProgramSource programs = source(plan, topology_, problem_);
    const ScheduleSketch sketch = sketch_of(topology_.size(), programs);
    if (!tried_.empty() && sketch.messages > messages_left_) return infinite;
    const Known* const twin = same_schedule(*plan.algorithm, programs, sketch, limit_s);
    const Known known = twin ? Known{plan.parameters, sketch, twin->seconds, twin->messages, twin->limit_s}
                             : replayed(plan, programs, sketch, limit_s);
    messages_left_ -= known.messages;
    known_.push_back(known);
    return as_candidate(known_.back(), plan).seconds;
  }

  /// The largest message that could be cut in segments: a block of every rank, or the message.
  std::int64_t longest_bytes() const {
    const BufferCounts counts = buffer_counts(problem_, topology_.size(), problem_.root);
    return std::max(counts.input, counts.output) * problem_.element_bytes;
  }

  /// Segments of powers of two elements, from the largest downwards, until several in a row are no quicker.
  void try_segments(Plan plan, double unsegmented_s) {
    constexpr int patience = 3;
    constexpr double more_steps = 3, little = 0.005;
    double best_s = unsegmented_s, most_saved_s = 0, saved_before_s = infinite;
    const std::int64_t shortest_bytes = shortest_segment(longest_bytes(), problem_.element_bytes);
    std::int64_t segment_bytes = problem_.element_bytes;
    while (segment_bytes < shortest_bytes) segment_bytes *= 2;
    const std::int64_t min_bytes = segment_bytes;
    while (segment_bytes < longest_bytes() / 2) segment_bytes *= 2;
    for (int worse = 0; worse < patience && segment_bytes >= min_bytes; segment_bytes /= 2) {
      plan.parameters.segment_bytes = segment_bytes;
      if (is_hopeless(plan)) return;
      const double seconds = seconds_of(plan, best_s);
      if (seconds == best_s) continue;  // no message is longer than a segment
      worse = seconds < best_s ? 0 : worse + 1;
      const double saved_s = best_s - std::min(best_s, seconds);
      best_s -= saved_s;
      most_saved_s = std::max(most_saved_s, saved_s);
      const double two_saved_s = std::max(saved_s, saved_before_s);
      saved_before_s = saved_s;
      // Once the steps save less and less, all that follow save no more than a few of the last.
      if (search_ == Search::choice_alone && most_saved_s > 0 && two_saved_s <= most_saved_s / 2 &&
          best_s - more_steps * std::max(two_saved_s, little * best_s) > enough_s())
        return;
    }
  }

  void try_algorithm(const Algorithm& algorithm) {
    const bool is_choice = search_ != Search::every_algorithm;
    if (is_choice && algorithm.for_comparison) return;
    const bool packs = packed_plans_.worth_a_search(max_packed_sites);
    if (packs ? is_choice && algorithm.for_many_sites : has_packing_to_choose(algorithm)) return;
    // Where the groups of a level have the same pattern multilevel has the same plans.
    if (is_choice && has_patterns_to_choose(algorithm) &&
        same_at_each_level(subnet_patterns(algorithm, placed_, problem_), topology_))
      return;
    try_open({&algorithm, {}}, Open::parameters);
  }

  /// Tries to save messages of the packings, unless what else was tried is as quick with many fewer. Call it last.
  void try_longer_pieces() {
    if (packings_.tried.empty()) return;
    constexpr std::int64_t many_fewer = 2;
    if (fewest_messages(tried_)->messages * many_fewer <= fewest_messages(packings_.tried)->messages) return;
    first_ = tried_.size();
    tried_.insert(tried_.end(), packings_.tried.begin(), packings_.tried.end());
    known_ = packings_.known;
    messages_left_ = packings_.messages_left;
    try_longer_segments();
  }

  /// The seconds of a plan along a packing as of seconds_of(), and when the last piece of each way comes. The plan is
  /// not added to tried().
  PackedSearch::TimedWays timed_ways_of(const Plan& plan, double limit_s) {
    const Packing& packing = plan.parameters.packing;
    if (!has_way_ends(problem_.collective, packing) || has_forwarded_routes(placed_.network()))
      return {seconds_of(plan, limit_s), {}};
    const ProgramSource programs = source(plan, topology_, problem_);
    const ScheduleSketch sketch = sketch_of(topology_.size(), programs);
    if (sketch.messages > messages_left_) return {};
    WayEnds ends(topology_, problem_, packing);
    const Replay timed =
        replay(placed_, problem_.element_bytes, ends.observed(programs), {.with_timeline = true, .limit_s = limit_s});
    messages_left_ -= timed.messages;
    known_.push_back({plan.parameters, sketch, timed.seconds, timed.messages, limit_s});
    return {timed.seconds, std::isfinite(timed.seconds) ? ends.of(timed.timeline) : std::vector<double>{}};
  }

  /// The plans of one algorithm. Every algorithm gets the same effort, whatever was tried before.
  void try_open(const Plan& plan, Open open) {
    messages_left_ = effort_messages_;
    first_ = tried_.size();
    known_.clear();
    if (has_degrees_to_choose(*plan.algorithm)) {
      seconds_of(fill_required_parameters(plan, placed_, problem_, true));  // the search of its paper: equal segments
      return;
    }
    if (has_packing_to_choose(*plan.algorithm)) {
      try_packed(plan);
      return;
    }
    if (has_patterns_to_choose(*plan.algorithm)) {
      if (serves(plan, topology_, problem_)) try_shapes({fill_required_parameters(plan, placed_, problem_, false)});
      if (tried_.size() > first_) try_longer_segments();
      return;
    }
    if (open == Open::segment)
      try_shapes({plan});
    else
      try_shapes(shapes_of(*plan.algorithm, topology_));
    if (tried_.size() > first_) try_longer_segments();
  }

 private:
  static const PlacedNetwork& with_memory_for(const PlacedNetwork& placed) {
    // Measured: the topology and the replays of plans, one after the other.
    constexpr double bytes_of_rank = 2000;
    require_memory(placed.size() * bytes_of_rank, fmt::format("choosing a plan for {} ranks", placed.size()),
                   "fewer would be right");
    return placed;
  }

  PackedSearch packed_search() {
    return {packed_plans_, problem_,
            [this](const Plan& one, double limit_s, Limit limit) { return seconds_of(one, limit_s, limit); },
            [this](const Plan& one, double limit_s) { return timed_ways_of(one, limit_s); }};
  }

  /// Tries a plan unless it goes straight, as multilevel does.
  void try_relayed(const Plan& plan) {
    if (!goes_straight(plan.parameters.packing)) seconds_of(plan);
  }

  /// The packings that are made for the network.
  void try_packed(const Plan& plan) {
    if (!serves(plan, topology_, problem_)) return;
    std::vector<Plan> made;
    try {
      made = packed_plans_.several(plan, problem_);
    } catch (const BadInput&) {
      return;  // some site cannot reach another
    }
    if (problem_.collective == Collective::barrier && goes_straight(made.front().parameters.packing)) return;
    constexpr std::int64_t part = 32;  // of the effort: the synthesis has looked for good pieces
    const std::int64_t messages = sketch_of(topology_.size(), source(made.front(), topology_, problem_)).messages;
    const auto times_as_large = static_cast<int>(std::clamp<std::int64_t>(messages / many_messages, 1, 4));
    PackedSearch search = packed_search();
    messages_left_ = effort_messages_ / part;
    search.compare(made, times_as_large);
    if (is_for_one_tree(problem_, made.front())) seconds_of(packed_plans_.along_one_tree(plan, problem_).plan);
    messages_left_ = effort_messages_ / part * (PackedSearch::fills_both_ways(made.front()) ? 2 : 1);
    search.refine();
    const bool exchanges = problem_.collective == Collective::allreduce;
    if (tried_.size() > first_ && search_ == Search::choice_alone && !exchanges)
      packings_ = {{own().begin(), own().end()}, known_, messages_left_};
    else if (tried_.size() > first_)
      try_longer_segments();
    messages_left_ = effort_messages_ / part;
    if (exchanges) try_exchanges(plan);
    if (problem_.collective == Collective::alltoall) {
      try_relayed(packed_plans_.with_bundles(plan, problem_));
      for (const Plan& one : made) try_relayed(PackedPlans::with_bundles(one));
    }
  }

  /// An allreduce in which sites tell each other their sums: one latency less, and more bytes.
  void try_exchanges(const Plan& plan) {
    constexpr double near = 1.2;
    const double enough_s = near * quickest().seconds;
    if (search_ != Search::every_algorithm && packed_plans_.min_exchange_s(problem_, enough_s) > enough_s) return;
    std::vector<Plan> made = packed_plans_.several_exchanges(plan, problem_);
    // Without stripes multilevel-exchange does the same.
    std::erase_if(made, [](const Plan& one) {
      return goes_straight(one.parameters.packing) && one.parameters.packing.drivers.empty();
    });
    if (made.empty()) return;
    PackedSearch search = packed_search();
    search.compare(made, 1);
    if (search.seconds() < near * quickest().seconds) search.refine();
    try_longer_segments();
  }

  /// What is known of a plan of the current algorithm; infinite seconds are more than `limit_s`.
  struct Known {
    Parameters parameters;
    ScheduleSketch sketch;
    double seconds = 0;
    std::int64_t messages = 0;
    double limit_s = 0;
    bool is_candidate = false;

    bool tells(double other_limit_s) const { return std::isfinite(seconds) || limit_s >= other_limit_s; }
  };

  const Known& as_candidate(Known& known, const Plan& plan) {
    if (!known.is_candidate && std::isfinite(known.seconds)) tried_.push_back({plan, known.seconds, known.messages});
    known.is_candidate = true;
    return known;
  }

  Known replayed(const Plan& plan, const ProgramSource& programs, const ScheduleSketch& sketch, double limit_s) const {
    const Replay result = replay(placed_, problem_.element_bytes, programs, {.limit_s = limit_s});
    return {plan.parameters, sketch, result.seconds, result.messages, limit_s};
  }

  /// The plan of the current algorithm that has the same schedule, as where no message is longer than a segment, or
  /// where pacing never waits.
  const Known* same_schedule(const Algorithm& algorithm, const ProgramSource& programs, const ScheduleSketch& sketch,
                             double limit_s) const {
    const auto same = std::ranges::find_if(known_, [&](const Known& one) {
      return one.sketch == sketch && one.tells(limit_s) &&
             are_same(topology_.size(), programs, source({&algorithm, one.parameters}, topology_, problem_));
    });
    return same == known_.end() ? nullptr : &*same;
  }

  /// How long a plan may take to be of interest.
  double limit_of(double limit_s, Limit limit) const {
    if (search_ != Search::choice_alone) return infinite;
    return limit == Limit::strict ? limit_s : std::max(limit_s, enough_s());
  }

  /// The quickest plan of all.
  const Candidate& quickest() const { return *std::ranges::min_element(tried_, {}, &Candidate::seconds); }
  /// What takes longer cannot be the choice.
  double enough_s() const { return tried_.empty() ? infinite : as_quick * quickest().seconds; }

  /// Whether neither this plan nor one with shorter segments can be the choice, although nothing but the busiest link
  /// may hold it up: not if it takes too long, nor if it saves next to nothing with more messages.
  bool is_hopeless(const Plan& plan) const {
    if (search_ != Search::choice_alone || tried_.empty() || !serves(plan, topology_, problem_)) return false;
    const ProgramSource programs = source(plan, topology_, problem_);
    const std::int64_t messages = sketch_of(topology_.size(), programs).messages;
    if (messages <= few_messages || messages > messages_left_) return false;
    const double least_s = busiest_link(placed_, programs, problem_.element_bytes).seconds;
    return least_s > enough_s() ||
           (worth_more_messages * least_s > quickest().seconds && messages > quickest().messages);
  }

  /// The plans tried so far of the current algorithm.
  std::span<const Candidate> own() const { return std::span(tried_).subspan(first_); }

  /// Tries to save messages by segments longer than that of a plan as good as the best, both below and above twice its
  /// length: the time is not monotonic in the length, since the last segment may be short.
  void try_longer_segments() {
    const double own_s = std::ranges::min_element(own(), {}, &Candidate::seconds)->seconds;
    const double near_s = as_quick * own_s;
    // A longer segment may be the quicker one too.
    if (search_ == Search::choice_alone && own_s > as_quick * enough_s()) return;
    const double limit_s = search_ == Search::choice_alone && own_s > enough_s() ? enough_s() : near_s;
    std::vector<Candidate> segmented;
    for (const Candidate& one : own())
      if (one.plan.parameters.segment_bytes > 0 && one.seconds <= near_s) segmented.push_back(one);
    std::ranges::stable_sort(segmented, {}, [](const Candidate& one) { return std::pair(one.messages, one.seconds); });
    // Pacing that never waits makes the same schedule as none.
    const auto is_same = [](const Candidate& a, const Candidate& b) {
      return a.messages == b.messages && a.seconds == b.seconds;
    };
    segmented.erase(std::unique(segmented.begin(), segmented.end(), is_same), segmented.end());
    std::vector<Candidate> lengthened, in_vain;
    for (const Candidate& one : segmented) {
      if (one.messages / 5 * 2 >= fewest_messages(own())->messages) break;
      const auto is_no_slower = [&](const Candidate& other) {
        return other.messages == one.messages && other.seconds <= one.seconds;
      };
      constexpr std::ptrdiff_t enough = 2;
      const bool is_known = one.messages > many_messages ? std::ranges::any_of(lengthened, is_no_slower)
                                                         : std::ranges::count_if(in_vain, is_no_slower) >= enough;
      if (search_ == Search::choice_alone && is_known) continue;
      lengthened.push_back(one);
      const bool cheap = one.messages <= few_messages;
      Plan longer = one.plan;
      while (lengthen(longer, limit_s, cheap)) {
      }
      if (longer.parameters == one.plan.parameters) in_vain.push_back(one);
    }
  }

  /// Sets the longest of some longer segments, or none, with which the plan is within the limit; false if there is no
  /// such. `cheap`: more lengths may be tried.
  bool lengthen(Plan& plan, double limit_s, bool cheap) {
    // A piece along a way is of one block.
    const std::int64_t longest = has_packing_to_choose(*plan.algorithm) ? problem_.bytes() : longest_bytes();
    if (plan.parameters.segment_bytes == 0) return false;
    constexpr int some[] = {20, 16, 13, 11}, many[] = {20, 18, 16, 14, 13, 12, 11, 10};
    for (const int eighths : cheap ? std::span<const int>(many) : std::span<const int>(some)) {
      Plan longer = plan;
      std::int64_t& segment = longer.parameters.segment_bytes;
      segment = plan.parameters.segment_bytes / 8 * eighths / problem_.element_bytes * problem_.element_bytes;
      if (segment <= plan.parameters.segment_bytes) continue;
      if (segment >= longest) segment = 0;
      if (is_known_to_be_too_long(longer, plan.parameters.segment_bytes, limit_s)) continue;
      if (seconds_of(longer, limit_s) > limit_s) continue;
      plan = longer;
      return true;
    }
    return false;
  }

  /// Whether the same plan with segments that are shorter, but longer than `good_bytes`, takes longer than the limit:
  /// clearly, or with much shorter ones, as a short last segment makes some difference.
  bool is_known_to_be_too_long(const Plan& plan, std::int64_t good_bytes, double limit_s) const {
    constexpr double clearly = 1.005, much = 1.1;
    if (search_ != Search::choice_alone) return false;
    const std::int64_t own = plan.parameters.segment_bytes;
    return std::ranges::any_of(known_, [&](const Known& one) {
      const std::int64_t bytes = one.parameters.segment_bytes;
      if (bytes <= good_bytes || (own != 0 && bytes > own)) return false;
      const bool is_much_shorter = own == 0 || static_cast<double>(own) > much * static_cast<double>(bytes);
      if (std::isfinite(one.seconds) ? one.seconds <= (is_much_shorter ? 1 : clearly) * limit_s
                                     : one.limit_s < limit_s || !is_much_shorter)
        return false;
      Parameters same = one.parameters;
      same.segment_bytes = own;
      return same == plan.parameters;
    });
  }

  /// First all shapes without segments; then the best of them, and shapes suited to pipelines, with segments.
  void try_shapes(const std::vector<Plan>& plans) {
    constexpr std::size_t max_segmented = 4;
    std::vector<Candidate> shapes;
    const bool segmented = takes(*plans.front().algorithm, "segment") && longest_bytes() > min_segment_bytes;
    for (const Plan& plan : plans) shapes.push_back({plan, seconds_of(plan, segmented ? infinite : enough_s())});
    if (!segmented) return;
    const auto pipelines = [](const Candidate& shape) {
      const std::vector<std::string>& levels = shape.plan.parameters.levels;
      if (levels.empty()) return true;
      const Tree outer = *tree_of(levels.front(), 0), inner = *tree_of(levels.back(), 0);
      const bool binary = inner.shape == TreeShape::k_ary && inner.degree == 2;
      return (outer.shape == TreeShape::flat && (inner.shape == TreeShape::chain || binary)) ||
             (outer.shape == TreeShape::chain && inner.shape == TreeShape::chain);
    };
    std::stable_sort(shapes.begin(), shapes.end(),
                     [](const Candidate& a, const Candidate& b) { return a.seconds < b.seconds; });
    for (std::size_t i = 0; i < shapes.size(); ++i)
      if ((i < max_segmented || pipelines(shapes[i])) && may_be_as_quick(shapes[i]))
        try_segments(shapes[i].plan, shapes[i].seconds);
  }

  /// Whether segments could make the shape as quick as the best plan of all: not if a link is busy for longer.
  bool may_be_as_quick(const Candidate& shape) const {
    if (search_ == Search::every_algorithm) return true;
    if (!std::isfinite(shape.seconds) || shape.seconds <= enough_s()) return true;
    const ProgramSource programs = source(shape.plan, topology_, problem_);
    return busiest_link(placed_, programs, problem_.element_bytes).seconds <= enough_s();
  }

  const PlacedNetwork& placed_;
  const Problem& problem_;
  const Topology& topology_;
  const Search search_;
  const PackedPlans packed_plans_;
  std::int64_t effort_messages_, messages_left_ = 0;
  std::size_t first_ = 0;  ///< index in tried_ of the current algorithm's first plan
  std::vector<Candidate> tried_;
  std::vector<Known> known_;  ///< of the current algorithm
  struct {
    std::vector<Candidate> tried;
    std::vector<Known> known;
    std::int64_t messages_left = 0;
  } packings_;  ///< whose pieces may be longer
};

std::vector<Candidate> choice_first(std::vector<Candidate> tried) {
  std::ranges::stable_sort(tried, {}, &Candidate::seconds);
  const auto choice = fewest_messages(tried);
  std::rotate(tried.begin(), choice, choice + 1);
  return tried;
}

}  // namespace

std::vector<Candidate> candidates(const PlacedNetwork& placed, const Problem& problem, Search search,
                                  std::int64_t effort_messages) {
  check_problem(problem, placed.size());
  check_ranks_reach_each_other(placed.network(), placed.placement(), placed.topology().connectivity());
  Trials trials(placed, problem, search, effort_messages);
  // Algorithms that use groups come first, so that they are never left out; before them packings, which are often the
  // quickest, so that the search leaves out what cannot be as quick.
  std::vector<const Algorithm*> order = algorithms_of(problem.collective);
  std::stable_partition(order.begin(), order.end(), [](const Algorithm* algorithm) { return algorithm->uses_groups; });
  std::stable_partition(order.begin(), order.end(), [](const Algorithm* one) { return has_packing_to_choose(*one); });
  // Where there is a packing the others win by few messages, which cost little effort, or not at all.
  constexpr std::int64_t less = 32;
  for (const Algorithm* algorithm : order) {
    if (search != Search::every_algorithm && !trials.tried().empty() &&
        has_packing_to_choose(*trials.tried().front().plan.algorithm))
      trials.set_effort(effort_messages / less);
    trials.try_algorithm(*algorithm);
  }
  trials.try_longer_pieces();
  if (trials.tried().empty())
    throw BadInput(
        fmt::format("no algorithm of {} serves this problem over {} ranks", name(problem.collective), placed.size()));
  return choice_first(std::move(trials.tried()));
}

Plan choose_parameters(const Plan& plan, Open open, const PlacedNetwork& placed, const Problem& problem,
                       std::int64_t effort_messages) {
  if (is_mpi_own(plan) || !has_parameters_to_choose(*plan.algorithm)) return plan;
  if (open == Open::nothing) return fill_required_parameters(plan, placed, problem, false);
  check_problem(problem, placed.size());
  Trials trials(placed, problem, Search::every_algorithm, effort_messages);
  trials.try_open(plan, open);
  return trials.tried().empty() ? plan : fewest_messages(trials.tried())->plan;
}

Choice choose(const PlacedNetwork& placed, const Problem& problem, std::int64_t effort_messages) {
  const Candidate best = candidates(placed, problem, Search::choice_alone, effort_messages).front();
  return {best.plan, best.seconds};
}

}  // namespace isthmus
