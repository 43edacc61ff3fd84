#include "algorithms/tuning/select.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <utility>

#include "algorithms/catalog.hpp"
#include "algorithms/collective/mpi_own.hpp"
#include "algorithms/errors.hpp"
#include "algorithms/memory.hpp"
#include "algorithms/network/forwarded_routes.hpp"
#include "algorithms/patterns/tree_broadcast.hpp"
#include "algorithms/schedule/schedule_sketch.hpp"
#include "algorithms/tuning/search.hpp"
#include "algorithms/tuning/subnet_patterns.hpp"
#include "algorithms/tuning/trials/known_trials.hpp"
#include "algorithms/tuning/trials/link_load.hpp"
#include "algorithms/tuning/trials/packed_search.hpp"
#include "algorithms/tuning/trials/segment_search.hpp"
#include "algorithms/tuning/trials/thrift.hpp"

namespace isthmus {
namespace {

/// Between so many sites at most, packings are compared and refined.
constexpr std::size_t max_searched_sites = 16;
/// Between more, up to so many, the packing of the synthesis is tried as it is. The synthesis takes longer if each site
/// has data for all others, and longest if it has other data for each.
constexpr std::size_t max_packed_sites = 64, max_packed_sites_from_each = 48, max_packed_sites_of_pairs = 24;
/// Parts of the effort: of packings, whose synthesis has looked for good pieces; to make good pieces longer; of other
/// algorithms where there is a packing, since they win by few messages then, which cost little effort, or not at all.
constexpr int part_of_packings = 64, part_of_longer_pieces = 512, part_of_others = 128;
constexpr std::array<const char*, 4> trees = {"linear", "binomial", "chain", "binary"};

/// The parameters of an algorithm besides the segment: trees by level, outermost first, and degrees.
std::vector<Plan> shapes_of(const Algorithm& algorithm, const Topology& topology) {
  std::vector<Plan> plans{{&algorithm, {}}};
  if (takes(algorithm, "levels")) {
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
    // With up to 17 ranks the last is the star of all, the quickest for few bytes.
    const int last = std::min(topology.size() - 1, 16);
    for (const int degree : {1, 2, 3, 5, 8, last}) {
      if (degree > last || degree == plans.back().parameters.degree) continue;
      plans.emplace_back(Plan{&algorithm, {}}).parameters.degree = degree;
    }
  }
  return plans;
}

std::size_t max_packed_sites_of(Collective collective) {
  if (is_alltoall(collective)) return max_packed_sites_of_pairs;
  return has_root(collective) || is_scan(collective) ? max_packed_sites : max_packed_sites_from_each;
}

/// Whether the shapes of an algorithm with `levels` have the trees of these patterns of subnets.
bool have_levels(Collective collective, const std::vector<std::string>& patterns, const Topology& topology) {
  const auto is_tried = [](const std::string& pattern) {
    return std::ranges::any_of(trees, [&](const char* tree) { return tree_of(tree, 0) == tree_of(pattern, 0); });
  };
  return topology.levels() <= 1 && same_at_each_level(patterns, topology) && std::ranges::all_of(patterns, is_tried) &&
         std::ranges::any_of(algorithms_of(collective), [](const Algorithm* one) { return takes(*one, "levels"); });
}

const PlacedNetwork& with_memory_for(const PlacedNetwork& placed) {
  // Measured: the topology and the replays of plans.
  constexpr double bytes_of_rank = 2000;
  require_memory(placed.size() * bytes_of_rank, fmt::format("choosing a plan for {} ranks", placed.size()),
                 "fewer would be right");
  return placed;
}

/// Which plans of which algorithms are tried.
class Trials {
 public:
  /// The arguments must outlive it.
  Trials(KnownTrials& known, PlanTimes& times, std::int64_t effort_messages)
      : known_(known),
        packed_plans_(known.packed_plans()),
        times_(times),
        placed_(times.placed()),
        problem_(times.problem()),
        topology_(times.topology()),
        search_(times.search()),
        effort_messages_(effort_messages) {}

