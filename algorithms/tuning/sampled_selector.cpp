#include "algorithms/tuning/sampled_selector.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "algorithms/catalog.hpp"
#include "algorithms/errors.hpp"
#include "algorithms/replay/replay.hpp"
#include "algorithms/replay/replay_memory.hpp"
#include "algorithms/tuning/rank_sample.hpp"
#include "algorithms/tuning/scale_correction.hpp"
#include "algorithms/tuning/search.hpp"
#include "algorithms/tuning/subnet_patterns.hpp"
#include "algorithms/tuning/trials/link_load.hpp"
#include "algorithms/tuning/trials/thrift.hpp"

namespace isthmus {
namespace {

constexpr std::int64_t max_segments_estimated = 1024;
constexpr std::int64_t max_messages_replayed = 250;  // messages replayed with segments, in one choice

/// Memory which the next choice takes again, such as some 300 kB for a program of a thousand ranks. Exit handlers may
/// choose plans when no thread-local memory is left.
template <typename Memory>
class Spare {
 public:
  Spare() : memory_(spare_.exchange(nullptr)) {
    if (memory_ == nullptr) memory_ = std::make_unique<Memory>();
  }
  ~Spare() { delete spare_.exchange(memory_.release()); }
  Spare(const Spare&) = delete;
  Spare& operator=(const Spare&) = delete;

  Memory& operator*() { return *memory_; }

 private:
  static inline std::atomic<Memory*> spare_ = nullptr;
  std::unique_ptr<Memory> memory_;
};

/// The two layers of the whole network, with the costs of the sample.
TwoLayers layers_of(const Topology& topology, const PlacedNetwork& sample) {
  TwoLayers layers = two_layers_of(sample);
  const Group& everybody = topology.group(0);
  layers.clusters = everybody.children.empty() ? 1 : static_cast<int>(topology.members(0).size());
  layers.cluster_size = everybody.children.empty() ? topology.size() : 1;
  for (const int child : everybody.children)
    layers.cluster_size = std::max(layers.cluster_size, static_cast<int>(topology.group(child).ranks.size()));
  return layers;
}

std::vector<Plan> shapes_of(const Algorithm& algorithm, int mergeable_levels) {
  std::vector<Plan> plans{{&algorithm, {}}};
  if (!takes(algorithm, "levels")) return plans;
  for (const char* inner : {"linear", "chain"})
    plans.emplace_back(Plan{&algorithm, {}}).parameters.levels = {"linear", inner};
  for (int merged = 2; takes(algorithm, "merged") && merged <= mergeable_levels; ++merged)
    plans.emplace_back(Plan{&algorithm, {}}).parameters.merged = merged;
  return plans;
}

/// A plan and its estimate from the sample.
struct PlanEstimate {
  Plan plan;
  double seconds = infinite;
  std::int64_t messages = 0;  // in the sample; approximate with segments
  bool is_close = false;      // see look_closer()
};

void sort(std::vector<PlanEstimate>& estimates) {
  std::stable_sort(estimates.begin(), estimates.end(),
                   [](const PlanEstimate& a, const PlanEstimate& b) { return a.seconds < b.seconds; });
}

class Estimates {
 public:
  /// Estimates that take longer to make.
  struct Others {
    double least_s = 0;        // none is less
    bool has_to_gain = false;  // a plan much like it is there
    std::function<void()> add;
    double least_new_s = 0;  // none is less that add() does not leave out for a plan that is there

    /// Whether they may be as good as the best so far, or better by more than what counts as equally good.
    bool may_be_better(double best_s) const { return (has_to_gain ? as_quick * least_s : least_s / as_quick) < best_s; }
    /// Whether all that may be better is there.
    bool is_there(double best_s) const { return may_be_better(best_s) && least_new_s >= as_quick * best_s; }
  };

  /// Plans may merge so many outer levels; 0: none, as each needs another topology, which takes long for many ranks.
  Estimates(const PlacedNetwork& placed, const Problem& problem, int mergeable_levels)
      : placed_(placed), topology_(placed.topology()), problem_(problem), mergeable_levels_(mergeable_levels) {
    (*memory_).serve(placed.network());
    empty_ = problem;
    if (empty_.count > 0) empty_.count = 1;
    empty_.element_bytes = 1;
  }

  std::vector<PlanEstimate>& all() { return all_; }

  void add(const Algorithm& algorithm) {
    for (const Plan& plan : shapes_of(algorithm, mergeable_levels_)) {
      if (!serves(plan, topology_, problem_)) continue;
      const bool has_segments = takes(algorithm, "segment") && longest_bytes() > min_segment_bytes;
      const Replay whole = has_segments ? replay_with_loads(plan) : replay_of(plan, problem_);
      all_.push_back({plan, whole.seconds, whole.messages});
      if (has_segments) add_segmented(plan, all_.back());
    }
  }

