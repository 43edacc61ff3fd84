#include "algorithms/synthesis/synthesis.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "algorithms/errors.hpp"
#include "algorithms/process/side_by_side.hpp"
#include "algorithms/synthesis/commodities.hpp"
#include "algorithms/synthesis/reach.hpp"
#include "algorithms/synthesis/shares.hpp"
#include "algorithms/synthesis/site_order.hpp"
#include "algorithms/synthesis/site_rows.hpp"
#include "algorithms/synthesis/site_ways.hpp"
#include "algorithms/synthesis/thinning.hpp"

namespace isthmus {
namespace {

constexpr int kMaxHorizons = 12;

/// How near optima are taken for good: the rates alone, the shares while horizons are far off and when they are near,
/// the horizon.
struct Tolerances {
  double rates, first_shares, shares, horizon;
};
/// The share of the objective that would be lost if all rows were full: of many solutions that are about as good the
/// one that uses least of the links is taken, whatever the last digits of their rates.
constexpr double kThrift = 0.05;
/// Of other solutions that are worth a replay: few ways, which lose some rate, and many.
constexpr double kOtherThrifts[] = {0.5, 1.5, 0.005, 0.15, 4, 0, 0.25, 1, 2.5};
/// Of those of an allreduce whose trees out begin when the trees in are done, or nearly; which is tried from so much
/// on.
constexpr double kPhasedThrifts[] = {0.05, 0.5};
constexpr double kMinBothFill = 1.1;
/// Rates without thrift have to be quicker by so much.
constexpr double kWorthNoThrift = 1.02;
/// A horizon is near if what it gives ends after this share of it.
constexpr double kNearHorizon = 0.8;
constexpr int kExactSites = 8, kManySites = 16;
constexpr int kMaxRounds = 150, kMaxRoundsOfPairs = 30, kFewHorizons = 3;  // with more than these
Tolerances tolerances_for(int sites, WayKind kind) {
  if (sites <= kExactSites) return {1e-9, 5e-4, 5e-4, 1e-3};
  if (sites <= kManySites && kind != WayKind::trees_both) return {2e-3, 2e-2, 5e-3, 3e-3};
  if (sites <= kManySites) return {1e-2, 2e-1, 3e-2, 1e-2};
  return {1e-2, 5e-2, 2e-2, 5e-3};
}

std::vector<TimedWay> used_ways(const Fluid& fluid) {
  std::vector<TimedWay> ways;
  for (const FluidWay& used : fluid.ways) ways.push_back(used.timed);
  return ways;
}

/// Synthesis for pieces of one size.
class Solver {
 public:
  Solver(const SiteNetwork& network, const Commodities& commodities, double piece_bytes)
      : commodities_(commodities),
        rows_(network, commodities.root, commodities.reduces, piece_bytes, commodities.acknowledged),
        ways_(rows_, commodities),
        programme_(ways_.capacity(), demands(commodities), ways_.has_halves() ? network.size() : 0),
        tolerances_(tolerances_for(network.size(), commodities.kind)) {
    if (network.size() <= kManySites) return;
    max_rounds_ = commodities.kind == WayKind::trees_both ? kMaxRoundsOfPairs : kMaxRounds;
    max_horizons_ = programme_.approximates() ? 1 : kFewHorizons;
  }

  /// Ways that were good for pieces of another size.
  void seed(const std::vector<TimedWay>& known) {
    for (const TimedWay& way : known)
      for (ProgrammeColumn& column : ways_.columns_of(way.way, way.commodity, SiteWays::kNoHorizon))
        programme_.add(std::move(column));
  }