  void try_algorithm(const Algorithm& algorithm) {
    const bool is_choice = search_ != Search::every_algorithm;
    const bool packs = packed_plans_.worth_a_search(max_searched_sites);
    if (packs && is_choice && algorithm.for_many_sites) return;
    if (!packs && has_packing_to_choose(algorithm)) {
      if (packed_plans_.worth_a_search(max_packed_sites_of(problem_.collective))) try_packed_as_made(algorithm);
      return;
    }
    if (is_choice && has_patterns_to_choose(algorithm) &&
        have_levels(problem_.collective, subnet_patterns(algorithm, placed_, problem_), topology_))
      return;
    try_open({&algorithm, {}}, Open::parameters);
  }

  /// Tries to save messages of the packings, unless they have many and what else was tried is as quick with many fewer.
  /// Call it last.
  void try_longer_pieces() {
    if (packings_.tried.empty()) return;
    constexpr std::int64_t many_fewer = 2;
    const std::int64_t messages = fewest_messages(packings_.tried)->messages;
    if (messages > few_messages && fewest_messages(times_.tried())->messages * many_fewer <= messages) return;
    times_.resume(packings_);
    SegmentSearch(times_).try_longer_segments();
  }

  /// The plans of one algorithm. Every algorithm gets the same effort, whatever was tried before.
  void try_open(const Plan& plan, Open open) {
    times_.begin_algorithm(effort_messages_);
    if (has_degrees_to_choose(*plan.algorithm)) {
      // The search of its paper: equal segments.
      times_.seconds_of(fill_required_parameters(plan, placed_, problem_, true));
      return;
    }
    if (has_packing_to_choose(*plan.algorithm)) {
      search_ == Search::algorithm_alone ? try_as_made(plan) : try_packed(plan);
      return;
    }
    SegmentSearch search(times_);
    if (has_patterns_to_choose(*plan.algorithm)) {
      if (serves(plan, topology_, problem_))
        search.try_shapes({fill_required_parameters(plan, placed_, problem_, false)});
    } else if (open == Open::segment) {
      search.try_shapes({plan});
    } else {
      search.try_shapes(shapes_of(*plan.algorithm, topology_));
    }
    if (!times_.own().empty()) search.try_longer_segments();
  }

 private:
  PackedSearch packed_search() const { return {packed_plans_, times_, effort_messages_ / part_of_packings}; }

  /// Tries a plan unless it goes straight, as multilevel does.
  void try_relayed(const Plan& plan) {
    if (!goes_straight(plan.parameters.packing)) times_.seconds_of(plan);
  }

  void try_packed_as_made(const Algorithm& algorithm) {
    times_.begin_algorithm(effort_messages_);
    try_as_made({&algorithm, {}});
  }

  /// By how much larger pieces than those of the synthesis are tried first, so that there are not too many.
  int times_as_large(const Plan& made) const {
    const std::int64_t messages = sketch_of(topology_.size(), source(made, topology_, problem_)).messages;
    return static_cast<int>(std::clamp<std::int64_t>(messages / many_messages, 1, 4));
  }

  /// One packing that is made for the network, and for alltoall one of bundles.
  void try_as_made(const Plan& plan) {
    if (!serves(plan, topology_, problem_)) return;
    std::vector<Plan> made;
    try {
      made.push_back(packed_plans_.completed(plan, problem_, true).plan);
    } catch (const BadInput&) {
      return;  // some site cannot reach another
    }
    packed_search().compare(made, times_as_large(made.front()));
    if (is_for_one_tree(problem_, made.front())) times_.seconds_of(packed_plans_.along_one_tree(plan, problem_).plan);
    if (problem_.collective == Collective::allreduce && may_be_as_quick(plan, times_.enough_s()))
      times_.seconds_of(packed_plans_.with_exchanged_sums(plan, problem_).plan, times_.enough_s());
    if (problem_.collective == Collective::alltoall) try_relayed(PackedPlans::with_bundles(made.front()));
  }