  /// The time by the closed form over two layers for the whole network.
  void add_kielmann(const Algorithm& algorithm, const TwoLayers& layers, const Problem& problem) {
    const KielmannChoice found = search_kielmann(layers, problem.bytes(), problem.element_bytes);
    Plan plan{&algorithm, {}};
    if (found.segments > 1) plan.parameters.segment_bytes = found.segment_bytes;
    plan.parameters.wan_degree = found.wan_degree;
    plan.parameters.lan_degree = found.lan_degree;
    const std::int64_t messages = found.segments * (placed_.size() - 1);
    all_.push_back({.plan = plan, .seconds = found.seconds, .messages = messages, .is_close = true});
  }

  /// Of the plans of an algorithm along packings for the whole network, which take longer.
  void add_packed(const PackedPlans& packed, const KnownPackings& known, const Plan& plan, const Topology& whole,
                  const Problem& problem, std::vector<Others>& others) {
    const auto add = [this, &whole, &problem](const Choice& made) {
      const std::int64_t segment_bytes = made.plan.parameters.segment_bytes;
      const std::int64_t pieces = segment_bytes > 0 ? problem.bytes() / segment_bytes + 1 : 1;
      if (serves(made.plan, whole, problem))
        all_.push_back({made.plan, made.seconds, pieces * (placed_.size() - 1), true});
    };
    const auto add_whole = [add, plan, &packed, &known, &problem] {
      const Choice made = known.completed(plan, problem);
      add(made);
      if (is_for_one_tree(problem, made.plan)) add(packed.along_one_tree(plan, problem));
    };
    const auto add_exchange = [add, plan, &known, &problem] {
      // Sums of sites that go straight to all others are what multilevel has too.
      const Choice made = known.with_exchanged_sums(plan, problem);
      if (!goes_straight(made.plan.parameters.packing)) add(made);
    };
    const auto add_bundles = [this, plan, &packed, &problem] {
      const Plan made = packed.with_bundles(plan, problem);
      if (goes_straight(made.parameters.packing) || !serves(made, topology_, problem_)) return;
      const Replay in_sample = replay_of(made, problem_);
      all_.push_back({made, in_sample.seconds, in_sample.messages});
    };
    const auto unless_unreachable = [](auto&& run) {
      try {
        run();
      } catch (const BadInput&) {
        // Some site cannot reach another.
      }
    };
    unless_unreachable([&] {
      if (problem.collective != Collective::barrier)
        others.push_back({known.min_s(problem), false, [=] { unless_unreachable(add_whole); }});
      if (problem.collective == Collective::allreduce || problem.collective == Collective::barrier)
        others.push_back({known.min_exchange_s(problem), true, [=] { unless_unreachable(add_exchange); },
                          known.min_relayed_exchange_s(problem)});
      // Blocks of several ranks as one message: for blocks of less than a frame. The sample has all sites if these are
      // not alike.
      constexpr std::int64_t short_block_bytes = 1024;
      const bool has_all_sites = whole.members(0).size() == topology_.members(0).size();
      if (problem.collective == Collective::alltoall && problem.bytes() <= short_block_bytes && has_all_sites)
        others.push_back({known.min_s(problem), true, [=] { unless_unreachable(add_bundles); }});
    });
  }

  Replay replay_of(const Plan& plan, const Problem& problem) {
    return replay(placed_, problem.element_bytes, source(plan, topology_, problem), {.memory = &*memory_});
  }

  /// Refines the best estimate until the best one has been refined: replays it with its segments if these are few
  /// messages, and adds the scale correction. Then refines the plan that saves most messages (at least a third) and may
  /// be as good, if that is cheap. The plan to take is moved to the front. `both` is null if the sample is the whole.
  /// `others` are added when they may be better.
  void look_closer(const FullAndSample* both, const Problem& whole_problem, std::vector<Others> others) {
    const auto sort_all = [&] {
      sort(all_);
      for (auto one = others.begin(); one != others.end(); one = others.begin()) {
        const double best_s = all_.front().seconds;
        one = std::ranges::find_if(others,
                                   [&](const Others& of) { return of.may_be_better(best_s) && !of.is_there(best_s); });
        if (one == others.end()) return;
        one->add();
        others.erase(one);
        sort(all_);
      }
    };
    sort_all();
    const double first_s = all_.front().seconds;
    const bool has_rivals =
        std::ranges::any_of(others, [&](const Others& of) { return !of.is_there(first_s); }) ||
        std::ranges::any_of(all_, [&](const PlanEstimate& one) { return !same_piece(one.plan, all_.front().plan); });
    std::int64_t messages_left = max_messages_replayed;
    const auto look = [&](PlanEstimate& one) {
      if (one.plan.parameters.segment_bytes > 0 && one.messages <= messages_left) {
        messages_left -= one.messages;
        one.seconds = replay_of(one.plan, problem_).seconds;
      }
      if (both != nullptr && has_rivals) one.seconds += growth_s(one.plan, *both, whole_problem);
      one.is_close = true;
    };
    for (; !all_.front().is_close; sort_all()) look(all_.front());
    const std::int64_t few = all_.front().messages / 3 * 2;
    auto choice = fewest_messages(all_);
    if (!choice->is_close && choice->messages < few && (both == nullptr || correction_known(choice->plan))) {
      look(*choice);
      choice = fewest_messages(all_);
    }
    if (choice->is_close) std::rotate(all_.begin(), choice, choice + 1);
  }