  Fluid solve() {
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

  /// What the rates alone take at least.
  double least_s() {
    constexpr double tolerance = 0.02;
    return 1 / solve_at(SiteWays::kNoHorizon, tolerance).bound;
  }

  /// From where solve() ended, with another thrift.
  Fluid solve_again(const Fluid& first, double thrift) {
    Fluid other = with_horizon(first.seconds, thrift);
    other.rate_per_s = first.rate_per_s;
    if (!other.ways.empty()) without_slivers(other);
    return other;
  }

  /// Along trees with one relay each: few ways, and short ones.
  Fluid relayed_once(const Fluid& first) {
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

 private:
  static std::vector<double> demands(const Commodities& commodities) {
    std::vector<double> bytes;
    for (const Commodity& commodity : commodities.list) bytes.push_back(commodity.bytes);
    return bytes;
  }

  /// Ways that are good without a horizon have long latencies. Between many sites, where every step takes long, the
  /// first one is a little more than the end can be at least.
  double first_horizon_s(const Fluid& at_rates, double rate_per_s) const {
    constexpr double kAboveLeast = 1.3;
    const double far_s = std::max(at_rates.seconds, 2 * slowest_used_s(at_rates));
    if (!ways_.has_halves()) return far_s;
    return std::min(far_s, kAboveLeast * (ways_.quickest_s() + 1 / rate_per_s));
  }

  /// Newton's steps from a first horizon.
  Fluid with_horizon(double horizon_s, double thrift) {
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

  ProgrammeSolution solve_at(double horizon_s, double tolerance) {
    for (std::size_t j = 0; j < programme_.columns().size(); ++j)
      programme_.set_gain(static_cast<int>(j), ways_.gain(programme_.columns()[j].tag, horizon_s));
    ProgrammeSolution solution =
        programme_.solve([&](const ProgrammePrices& prices) { return ways_.price(prices, horizon_s); },
                         {.rounds = max_rounds_, .tolerance = tolerance, .midway = ways_.has_halves()});
    finished_ = finished_ && solution.finished;
    return solution;
  }

  Fluid fluid_of(const ProgrammeSolution& solution) const {
    Fluid fluid;
    for (std::size_t j = 0; j < solution.amounts.size(); ++j)
      if (solution.amounts[j] > 0)
        fluid.ways.push_back({ways_.way(programme_.columns()[j].tag), solution.amounts[j], 0});
    if (ways_.has_halves()) join_halves(fluid);
    set_end(fluid, commodities_);
    return fluid;
  }

  static double slowest_used_s(const Fluid& fluid) {
    double slowest_s = 0;
    for (const FluidWay& used : fluid.ways) slowest_s = std::max(slowest_s, used.timed.latency_s);
    return slowest_s;
  }

  /// Leaves out ways that are not worth their messages, and lets the others take their rates.
  void without_slivers(Fluid& fluid) const {
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

  /// What these ways alone can do within a horizon.
  Fluid among(const std::vector<TimedWay>& given, double horizon_s) const {
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

  /// Of very many ways each commodity keeps the main ones, which share its bytes anew.
  void keep_main_ways(Fluid& fluid, double sliver) const {
    drop_slivers(fluid, commodities_, sliver);
    PackingProgramme rest(ways_.capacity(), demands(commodities_));
    SiteWays ways(rows_, commodities_);
    std::vector<ProgrammeColumn> kept;
    for (const FluidWay& used : fluid.ways)
      kept.push_back(ways.column_of(used.timed.way, used.timed.commodity, fluid.seconds));
    const ProgrammeSolution solution =
        rest.solve([&](const ProgrammePrices& prices) { return cheapest(kept, prices); });
    Fluid again;
    again.rate_per_s = solution.theta;
    for (std::size_t j = 0; j < solution.amounts.size(); ++j)
      if (solution.amounts[j] > 0) again.ways.push_back({ways.way(rest.columns()[j].tag), solution.amounts[j], 0});
    set_end(again, commodities_);
    fluid = std::move(again);
  }

  /// The cheapest column of each commodity, for what it gains.
  std::vector<ProgrammeColumn> cheapest(const std::vector<ProgrammeColumn>& all, const ProgrammePrices& prices) const {
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

  const Commodities& commodities_;
  SiteRows rows_;
  SiteWays ways_;
  PackingProgramme programme_;
  Tolerances tolerances_;
  int max_rounds_ = ProgrammeBudget{}.rounds;  // of pricing for each horizon
  int max_horizons_ = kMaxHorizons;
  bool finished_ = true;
};

/// Keeps what is found for each size of pieces.
class PieceSearch {
 public:
  PieceSearch(const SiteNetwork& network, const Commodities& commodities)
      : order_(sorted_sites(network, commodities)),
        network_(network.renumbered(order_)),
        commodities_(renumbered(commodities, order_)) {
    require_reach(network, commodities);
    // The pairs of an alltoall fill every edge; what they cost does not grow with the edges.
    if (commodities_.list.size() > static_cast<std::size_t>(2 * network.size()) || !needs_thinning(network)) return;
    cut_rate_per_s_ = cut_rate_per_s(network_, commodities_);
    network_ = thinned(network_, commodities_.root < 0 ? 0 : network_.site_of(commodities_.root));
  }

  const Fluid& at(std::int64_t piece_bytes) {
    Found& found = found_[piece_bytes];
    if (found.solver) return found.fluid;
    found.solver = std::make_unique<Solver>(network_, commodities_,
                                            std::min(static_cast<double>(piece_bytes), commodities_.block_bytes));
    if (last_ != nullptr) found.solver->seed(used_ways(*last_));
    found.fluid = found.solver->solve();
    last_ = &found.fluid;
    return found.fluid;
  }

  /// No synthesis takes less: the rates are the greatest of the largest pieces, latencies the shortest of the smallest.
  double least_s(double enough_s) {
    if (is_thin()) return 0;
    const SiteRows smallest(network_, commodities_.root, commodities_.reduces, 1);
    const double latency_s = SiteWays(smallest, commodities_).least_latency_s();
    if (latency_s > enough_s) return latency_s;
    return latency_s + Solver(network_, commodities_, commodities_.block_bytes).least_s();
  }

  Synthesis synthesis(std::int64_t piece_bytes) { return synthesis_of(at(piece_bytes), piece_bytes); }

  /// That, and others; none twice.
  std::vector<Synthesis> several(std::int64_t piece_bytes) {
    const Fluid first = at(piece_bytes);
    std::vector<Fluid> of_thrifts, of_programmes;
    side_by_side(2, [&](std::size_t one) {
      if (one == 0)
        of_thrifts = with_other_thrifts(first, *found_.at(piece_bytes).solver);
      else
        of_programmes =
            of_other_programmes(first, std::min(static_cast<double>(piece_bytes), commodities_.block_bytes));
    });
    std::vector<Synthesis> all{synthesis_of(first, piece_bytes)};
    for (const Fluid& fluid : of_thrifts) add_other(fluid, piece_bytes, all);
    for (const Fluid& fluid : of_programmes) add_other(fluid, piece_bytes, all);
    return all;
  }

  double block_bytes() const { return commodities_.block_bytes; }
  bool is_thin() const { return cut_rate_per_s_ > 0; }

 private:
  struct Found {
    std::unique_ptr<Solver> solver;
    Fluid fluid;
  };

  std::vector<Fluid> with_other_thrifts(const Fluid& first, Solver& solver) const {
    std::vector<Fluid> others;
    for (const double thrift : kOtherThrifts) others.push_back(solver.solve_again(first, thrift));
    if (commodities_.kind == WayKind::trees_out || commodities_.kind == WayKind::trees_in)
      others.push_back(solver.relayed_once(first));
    return others;
  }

  /// With room for acknowledgements; of an allreduce, with trees in and out that do not fill links at the same time.
  std::vector<Fluid> of_other_programmes(const Fluid& first, double piece_bytes) const {
    std::vector<Fluid> others;
    if (SiteRows::acknowledgements_matter(network_)) {
      Commodities acknowledged = commodities_;
      acknowledged.acknowledged = true;
      Solver solver(network_, acknowledged, piece_bytes);
      solver.seed(used_ways(first));
      others.push_back(solver.solve());
    }
    if (commodities_.kind != WayKind::trees_both) return others;
    Commodities phased = commodities_;
    phased.both_fill = both_fill(first);
    if (phased.both_fill < kMinBothFill) return others;
    Solver solver(network_, phased, piece_bytes);
    solver.seed(used_ways(first));
    for (const double thrift : kPhasedThrifts) others.push_back(solver.solve_again(first, thrift));
    return others;
  }

  void add_other(const Fluid& fluid, std::int64_t piece_bytes, std::vector<Synthesis>& all) const {
    if (fluid.ways.empty()) return;
    Synthesis other = synthesis_of(fluid, piece_bytes);
    const auto is_same = [&](const Synthesis& one) { return one.packing == other.packing; };
    if (std::none_of(all.begin(), all.end(), is_same)) all.push_back(std::move(other));
  }

  /// The trees in use links for a while, those out for as long, but a tree's height later.
  static double both_fill(const Fluid& fluid) {
    double bytes = 0, heights = 0;
    for (const FluidWay& used : fluid.ways) {
      bytes += used.bytes;
      heights += used.bytes * used.timed.latency_s / 2;
    }
    const double height_s = heights / bytes, while_s = fluid.seconds - 2 * height_s;
    return while_s > 0 ? 1 + std::min(1.0, height_s / while_s) : 2;
  }

  Synthesis synthesis_of(const Fluid& fluid, std::int64_t piece_bytes) const {
    Synthesis result;
    const SiteRows rows(network_, commodities_.root, commodities_.reduces,
                        std::min(static_cast<double>(piece_bytes), commodities_.block_bytes));
    result.packing = with_former_numbers(packing_of(fluid, commodities_, network_, rows), commodities_.kind, order_);
    result.piece_bytes = piece_bytes;
    result.seconds = fluid.seconds + (commodities_.chained ? chain_s(fluid) : 0);
    result.rate_per_s = fluid.rate_per_s;
    result.finished = fluid.finished;
    if (is_thin()) result.loss = std::max(0.0, 1 - fluid.rate_per_s / cut_rate_per_s_);
    return result;
  }

  /// How much later than the first commodity of a chain the last one ends: the latencies of all but one.
  double chain_s(const Fluid& fluid) const {
    std::vector<double> latency_s(commodities_.list.size(), 0);
    for (const FluidWay& used : fluid.ways)
      latency_s[used.timed.commodity] = std::max(latency_s[used.timed.commodity], used.timed.latency_s);
    return std::accumulate(latency_s.begin(), latency_s.end(), 0.0) - std::ranges::max(latency_s);
  }

  std::vector<int> order_;
  SiteNetwork network_;        // its sites sorted; the best edges of many
  double cut_rate_per_s_ = 0;  // of all edges, where only the best are used
  Commodities commodities_;
  std::map<std::int64_t, Found> found_;
  const Fluid* last_ = nullptr;
};

std::int64_t good_piece(PieceSearch& search, const SiteNetwork& network) {
  constexpr double kSlack = 1.015;  // the forecast of larger pieces may be so much longer
  constexpr double kMinPieceBytes = 1024;
  constexpr int kMaxHalvings = 10;
  constexpr int kStride = 4;  // of the first look at sizes
  std::vector<std::int64_t> sizes;
  for (int i = 0; i <= kMaxHalvings; ++i) {
    const double bytes = std::ceil(std::ldexp(search.block_bytes(), -i));
    if (i > 0 && bytes < kMinPieceBytes) break;
    sizes.push_back(static_cast<std::int64_t>(bytes));
  }
  // The forecast falls with the filling of the pipeline, then rises with headers and overheads.
  int best = static_cast<int>(sizes.size()) - 1;
  for (int i = best; i >= 0; i -= kStride)
    if (search.at(sizes[i]).seconds < search.at(sizes[best]).seconds) best = i;
  const double enough_s = kSlack * search.at(sizes[best]).seconds;
  int low = 0, high = best;
  if (network.size() > kManySites) low = high;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (search.at(sizes[middle]).seconds <= enough_s)
      high = middle;
    else
      low = middle + 1;
  }
  return sizes[low];
}

}  // namespace

Synthesis synthesise(const SiteNetwork& network, const Problem& problem, std::int64_t piece_bytes) {
  if (piece_bytes < 1) throw BadInput("pieces of " + std::to_string(piece_bytes) + " bytes; 1 or more would be right");
  return PieceSearch(network, commodities_of(network, problem)).synthesis(piece_bytes);
}

Synthesis synthesise_with_piece(const SiteNetwork& network, const Problem& problem) {
  PieceSearch search(network, commodities_of(network, problem));
  return search.synthesis(good_piece(search, network));
}

double least_synthesis_s(const SiteNetwork& network, const Problem& problem, double enough_s) {
  return PieceSearch(network, commodities_of(network, problem)).least_s(enough_s);
}

double least_exchange_s(const SiteNetwork& network, const Problem& problem, double enough_s) {
  return PieceSearch(network, sums_of_sites(network, problem)).least_s(enough_s);
}

std::vector<Synthesis> synthesise_several(const SiteNetwork& network, const Problem& problem,
                                          std::int64_t piece_bytes) {
  PieceSearch search(network, commodities_of(network, problem));
  return search.several(piece_bytes > 0 ? piece_bytes : good_piece(search, network));
}

Synthesis synthesise_exchange(const SiteNetwork& network, const Problem& problem) {
  PieceSearch search(network, sums_of_sites(network, problem));
  Synthesis result = search.synthesis(good_piece(search, network));
  result.packing.drivers.clear();
  return result;
}

std::vector<Synthesis> synthesise_several_exchanges(const SiteNetwork& network, const Problem& problem) {
  PieceSearch search(network, sums_of_sites(network, problem));
  std::vector<Synthesis> all = search.several(good_piece(search, network));
  for (Synthesis& one : all) one.packing.drivers.clear();
  return all;
}

Synthesis synthesise_bundles(const SiteNetwork& network, const Problem& problem) {
  PieceSearch search(network, bundles_of_sites(network, problem));
  return search.synthesis(static_cast<std::int64_t>(std::ceil(search.block_bytes())));
}

}  // namespace isthmus
