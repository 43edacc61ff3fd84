#include "algorithms/mpi/library/plans.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "algorithms/catalog.hpp"
#include "algorithms/collective/mpi_own.hpp"
#include "algorithms/network/forwarded_routes.hpp"
#include "algorithms/replay/replay.hpp"
#include "algorithms/tuning/search.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace {

constexpr std::size_t max_chosen = 4096;
constexpr std::int64_t min_bytes = 8;
constexpr int max_ranks_replayed = 64;  // for larger communicators plans are chosen on a sample

// The bytes of a block, or of an average block.
std::int64_t bytes_of_block(const Problem& problem) {
  std::int64_t elements = problem.count;
  if (!problem.counts.empty())
    elements = std::accumulate(problem.counts.begin(), problem.counts.end(), std::int64_t{0}) /
               static_cast<std::int64_t>(problem.counts.size());
  return elements * problem.element_bytes;
}

// The power of two nearest to a number of bytes.
std::int64_t size_class(std::int64_t of_block) {
  const std::int64_t bytes = std::max(of_block, min_bytes);
  const auto below = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(bytes)));
  return bytes - below > below / 2 ? 2 * below : below;
}

int first_of_group(const Topology& topology, int rank) {
  return topology.group(topology.group_at(rank, 1)).ranks.front();
}

}  // namespace

Plan first_plan_of(const Topology& topology, const Problem& problem) {
  Plan found;
  for (const Algorithm* algorithm : algorithms_of(problem.collective)) {
    Plan plan{algorithm, {}};
    if (!serves(plan, topology, problem)) continue;
    if (algorithm->is_default) return plan;
    if (found.algorithm == nullptr) found = plan;
  }
  if (found.algorithm == nullptr)
    throw BadInput("no algorithm of " + std::string(name(problem.collective)) + " serves");
  return found;
}

Plans::Plans(Settings settings, const Topology& topology, std::optional<PlacedNetwork> placed,
             std::shared_ptr<const DecisionTable> table)
    : settings_(std::move(settings)),
      table_(is_for(table, topology) ? std::move(table) : nullptr),
      has_network_(placed.has_value()),
      placed_(std::move(placed)) {}

bool Plans::lacks_forwarders() const {
  return has_network_ && has_forwarded_routes(placed_->network()) && !settings_.forwards;
}

bool Plans::asked_for(Collective collective) const {
  if (settings_.plan(collective).has_value()) return !mpi_asked_for(collective);
  return table_ != nullptr && !has_own_counts_alone(collective) && decision_for(*table_, collective, 0, 0) != nullptr;
}

bool Plans::mpi_asked_for(Collective collective) const {
  return settings_.plan(collective).has_value() && is_mpi_own(*settings_.plan(collective));
}

Choice Plans::plan_for(const Topology& topology, const Problem& problem) {
  if (settings_.plan(problem.collective).has_value() && !mpi_asked_for(problem.collective))
    return {plan_asked_for(topology, problem), -1};
  const bool nothing_to_do = problem.count == 0 && problem.counts.empty() && carries_data(problem.collective);
  if (nothing_to_do || !problem.counts_known) return {first_plan_of(topology, problem), -1};
  if (const std::optional<Choice> choice = chosen_by_table(topology, problem)) return *choice;
  if (settings_.effort_messages == 0) return {first_plan_of(topology, problem), -1};
  Choice choice;
  {
    const std::lock_guard lock(mutex_);
    choice = chosen(topology, problem);
  }
  if (!serves(choice.plan, topology, problem)) choice = {first_plan_of(topology, problem), -1};
  check(choice.plan, topology, problem);
  return choice;
}

Plan Plans::plan_that_serves(const Topology& topology, const Problem& problem) {
  try {
    return plan_for(topology, problem).plan;
  } catch (const BadInput&) {
    return first_plan_of(topology, problem);
  }
}

bool Plans::needs_counts(const Topology& topology, Collective collective) const {
  if (!asked_for(collective)) return false;
  Problem problem{.collective = collective, .count = 1, .counts_known = false};
  const bool serves_without = serves(*settings_.plan(collective), topology, problem);
  problem.counts_known = true;
  return !serves_without && serves(*settings_.plan(collective), topology, problem);
}

bool Plans::may_gain_by_counts(const Topology& topology, Collective collective) const {
  const std::int64_t blocks = std::int64_t{topology.size()} * topology.size();
  return has_network_ && !settings_.plan(collective).has_value() && topology.connectivity().complete() &&
         blocks <= settings_.effort_messages;
}