 private:
  static bool same_piece(const Plan& one, const Plan& other) {
    return one.algorithm == other.algorithm && in_one_piece(one).parameters == in_one_piece(other).parameters;
  }
  static Plan in_one_piece(Plan plan) {
    plan.parameters.segment_bytes = 0;
    return plan;
  }

  std::vector<std::pair<Plan, double>>::iterator find_correction(const Plan& plan) {
    return std::find_if(corrections_.begin(), corrections_.end(),
                        [&](const auto& one) { return same_piece(one.first, plan); });
  }
  bool correction_known(const Plan& plan) { return find_correction(plan) != corrections_.end(); }

  double growth_s(const Plan& plan, const FullAndSample& both, const Problem& whole_problem) {
    const Plan piece = in_one_piece(plan);
    auto known = find_correction(piece);
    if (known == corrections_.end()) {
      Spare<Program> program;
      const ScaleCorrection correction = scale_correction_of(piece, both, whole_problem, problem_, *program);
      const double headers_s =
          correction.wide_area_growth > 1 ? (correction.wide_area_growth - 1) * load_of(piece).header_s : 0;
      known = corrections_.insert(known, {piece, correction.seconds + headers_s});
    }
    const std::int64_t segment_bytes = plan.parameters.segment_bytes;
    const std::int64_t chain_bytes = segment_bytes > 0 ? segment_bytes : whole_problem.bytes();
    return known->second + longer_chains_s(piece, both, static_cast<double>(chain_bytes));
  }

  std::int64_t longest_bytes() const {
    const BufferCounts counts = buffer_counts(problem_, placed_.size(), problem_.root);
    return std::max(counts.input, counts.output) * problem_.element_bytes;
  }

  /// Keeps the load of its busiest link, since its programs are at hand.
  Replay replay_with_loads(const Plan& piece) {
    LinkLoads loads(placed_, problem_.element_bytes);
    const auto programs = source(piece, topology_, problem_);
    int ranks = 0;
    const auto seen_once = [&](int rank, Program& program) {
      programs(rank, program);
      if (rank == ranks) loads.add(ranks++, program);
    };
    const Replay whole = replay(placed_, problem_.element_bytes, seen_once, {.memory = &*memory_});
    loads_.emplace_back(piece, loads.busiest());
    return whole;
  }

  LinkLoad load_of(const Plan& piece) {
    const auto known = std::ranges::find_if(loads_, [&](const auto& one) { return same_piece(one.first, piece); });
    if (known != loads_.end()) return known->second;
    const LinkLoad load = busiest_link(placed_, source(piece, topology_, problem_), problem_.element_bytes);
    return loads_.emplace_back(piece, load).second;
  }

  /// With k segments the time outside the busiest link shrinks to 1 / k, and there are k times as many headers.
  void add_segmented(Plan plan, const PlanEstimate whole) {
    const double empty_s = std::min(replay_of(plan, empty_).seconds, whole.seconds);
    const LinkLoad load = load_of(plan);
    const double behind_s = std::max(0.0, whole.seconds - empty_s - load.seconds);
    const Transport& transport = placed_.network().transport;
    const double overhead_s = transport.send_overhead_s + transport.receive_overhead_s;
    std::vector<PlanEstimate> estimates{whole};
    const std::int64_t shortest = std::max(min_segment_bytes, longest_bytes() / max_segments_estimated);
    std::int64_t segment_bytes = problem_.element_bytes;
    while (segment_bytes < shortest) segment_bytes *= 2;
    for (; segment_bytes < longest_bytes(); segment_bytes *= 2) {
      const double segments = std::ceil(static_cast<double>(longest_bytes()) / static_cast<double>(segment_bytes));
      const double seconds =
          empty_s + load.seconds + behind_s / segments + (segments - 1) * (load.header_s + overhead_s);
      plan.parameters.segment_bytes = segment_bytes;
      estimates.push_back({plan, seconds, static_cast<std::int64_t>(segments * static_cast<double>(whole.messages))});
    }
    const auto best = fewest_messages(estimates);
    if (best != estimates.begin()) all_.push_back(*best);
  }