  /// The packings that are made for the network.
  void try_packed(const Plan& plan) {
    if (!serves(plan, topology_, problem_)) return;
    std::vector<Plan> made;
    try {
      made = known_.packings(plan);
    } catch (const BadInput&) {
      return;  // some site cannot reach another
    }
    if (problem_.collective == Collective::barrier && goes_straight(made.front().parameters.packing)) return;
    PackedSearch search = packed_search();
    search.compare(made, times_as_large(made.front()));
    if (is_for_one_tree(problem_, made.front())) times_.seconds_of(packed_plans_.along_one_tree(plan, problem_).plan);
    search.refine();
    try_pieces_as_made(made.front());
    times_.set_messages_left(part_of(effort_messages_, part_of_longer_pieces));
    const bool exchanges = problem_.collective == Collective::allreduce;
    if (!times_.own().empty() && search_ == Search::choice_alone && !exchanges)
      packings_ = times_.of_algorithm();
    else if (!times_.own().empty())
      SegmentSearch(times_).try_longer_segments();
    times_.set_messages_left(effort_messages_ / part_of_packings);
    if (exchanges) try_exchanges(plan);
    if (problem_.collective == Collective::alltoall) {
      try_relayed(packed_plans_.with_bundles(plan, problem_));
      for (const Plan& one : made) try_relayed(PackedPlans::with_bundles(one));
    }
  }

  /// Pieces as small as those of the synthesis, where there were too many for the search and its best plan leaves every
  /// link idle for a part of the time.
  void try_pieces_as_made(const Plan& made) {
    constexpr double idle = 1.1;
    if (times_as_large(made) == 1 || !times_.has_tried()) return;
    const Candidate best = times_.quickest();
    const ProgramSource programs = source(best.plan, topology_, problem_);
    if (best.seconds <= idle * busiest_link(placed_, programs, problem_.element_bytes).seconds) return;
    times_.set_messages_left(effort_messages_ / part_of_packings);
    times_.seconds_of(made, best.seconds / as_quick, PlanTimes::Limit::strict);
  }

  /// An allreduce in which sites tell each other their sums: one latency less, and more bytes.
  void try_exchanges(const Plan& plan) {
    constexpr double near = 1.2;
    const double enough_s = near * times_.quickest().seconds;
    if (search_ != Search::every_algorithm && !may_be_as_quick(plan, enough_s)) return;
    std::vector<Plan> made = known_.exchanges(plan);
    // Without stripes multilevel-exchange does the same.
    std::erase_if(made, [](const Plan& one) {
      return goes_straight(one.parameters.packing) && one.parameters.packing.drivers.empty();
    });
    if (made.empty()) return;
    PackedSearch search = packed_search();
    search.compare(made, 1);
    if (search.seconds() < near * times_.quickest().seconds) search.refine();
    SegmentSearch(times_).try_longer_segments();
  }

  /// Whether an exchange may take so long at most. Forecasts for few bytes are longer than the replay: where they are
  /// not far from that, the replay of one exchange tells.
  bool may_be_as_quick(const Plan& exchange, double enough_s) {
    constexpr double far = 2;
    const double least_s = packed_plans_.min_exchange_s(problem_, enough_s);
    return least_s <= enough_s ||
           (least_s <= far * enough_s &&
            times_.seconds_of(packed_plans_.with_exchanged_sums(exchange, problem_).plan) <= enough_s);
  }

