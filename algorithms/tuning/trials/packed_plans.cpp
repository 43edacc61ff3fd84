#include "algorithms/tuning/trials/packed_plans.hpp"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "algorithms/packed/packed.hpp"
#include "algorithms/synthesis/commodities.hpp"
#include "algorithms/synthesis/single_tree.hpp"
#include "algorithms/synthesis/synthesis.hpp"
#include "algorithms/synthesis/thinning.hpp"

namespace isthmus {

namespace {

/// Whether ranks differ by nothing but their host on one switch, and hosts send and receive at once.
bool are_alike_on_a_switch(const PlacedNetwork& placed) {
  const Network& network = placed.network();
  const auto route_figures = [&](int from, int to) {
    const Route route = network.route(placed.host_of(from), placed.host_of(to));
    return std::pair(route.latency_s, route.bandwidth_Bps);
  };
  for (int rank = 1; rank < placed.size(); ++rank) {
    const Host& host = network.hosts[placed.host_of(rank)];
    if (std::ranges::any_of(host.up, [&](int link) { return is_wire(network, host, link); })) return false;
    if (host.endpoint != network.hosts[placed.host_of(0)].endpoint) return false;
    if (!network.has_route(placed.host_of(0), placed.host_of(rank)) ||
        !network.has_route(placed.host_of(rank), placed.host_of(0)))
      return false;
    if (route_figures(0, rank) != route_figures(0, 1) || route_figures(rank, 0) != route_figures(0, 1)) return false;
  }
  return true;
}

}  // namespace

bool PackedPlans::worth_a_search(std::size_t max_sites) const {
  const Group& everybody = placed_.topology().group(0);
  const bool has_groups = !everybody.children.empty();
  const std::size_t sites = has_groups ? everybody.members.size() : everybody.ranks.size();
  return sites > 1 && sites <= max_sites && (has_groups || !are_alike_on_a_switch(placed_));
}

const SiteNetwork& PackedPlans::sites() const {
  std::call_once(sites_known_, [&] { sites_.emplace(placed_); });
  return *sites_;
}

std::int64_t PackedPlans::known_piece_bytes(const Problem& problem) const {
  constexpr int many_sites = 6;
  if (problem.collective != Collective::allreduce || sites().size() <= many_sites) return 0;
  // Pairs of trees of all roots take long to pack; the pieces of a broadcast are as good for them.
  Problem like = problem;
  like.collective = Collective::broadcast;
  return synthesise_with_piece(sites(), like).piece_bytes;
}

Synthesis PackedPlans::with_piece(const Problem& problem) const {
  const std::int64_t piece_bytes = known_piece_bytes(problem);
  return piece_bytes > 0 ? synthesise(sites(), problem, piece_bytes) : synthesise_with_piece(sites(), problem);
}

namespace {

/// One piece is written as 0, unsegmented, which is also right for an empty message.
std::int64_t segment_of(const Synthesis& made, const Problem& problem) {
  const std::int64_t elements = (made.piece_bytes + problem.element_bytes - 1) / problem.element_bytes;
  return elements * problem.element_bytes < problem.bytes() ? elements * problem.element_bytes : 0;
}

Packing packing_from(Synthesis made) {
  made.packing.loss = made.loss;
  made.packing.finished = made.finished;
  return std::move(made.packing);
}

std::vector<Plan> plans_of(std::vector<Synthesis> all, const Plan& plan, const Problem& problem) {
  std::vector<Plan> plans;
  for (Synthesis& made : all) {
    Plan& one = plans.emplace_back(plan);
    one.parameters.segment_bytes = segment_of(made, problem);
    one.parameters.packing = packing_from(std::move(made));
  }
  return plans;
}

}  // namespace

Choice PackedPlans::completed(const Plan& plan, const Problem& problem, bool segment_open) const {
  Choice choice{plan, -1};
  Parameters& parameters = choice.plan.parameters;
  if (!parameters.packing.empty()) return choice;
  if (problem.collective == Collective::barrier) return with_exchanged_sums(plan, problem);
  if (segment_open) return along(with_piece(problem), plan, problem);
  const std::int64_t whole_bytes = std::max<std::int64_t>(problem.bytes(), 1);
  Synthesis made = synthesise(sites(), problem, parameters.segment_bytes > 0 ? parameters.segment_bytes : whole_bytes);
  choice.seconds = made.seconds;
  parameters.packing = packing_from(std::move(made));
  return choice;
}

Choice PackedPlans::along(Synthesis made, const Plan& plan, const Problem& problem) {
  Choice choice{plan, made.seconds};
  choice.plan.parameters.segment_bytes = segment_of(made, problem);
  choice.plan.parameters.packing = packing_from(std::move(made));
  return choice;
}

std::vector<Plan> PackedPlans::several(const Plan& plan, const Problem& problem) const {
  if (problem.collective == Collective::barrier) return {with_exchanged_sums(plan, problem).plan};
  return plans_of(synthesise_several(sites(), problem, known_piece_bytes(problem)), plan, problem);
}

Choice PackedPlans::along_one_tree(const Plan& plan, const Problem& problem) const {
  Synthesis made = synthesise_single_tree(sites(), problem);
  Choice choice{plan, made.seconds};
  choice.plan.parameters.packing = std::move(made.packing);
  return choice;
}

bool PackedPlans::has_stripes(const Problem& problem) const {
  int most = 0;
  for (int site = 0; site < sites().size(); ++site)
    most = std::max(most, static_cast<int>(sites().site(site).ranks.size()));
  return most > 1 && problem.count >= most;
}

double PackedPlans::min_exchange_s(const Problem& problem, double enough_s) const {
  if (problem.collective == Collective::barrier) return 0;
  // Stripes share a fatpipe link without slowing each other: no forecast knows that.
  if (has_stripes(problem) &&
      std::ranges::any_of(placed_.network().links, [](const Link& link) { return link.sharing == Sharing::fatpipe; }))
    return 0;
  // All sums have to enter and leave each site.
  const double cut_s = 1 / cut_rate_per_s(sites(), sums_of_sites(sites(), problem));
  return cut_s > enough_s ? cut_s : std::max(cut_s, least_exchange_s(sites(), problem, enough_s));
}

std::vector<Plan> PackedPlans::several_exchanges(const Plan& plan, const Problem& problem) const {
  std::vector<Plan> plans = plans_of(synthesise_several_exchanges(sites(), problem), plan, problem);
  if (!has_stripes(problem)) return plans;
  const std::size_t whole = plans.size();
  for (std::size_t i = 0; i < whole; ++i) {
    Plan striped = plans[i];
    striped.parameters.packing.drivers.assign(sites().size(), 0);
    plans.push_back(std::move(striped));
  }
  return plans;
}

Choice PackedPlans::with_exchanged_sums(const Plan& plan, const Problem& problem) const {
  return along(synthesise_exchange(sites(), problem), plan, problem);
}

Plan PackedPlans::longest_first(const Plan& made, const Problem& problem, DueOrder order) const {
  const bool exchanges =
      problem.collective == Collective::allreduce && made.parameters.packing.ways.front().back.empty();
  const Commodities commodities = exchanges ? sums_of_sites(sites(), problem) : commodities_of(sites(), problem);
  const double piece_bytes = static_cast<double>(
      made.parameters.segment_bytes > 0 ? made.parameters.segment_bytes : std::max<std::int64_t>(problem.bytes(), 1));
  Plan timed = made;
  timed.parameters.packing.ways = with_due_times(sites(), commodities, made.parameters.packing, piece_bytes, order);
  return timed;
}

Plan PackedPlans::by_lines(const Plan& made, const Problem& problem, bool gathered) const {
  const double piece_bytes = static_cast<double>(
      made.parameters.segment_bytes > 0 ? made.parameters.segment_bytes : std::max<std::int64_t>(problem.bytes(), 1));
  Plan timed = made;
  Packing& packing = timed.parameters.packing;
  packing.lines = lines_of(sites(), packing, commodities_of(sites(), problem).kind, piece_bytes);
  packing.lag = packing.slack = packing.credit = 0;
  packing.for_lines = false;
  for (Way& way : packing.ways) {
    way.first_due = way.last_due = 0;
    if (gathered) way.helped = true;
  }
  return timed;
}

bool PackedPlans::order_matters(const Plan& made, const Problem& problem, int min_difference) const {
  const Plan late = longest_first(made, problem, DueOrder::late);
  const auto [first, last] = std::ranges::minmax(late.parameters.packing.ways, {}, &Way::last_due);
  return last.last_due - first.last_due >= min_difference;
}

Plan PackedPlans::straight_inside(const Plan& made) {
  Plan straight = made;
  Packing& packing = straight.parameters.packing;
  packing.drivers.assign(packing.ways.front().sites.size(), 0);
  return straight;
}

bool PackedPlans::has_trees(const Plan& made) {
  const Collective collective = made.algorithm->collective;
  if (made.parameters.packing.empty() || collective == Collective::barrier || is_scan(collective)) return false;
  if (collective == Collective::allreduce) return !made.parameters.packing.ways.front().back.empty();
  return !has_blocks(collective) || has_operator(collective) || collective == Collective::allgather ||
         collective == Collective::allgatherv;
}

bool PackedPlans::may_go_by_lines(const Plan& made, const Problem& problem) const {
  constexpr int many_ranks = 128;  // the blocks of whose alltoall take long to put into order
  const bool is_large = is_alltoall(problem.collective) && placed_.size() > many_ranks;
  const Packing& packing = made.parameters.packing;
  return !packing.empty() && !is_large && takes_lines(problem.collective, packing);
}

bool PackedPlans::may_be_gathered(Collective collective) const {
  const bool have_own_data = is_alltoall(collective) || is_gather(collective) || collective == Collective::allgather ||
                             collective == Collective::allgatherv;
  return have_own_data && placed_.size() > sites().size();
}

Plan PackedPlans::with_bundles(const Plan& plan, const Problem& problem) const {
  Plan bundled = plan;
  bundled.parameters.packing = synthesise_bundles(sites(), problem).packing;
  return with_bundles(bundled);
}

Plan PackedPlans::with_bundles(const Plan& made) {
  Plan bundled = made;
  bundled.parameters.segment_bytes = 0;
  std::vector<Way>& ways = bundled.parameters.packing.ways;
  std::ranges::stable_sort(ways, [](const Way& a, const Way& b) {
    return std::tuple(a.sites.front(), a.sites.back(), -a.share) <
           std::tuple(b.sites.front(), b.sites.back(), -b.share);
  });
  const auto same_ends = [](const Way& a, const Way& b) {
    return a.sites.front() == b.sites.front() && a.sites.back() == b.sites.back();
  };
  ways.erase(std::unique(ways.begin(), ways.end(), same_ends), ways.end());
  for (Way& way : ways) {
    way.bundled = true;
    way.share = 1;
  }
  return bundled;
}

}  // namespace isthmus