  const PlacedNetwork& placed_;
  const Topology& topology_;
  const Problem& problem_;
  const int mergeable_levels_;
  Problem empty_;
  Spare<ReplayMemory> memory_;
  std::vector<PlanEstimate> all_;
  std::vector<std::pair<Plan, double>> corrections_;  // by unsegmented plan
  std::vector<std::pair<Plan, LinkLoad>> loads_;      // the same
};

}  // namespace

SampledSelector::SampledSelector(const PlacedNetwork& placed)
    : topology_(placed.topology()),
      packed_plans_(placed),
      known_packings_(packed_plans_),
      sampled_(ranks_to_sample(placed)),
      sample_(sample_of(placed, sampled_)) {
  if (topology_.levels() < 2) layers_ = layers_of(topology_, sample_);
  if (sample_.size() < topology_.size()) costs_.emplace(sample_);
}

SampledSelector::SampledSelector(const Topology& topology)
    : SampledSelector(PlacedNetwork(default_network(topology), one_rank_a_host(topology.size()))) {}

Problem SampledSelector::in_sample(const Problem& problem) const {
  Problem sample = problem;
  sample.counts.clear();
  const double ranks = sample_.size(), times = topology_.size() / ranks;
  double count = static_cast<double>(problem.count);
  if (!problem.counts.empty()) {
    count = 0;
    for (const std::int64_t block : problem.counts) count += static_cast<double>(block);
    count /= static_cast<double>(problem.counts.size());
  }
  if (is_alltoall(problem.collective))
    count *= times * times;
  else if (has_blocks(problem.collective))
    count *= times;
  sample.count = static_cast<std::int64_t>(std::ceil(count));
  // The root in the sample is the first sampled rank of the innermost group around the root that has one.
  sample.root = 0;
  if (!has_root(problem.collective)) return sample;
  for (int group = topology_.innermost(problem.root); group >= 0; group = topology_.group(group).parent) {
    const auto at =
        std::find_if(sampled_.begin(), sampled_.end(), [&](int rank) { return topology_.contains(group, rank); });
    if (at == sampled_.end()) continue;
    sample.root = static_cast<int>(at - sampled_.begin());
    break;
  }
  return sample;
}

Choice SampledSelector::choose(const Problem& problem) const {
  check_problem(problem, topology_.size());
  const Problem sample = in_sample(problem);
  // The sample cannot predict algorithms that ignore groups: their number of steps grows with the number of ranks.
  const bool is_whole = sample_.size() == topology_.size();
  Estimates estimates(sample_, sample, is_whole ? topology_.levels() : 0);
  const std::vector<const Algorithm*> known = algorithms_of(problem.collective);
  std::vector<PlanEstimate>& all = estimates.all();
  std::vector<Plan> to_pack;
  const auto try_those = [&](auto&& are_tried) {
    for (const Algorithm* algorithm : known) {
      if (!are_tried(*algorithm) || algorithm->for_searches || has_patterns_to_choose(*algorithm)) continue;
      if (has_packing_to_choose(*algorithm))
        to_pack.push_back({algorithm, {}});
      else if (!has_degrees_to_choose(*algorithm))
        estimates.add(*algorithm);
      else if (layers_)
        estimates.add_kielmann(*algorithm, *layers_, problem);
    }
    std::erase_if(all, [&](const PlanEstimate& estimate) { return !serves(estimate.plan, topology_, problem); });
  };
  try_those([&](const Algorithm& algorithm) { return is_whole || algorithm.uses_groups; });
  std::vector<Estimates::Others> packed;
  for (const Plan& plan : to_pack)
    if (packed_plans_.worth_a_search(max_sampled_sites) && serves(plan, topology_, problem))
      estimates.add_packed(packed_plans_, known_packings_, plan, topology_, problem, packed);
  if (all.empty())
    for (const Estimates::Others& one : std::exchange(packed, {})) one.add();
  if (all.empty()) try_those([](const Algorithm& algorithm) { return !algorithm.uses_groups; });
  if (all.empty())
    throw BadInput(fmt::format("no algorithm of {} serves this problem over {} ranks", name(problem.collective),
                               topology_.size()));
  if (costs_) {
    const FullAndSample both{topology_, sample_.topology(), sampled_, *costs_,
                             sample_.network().transport.reduction_s_per_byte};
    estimates.look_closer(&both, problem, std::move(packed));
  } else {
    estimates.look_closer(nullptr, problem, std::move(packed));
  }
  return {all.front().plan, all.front().seconds};
}

}  // namespace isthmus