  KnownTrials& known_;
  const PackedPlans& packed_plans_;
  PlanTimes& times_;
  const PlacedNetwork& placed_;
  const Problem& problem_;
  const Topology& topology_;
  const Search search_;
  const std::int64_t effort_messages_;
  PlanTimes::OfAlgorithm packings_;  ///< whose pieces may be longer
};

/// Searches try algorithms in different orders. So that all of them choose the same, plans that take the same time are
/// in the order of their algorithms.
std::vector<Candidate> choice_first(std::vector<Candidate> tried, const std::vector<const Algorithm*>& order) {
  std::ranges::stable_sort(tried, {}, [&](const Candidate& one) {
    return std::pair(one.seconds, std::ranges::find(order, one.plan.algorithm) - order.begin());
  });
  const auto choice = fewest_messages(tried);
  std::rotate(tried.begin(), choice, choice + 1);
  return tried;
}

}  // namespace

std::vector<Candidate> candidates(const PlacedNetwork& placed, const Problem& problem, Search search,
                                  std::int64_t effort_messages, KnownTrials* known) {
  check_problem(problem, placed.size());
  check_ranks_reach_each_other(placed.network(), placed.placement(), placed.topology().connectivity());
  KnownTrials own(with_memory_for(placed), problem);
  KnownTrials& shared = known != nullptr ? *known : own;
  PlanTimes times(placed, problem, search, shared.replays());
  // Packings, which are often the quickest, come first, so that the search leaves out what cannot be as quick; then
  // algorithms that use groups, so that they are never left out.
  std::vector<const Algorithm*> order = algorithms_of(problem.collective);
  std::stable_partition(order.begin(), order.end(), [](const Algorithm* algorithm) { return algorithm->uses_groups; });
  const auto others = std::stable_partition(order.begin(), order.end(),
                                            [](const Algorithm* one) { return has_packing_to_choose(*one); });
  Trials trials(shared, times, effort_messages);
  for (const Algorithm* algorithm : std::span(order.begin(), others)) trials.try_algorithm(*algorithm);
  const bool packs = search != Search::every_algorithm && times.has_tried();
  const std::int64_t others_effort = packs ? part_of(effort_messages, part_of_others) : effort_messages;
  Trials of_others(shared, times, others_effort);
  auto next = others;
  while (next != order.end() && (search <= Search::choice_alone || !times.has_tried()))
    of_others.try_algorithm(**next++);
  times.in_branches(order.end() - next, [&](std::size_t one, PlanTimes& branch) {
    Trials(shared, branch, others_effort).try_algorithm(**(next + one));
  });
  trials.try_longer_pieces();
  if (times.tried().empty())
    throw BadInput(
        fmt::format("no algorithm of {} serves this problem over {} ranks", name(problem.collective), placed.size()));
  return choice_first(times.tried(), order);
}

std::vector<Candidate> choice_and_others(const PlacedNetwork& placed, const Problem& problem, Search longer,
                                         KnownTrials* known) {
  KnownTrials own(placed, problem);
  KnownTrials& shared = known != nullptr ? *known : own;
  // The choice first, since it refuses what is too large before it takes memory.
  const Candidate choice = candidates(placed, problem, Search::choice_alone, default_effort_messages, &shared).front();
  std::vector<Candidate> tried = candidates(placed, problem, longer, default_effort_messages, &shared);
  std::erase_if(tried, [&](const Candidate& one) {
    return one.plan.algorithm == choice.plan.algorithm && one.plan.parameters == choice.plan.parameters;
  });
  std::ranges::stable_sort(tried, {}, &Candidate::seconds);
  tried.insert(tried.begin(), choice);
  return tried;
}

Plan choose_parameters(const Plan& plan, Open open, const PlacedNetwork& placed, const Problem& problem,
                       std::int64_t effort_messages) {
  if (is_mpi_own(plan) || !has_parameters_to_choose(*plan.algorithm)) return plan;
  if (open == Open::nothing) return fill_required_parameters(plan, placed, problem, false);
  check_problem(problem, placed.size());
  KnownTrials known(with_memory_for(placed), problem);
  PlanTimes times(placed, problem, Search::every_algorithm, known.replays());
  Trials(known, times, effort_messages).try_open(plan, open);
  return times.tried().empty() ? plan : fewest_messages(times.tried())->plan;
}

Candidate choose(const PlacedNetwork& placed, const Problem& problem, std::int64_t effort_messages) {
  return candidates(placed, problem, Search::choice_alone, effort_messages).front();
}

}  // namespace isthmus