bool Plans::gains_by_counts(const Topology& topology, const Problem& problem) {
  constexpr double worth_an_exchange = 0.8;
  if (!may_gain_by_counts(topology, problem.collective)) return false;
  const std::lock_guard lock(mutex_);
  const Problem like = chosen_for(topology, problem);
  const Key key = key_of(like);
  if (const auto known = gains_by_counts_.find(key); known != gains_by_counts_.end()) return known->second;
  if (gains_by_counts_.size() == max_chosen) gains_by_counts_.clear();
  const Problem exchange{Collective::allgather, is_alltoall(problem.collective) ? topology.size() : 1,
                         sizeof(std::int64_t)};
  const double with_counts_s = chosen(topology, like).seconds, exchange_s = chosen(topology, exchange).seconds;
  bool gains = false;
  if (with_counts_s >= 0 && exchange_s >= 0) {
    Problem unknown = like;
    unknown.counts_known = false;
    const Plan straight = first_plan_of(topology, unknown);
    const double straight_s = replay(costs(topology), like.element_bytes, source(straight, topology, like)).seconds;
    gains = with_counts_s + exchange_s < worth_an_exchange * straight_s;
  }
  return gains_by_counts_.emplace(key, gains).first->second;
}

// The plan with its segment rounded to whole elements, and its required parameters set.
Plan Plans::fitted(Plan plan, const Problem& problem) const {
  std::int64_t& segment = plan.parameters.segment_bytes;
  if (segment > 0) segment = std::max(segment - segment % problem.element_bytes, problem.element_bytes);
  return has_network_ ? fill_required_parameters(plan, *placed_, problem, segment == 0) : plan;
}

Plan Plans::plan_asked_for(const Topology& topology, const Problem& problem) const {
  Plan plan = fitted(*settings_.plan(problem.collective), problem);
  check(plan, topology, problem);
  return plan;
}

// The first plan of the decision that serves the problem.
std::optional<Choice> Plans::chosen_by_table(const Topology& topology, const Problem& problem) const {
  if (table_ == nullptr) return std::nullopt;
  const std::int64_t bytes = bytes_of_block(problem);
  const Decision* decision = decision_for(*table_, problem.collective, problem.root, bytes);
  if (decision == nullptr) return std::nullopt;
  for (const Candidate& candidate : decision->candidates) {
    const Plan plan = fitted(candidate.plan, problem);
    if (is_mpi_own(plan) || !serves(plan, topology, problem)) continue;
    check(plan, topology, problem);
    return Choice{plan, decision->bytes == bytes ? candidate.seconds : -1};
  }
  return std::nullopt;
}

const PlacedNetwork& Plans::costs(const Topology& topology) {
  if (!placed_) placed_.emplace(default_network(topology), one_rank_a_host(topology.size()));
  return *placed_;
}

NeighbourChoice Plans::neighbour_choice(const Topology& topology, const NeighbourProblem& problem) {
  if (problem.count == 0 || settings_.effort_messages == 0) return {};
  const std::lock_guard lock(mutex_);
  const std::pair key(problem.collective, problem.count);
  if (const auto known = chosen_among_neighbours_.find(key); known != chosen_among_neighbours_.end())
    return known->second;
  if (chosen_among_neighbours_.size() == max_chosen) chosen_among_neighbours_.clear();
  NeighbourChoice choice;
  try {
    choice = choose(costs(topology), problem, settings_.effort_messages);
  } catch (const BadInput&) {
    // Hosts without a route in the model: the MPI beneath may reach them.
  }
  return chosen_among_neighbours_.emplace(key, choice).first->second;
}

Problem Plans::chosen_for(const Topology& topology, const Problem& problem) {
  Problem like = problem;
  like.root = has_root(problem.collective) ? first_of_group(topology, problem.root) : 0;
  like.counts.clear();
  if (!carries_data(problem.collective)) {
    like.count = 0;
    return like;
  }
  like.count = std::max<std::int64_t>(1, size_class(bytes_of_block(problem)) / problem.element_bytes);
  return like;
}

Plans::Key Plans::key_of(const Problem& like) {
  return {like.collective, like.commutative, like.root, like.element_bytes, like.count};
}

Choice Plans::chosen(const Topology& topology, const Problem& problem) {
  const Problem like = chosen_for(topology, problem);
  const Key key = key_of(like);
  if (const auto known = chosen_.find(key); known != chosen_.end()) return known->second;
  Choice choice;
  try {
    const PlacedNetwork& placed = costs(topology);
    if (topology.size() <= max_ranks_replayed) {
      const Candidate best = choose(placed, like, settings_.effort_messages);
      choice = {best.plan, best.seconds};
    } else {
      if (!selector_) selector_.emplace(placed);
      choice = selector_->choose(like);
    }
  } catch (const BadInput&) {
    // Hosts without a route in the model may still reach each other.
    choice = {first_plan_of(topology, problem), -1};
  }
  if (chosen_.size() == max_chosen) chosen_.clear();
  return chosen_.emplace(key, choice).first->second;
}

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
