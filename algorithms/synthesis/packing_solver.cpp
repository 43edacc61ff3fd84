#include "algorithms/synthesis/packing_solver.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "algorithms/ways/turns.hpp"

namespace isthmus {
namespace {

constexpr int kMaxHorizons = 12;
/// The share of the objective that would be lost if all rows were full: of many solutions that are about as good the
/// one that uses least of the links is taken, whatever the last digits of their rates.
constexpr double kThrift = 0.05;
/// Rates without thrift have to be quicker by so much.
constexpr double kWorthNoThrift = 1.02;
/// A horizon is near if what it gives ends after this share of it.
constexpr double kNearHorizon = 0.8;
constexpr int kExactSites = 8;
constexpr int kMaxRounds = 150, kMaxRoundsOfPairs = 30, kFewHorizons = 3;  // between many sites

std::vector<double> demands(const Commodities& commodities) {
  std::vector<double> bytes;
  for (const Commodity& commodity : commodities.list) bytes.push_back(commodity.bytes);
  return bytes;
}

double slowest_used_s(const Fluid& fluid) {
  double slowest_s = 0;
  for (const FluidWay& used : fluid.ways) slowest_s = std::max(slowest_s, used.timed.latency_s);
  return slowest_s;
}

}  // namespace

std::vector<TimedWay> used_ways(const Fluid& fluid) {
  std::vector<TimedWay> ways;
  for (const FluidWay& used : fluid.ways) ways.push_back(used.timed);
  return ways;
}

PackingSolver::Tolerances PackingSolver::tolerances_for(int sites, WayKind kind) {
  if (sites <= kExactSites) return {1e-9, 5e-4, 5e-4, 1e-3};
  if (sites <= kManySites && kind != WayKind::trees_both) return {2e-3, 2e-2, 5e-3, 3e-3};
  if (sites <= kManySites) return {1e-2, 2e-1, 3e-2, 1e-2};
  return {1e-2, 5e-2, 2e-2, 5e-3};
}

PackingSolver::PackingSolver(const SiteNetwork& network, const Commodities& commodities, double piece_bytes)
    : commodities_(commodities),
      rows_(network, commodities.root, commodities.reduces, piece_bytes, commodities.acknowledged),
      ways_(rows_, commodities),
      programme_(ways_.capacity(), demands(commodities), ways_.has_halves() ? network.size() : 0),
      tolerances_(tolerances_for(network.size(), commodities.kind)),
      max_horizons_(kMaxHorizons) {
  if (network.size() <= kManySites) return;
  max_rounds_ = commodities.kind == WayKind::trees_both ? kMaxRoundsOfPairs : kMaxRounds;
  max_horizons_ = programme_.approximates() ? 1 : kFewHorizons;
}

void PackingSolver::seed(std::span<const TimedWay> known) {
  for (const TimedWay& way : known)
    for (ProgrammeColumn& column : ways_.columns_of(way.way, way.commodity, SiteWays::kNoHorizon))
      programme_.add(std::move(column));
}

Fluid PackingSolver::solve() {
  if (ways_.has_halves()) programme_.guess({rows_.least_cut_prices(), {1}});
  const ProgrammeSolution rates = solve_at(SiteWays::kNoHorizon, tolerances_.rates);
  const Fluid at_rates = fluid_of(rates);
  Fluid best = with_horizon(first_horizon_s(at_rates, rates.theta), kThrift);
  if (best.ways.empty() || at_rates.seconds < best.seconds / kWorthNoThrift) best = at_rates;
  best.rate_per_s = rates.theta;
  without_slivers(best);
  best.finished = finished_;
  return best;
}

double PackingSolver::least_s() {
  constexpr double tolerance = 0.02;
  return 1 / solve_at(SiteWays::kNoHorizon, tolerance).bound;
}

Fluid PackingSolver::solve_again(const Fluid& first, double thrift) {
  Fluid other = with_horizon(first.seconds, thrift);
  other.rate_per_s = first.rate_per_s;
  if (!other.ways.empty()) without_slivers(other);
  return other;
}

Fluid PackingSolver::relayed_once(const Fluid& first) {
  const std::vector<TimedWay> given = SiteWays(rows_, commodities_).relayed_once();
  Fluid best;
  double horizon_s = first.seconds;
  for (int i = 0; i < kFewHorizons && !given.empty(); ++i) {
    Fluid found = among(given, horizon_s);
    if (found.ways.empty() || !std::isfinite(found.seconds)) break;
    horizon_s = found.seconds;
    if (best.ways.empty() || found.seconds < best.seconds) best = std::move(found);
  }
  best.rate_per_s = first.rate_per_s;
  if (!best.ways.empty()) without_slivers(best);
  return best;
}

std::vector<Fluid> PackingSolver::taking_turns(const Fluid& first) const {
  if (ways_.has_halves()) return {};
  std::vector<TimedWay> found;
  std::vector<WayInTurn> as_wholes, by_loads;
  for (const ProgrammeColumn& column : programme_.columns()) {
    TimedWay way = ways_.way(column.tag);
    if (way.latency_s >= first.seconds) continue;
    WayInTurn whole{.commodity = way.commodity, .latency_s = way.latency_s, .loads = {}};
    for (const RowLoad& load : column.loads) whole.loads.push_back({load.row, load.amount, 0, way.latency_s});
    as_wholes.push_back(std::move(whole));
    if (commodities_.kind != WayKind::paths) by_loads.push_back({way.commodity, way.latency_s, ways_.timed_loads(way)});
    found.push_back(std::move(way));
  }
  std::vector<Fluid> all;
  for (const std::vector<WayInTurn>* ways : {&as_wholes, &by_loads})
    for (const Turns& turns : in_turns(*ways, ways_.capacity(), demands(commodities_), first.seconds, kThrift)) {
      Fluid& fluid = all.emplace_back();
      fluid.seconds = turns.horizon_s;
      fluid.rate_per_s = first.rate_per_s;
      fluid.for_lines = ways == &by_loads;
      for (std::size_t i = 0; i < found.size(); ++i)
        if (const double bytes = turns.bytes[i]; bytes > 0)
          fluid.ways.push_back({found[i], bytes / (turns.horizon_s - found[i].latency_s), bytes});
      drop_slivers(fluid, commodities_, kSliver);
    }
  return all;
}

double PackingSolver::first_horizon_s(const Fluid& at_rates, double rate_per_s) const {
  constexpr double kAboveLeast = 1.3;
  const double far_s = std::max(at_rates.seconds, 2 * slowest_used_s(at_rates));
  if (!ways_.has_halves()) return far_s;
  return std::min(far_s, kAboveLeast * (ways_.quickest_s() + 1 / rate_per_s));
}

Fluid PackingSolver::with_horizon(double horizon_s, double thrift) {
  Fluid best;
  double tolerance = tolerances_.first_shares;
  for (int i = 0; i < max_horizons_; ++i) {
    // What is done once in a horizon is a theta of 1 / horizon.
    programme_.set_thrift(thrift / horizon_s / static_cast<double>(ways_.capacity().size()));
    Fluid found = fluid_of(solve_at(horizon_s, tolerance));
    if (found.ways.empty()) break;
    const double end_s = found.seconds;
    if (best.ways.empty() || end_s < best.seconds) best = std::move(found);
    if (tolerance == tolerances_.shares && i > 0 && end_s > horizon_s * (1 - tolerances_.horizon)) break;
    if (end_s > kNearHorizon * horizon_s) tolerance = tolerances_.shares;
    horizon_s = end_s;
  }
  return best;
}

ProgrammeSolution PackingSolver::solve_at(double horizon_s, double tolerance) {
  for (std::size_t j = 0; j < programme_.columns().size(); ++j)
    programme_.set_gain(static_cast<int>(j), ways_.gain(programme_.columns()[j].tag, horizon_s));
  const auto price = [&](const ProgrammePrices& prices) {
    return only_seeds_ ? std::vector<ProgrammeColumn>{} : ways_.price(prices, horizon_s);
  };
  ProgrammeSolution solution =
      programme_.solve(price, {.rounds = max_rounds_, .tolerance = tolerance, .midway = ways_.has_halves()});
  finished_ = finished_ && solution.finished;
  return solution;
}

Fluid PackingSolver::fluid_of(const ProgrammeSolution& solution) const {
  Fluid fluid;
  for (std::size_t j = 0; j < solution.amounts.size(); ++j)
    if (solution.amounts[j] > 0) fluid.ways.push_back({ways_.way(programme_.columns()[j].tag), solution.amounts[j], 0});
  if (ways_.has_halves()) join_halves(fluid);
  set_end(fluid, commodities_);
  return fluid;
}

void PackingSolver::without_slivers(Fluid& fluid) const {
  if (programme_.approximates()) {
    keep_main_ways(fluid, kSliverOfMany / 3);
    keep_main_ways(fluid, kSliverOfMany);
    return;
  }
  const std::size_t before = fluid.ways.size();
  drop_slivers(fluid, commodities_, kSliver);
  if (fluid.ways.size() == before) return;
  Fluid again = among(used_ways(fluid), fluid.seconds);
  again.rate_per_s = fluid.rate_per_s;
  drop_slivers(again, commodities_, kSliver);
  fluid = std::move(again);
}

Fluid PackingSolver::among(const std::vector<TimedWay>& given, double horizon_s) const {
  PackingProgramme programme(ways_.capacity(), demands(commodities_));
  SiteWays ways(rows_, commodities_);
  for (const TimedWay& way : given) programme.add(ways.column_of(way.way, way.commodity, horizon_s));
  const ProgrammeSolution solution =
      programme.solve([](const ProgrammePrices&) { return std::vector<ProgrammeColumn>{}; });
  Fluid fluid;
  for (std::size_t j = 0; j < solution.amounts.size(); ++j)
    if (solution.amounts[j] > 0) fluid.ways.push_back({ways.way(programme.columns()[j].tag), solution.amounts[j], 0});
  set_end(fluid, commodities_);
  return fluid;
}

void PackingSolver::keep_main_ways(Fluid& fluid, double sliver) const {
  drop_slivers(fluid, commodities_, sliver);
  PackingProgramme rest(ways_.capacity(), demands(commodities_));
  SiteWays ways(rows_, commodities_);
  std::vector<ProgrammeColumn> kept;
  for (const FluidWay& used : fluid.ways)
    kept.push_back(ways.column_of(used.timed.way, used.timed.commodity, fluid.seconds));
  const ProgrammeSolution solution = rest.solve([&](const ProgrammePrices& prices) { return cheapest(kept, prices); });
  Fluid again;
  again.rate_per_s = solution.theta;
  for (std::size_t j = 0; j < solution.amounts.size(); ++j)
    if (solution.amounts[j] > 0) again.ways.push_back({ways.way(rest.columns()[j].tag), solution.amounts[j], 0});
  set_end(again, commodities_);
  fluid = std::move(again);
}

std::vector<ProgrammeColumn> PackingSolver::cheapest(const std::vector<ProgrammeColumn>& all,
                                                     const ProgrammePrices& prices) const {
  std::vector<std::pair<double, const ProgrammeColumn*>> best(commodities_.list.size());
  for (const ProgrammeColumn& column : all) {
    if (column.gain <= 0) continue;
    double cost = 0;
    for (const RowLoad& load : column.loads) cost += prices.row[load.row] * load.amount;
    auto& [least, of_least] = best[column.commodity];
    if (of_least != nullptr && cost / column.gain >= least) continue;
    least = cost / column.gain;
    of_least = &column;
  }
  std::vector<ProgrammeColumn> found;
  for (const auto& [least, column] : best)
    if (column != nullptr) found.push_back(*column);
  return found;
}

}  // namespace isthmus
