#include "algorithms/synthesis/piece_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "algorithms/process/side_by_side.hpp"
#include "algorithms/synthesis/reach.hpp"
#include "algorithms/synthesis/site_order.hpp"
#include "algorithms/synthesis/site_rows.hpp"
#include "algorithms/synthesis/site_ways.hpp"
#include "algorithms/synthesis/thinning.hpp"

namespace isthmus {
namespace {

/// Of other solutions that are worth a replay: few ways, which lose some rate, and many.
constexpr double kOtherThrifts[] = {0.5, 1.5, 0.005, 0.15, 4, 0, 0.25, 1, 2.5};
/// Between more sites the programme of ways that take turns has too many rows.
constexpr int kMaxSitesInTurns = 8;
/// Of those of an allreduce whose trees out begin when the trees in are done, or nearly; which is tried from so much
/// on.
constexpr double kPhasedThrifts[] = {0.05, 0.5};
constexpr double kMinBothFill = 1.1;

/// The trees in use links for a while, those out for as long, but a tree's height later.
double both_fill(const Fluid& fluid) {
  double bytes = 0, heights = 0;
  for (const FluidWay& used : fluid.ways) {
    bytes += used.bytes;
    heights += used.bytes * used.timed.latency_s / 2;
  }
  const double height_s = heights / bytes, while_s = fluid.seconds - 2 * height_s;
  return while_s > 0 ? 1 + std::min(1.0, height_s / while_s) : 2;
}

/// From any site over another to a third.
double least_relayed_s(const EdgeTable& hop_s) {
  double least_s = std::numeric_limits<double>::infinity();
  for (int over = 0; over < hop_s.nodes; ++over)
    for (int from = 0; from < hop_s.nodes; ++from)
      for (int to = 0; to < hop_s.nodes; ++to)
        if (from != over && to != over && from != to)
          least_s = std::min(least_s, hop_s.at(from, over) + hop_s.at(over, to));
  return least_s;
}

}  // namespace

PieceSearch::PieceSearch(const SiteNetwork& network, const Commodities& commodities)
    : order_(sorted_sites(network, commodities)),
      network_(network.renumbered(order_)),
      commodities_(renumbered(commodities, order_)) {
  require_reach(network, commodities);
  // The pairs of an alltoall fill every edge; what they cost does not grow with the edges.
  if (commodities_.list.size() > 2 * static_cast<std::size_t>(network.size()) || !needs_thinning(network)) return;
  cut_rate_per_s_ = cut_rate_per_s(network_, commodities_);
  network_ = thinned(network_, commodities_.root < 0 ? 0 : network_.site_of(commodities_.root));
}

PieceSearch::PieceSearch(const SiteNetwork& network, const Commodities& commodities, const std::vector<TimedWay>& known)
    : PieceSearch(network, commodities) {
  known_ = &known;
}

const Fluid& PieceSearch::at(std::int64_t piece_bytes) {
  Found& found = found_[piece_bytes];
  if (found.solver) return found.fluid;
  found.solver = std::make_unique<PackingSolver>(network_, commodities_,
                                                 std::min(static_cast<double>(piece_bytes), commodities_.block_bytes));
  if (!exact_) found.solver->leave_out_exact_search();
  if (known_ != nullptr) {
    found.solver->seed(*known_);
    found.solver->keep_to_seeds();
  } else if (last_ != nullptr) {
    found.solver->seed(used_ways(*last_));
  }
  found.fluid = found.solver->solve();
  last_ = &found.fluid;
  return found.fluid;
}

double PieceSearch::least_s(double enough_s) {
  const LeastTimes least = least_times();
  if (least.last_s > enough_s || is_thin()) return least.last_s;
  return std::max(least.last_s, least.first_s + least_rates_s());
}

PieceSearch::LeastTimes PieceSearch::least_times() const {
  if (is_thin()) return {};
  const SiteRows smallest(network_, commodities_.root, commodities_.reduces, 1);
  const std::vector<double> latencies_s = SiteWays(smallest, commodities_).least_latencies_s();
  return {std::ranges::min(latencies_s), std::ranges::max(latencies_s), least_relayed_s(smallest.hop(TreeUse::out))};
}

double PieceSearch::least_rates_s() const {
  return is_thin() ? 0 : PackingSolver(network_, commodities_, commodities_.block_bytes).least_s();
}

std::vector<Synthesis> PieceSearch::several(std::int64_t piece_bytes) {
  const Fluid first = at(piece_bytes);
  std::vector<Fluid> of_thrifts, of_programmes;
  side_by_side(2, [&](std::size_t one) {
    if (one == 0)
      of_thrifts = with_other_thrifts(first, *found_.at(piece_bytes).solver);
    else
      of_programmes = of_other_programmes(first, std::min(static_cast<double>(piece_bytes), commodities_.block_bytes));
  });
  std::vector<Synthesis> all{synthesis_of(first, piece_bytes)};
  for (const Fluid& fluid : of_thrifts) add_other(fluid, piece_bytes, all);
  for (const Fluid& fluid : of_programmes) add_other(fluid, piece_bytes, all);
  return all;
}

std::vector<Fluid> PieceSearch::with_other_thrifts(const Fluid& first, PackingSolver& solver) const {
  std::vector<Fluid> others;
  for (const double thrift : kOtherThrifts) others.push_back(solver.solve_again(first, thrift));
  if (network_.size() <= kMaxSitesInTurns)
    for (Fluid& fluid : solver.taking_turns(first)) others.push_back(std::move(fluid));
  if (commodities_.kind == WayKind::trees_out || commodities_.kind == WayKind::trees_in)
    others.push_back(solver.relayed_once(first));
  return others;
}

std::vector<Fluid> PieceSearch::of_other_programmes(const Fluid& first, double piece_bytes) const {
  std::vector<Fluid> others;
  if (SiteRows::acknowledgements_matter(network_)) {
    Commodities acknowledged = commodities_;
    acknowledged.acknowledged = true;
    PackingSolver solver(network_, acknowledged, piece_bytes);
    solver.seed(used_ways(first));
    others.push_back(solver.solve());
  }
  if (commodities_.kind != WayKind::trees_both) return others;
  Commodities phased = commodities_;
  phased.both_fill = both_fill(first);
  if (phased.both_fill < kMinBothFill) return others;
  PackingSolver solver(network_, phased, piece_bytes);
  solver.seed(used_ways(first));
  for (const double thrift : kPhasedThrifts) others.push_back(solver.solve_again(first, thrift));
  return others;
}

void PieceSearch::add_other(const Fluid& fluid, std::int64_t piece_bytes, std::vector<Synthesis>& all) const {
  if (fluid.ways.empty()) return;
  Synthesis other = synthesis_of(fluid, piece_bytes);
  const auto is_same = [&](const Synthesis& one) { return one.packing == other.packing; };
  if (std::none_of(all.begin(), all.end(), is_same)) all.push_back(std::move(other));
}

Synthesis PieceSearch::synthesis_of(const Fluid& fluid, std::int64_t piece_bytes) const {
  Synthesis result;
  const SiteRows rows(network_, commodities_.root, commodities_.reduces,
                      std::min(static_cast<double>(piece_bytes), commodities_.block_bytes));
  result.packing = with_former_numbers(packing_of(fluid, commodities_, network_, rows), commodities_.kind, order_);
  result.packing.for_lines = fluid.for_lines;
  result.piece_bytes = piece_bytes;
  result.seconds = fluid.seconds + (commodities_.chained ? chain_s(fluid) : 0);
  result.rate_per_s = fluid.rate_per_s;
  result.finished = fluid.finished;
  if (is_thin()) result.loss = std::max(0.0, 1 - fluid.rate_per_s / cut_rate_per_s_);
  return result;
}

double PieceSearch::chain_s(const Fluid& fluid) const {
  std::vector<double> latency_s(commodities_.list.size(), 0);
  for (const FluidWay& used : fluid.ways)
    latency_s[used.timed.commodity] = std::max(latency_s[used.timed.commodity], used.timed.latency_s);
  return std::accumulate(latency_s.begin(), latency_s.end(), 0.0) - std::ranges::max(latency_s);
}

double PieceSearch::in_pieces_s(std::span<const Fluid> like, std::int64_t piece_bytes) const {
  const SiteRows rows(network_, commodities_.root, commodities_.reduces, static_cast<double>(piece_bytes));
  const SiteWays ways(rows, commodities_);
  double least_s = std::numeric_limits<double>::infinity();
  for (const Fluid& shares : like) least_s = std::min(least_s, same_shares_s(shares, rows, ways));
  return least_s;
}

double PieceSearch::same_shares_s(const Fluid& shares, const SiteRows& rows, const SiteWays& ways) const {
  Fluid fluid;
  std::vector<double> filled(rows.capacity().size());
  for (const FluidWay& used : shares.ways) {
    const SiteWays::Measured found = ways.measured(used.timed.way, used.timed.commodity);
    for (const RowLoad& load : found.loads) filled[load.row] += used.rate_Bps * load.amount;
    fluid.ways.push_back({{.way = {}, .commodity = used.timed.commodity, .latency_s = found.latency_s}, used.rate_Bps});
  }
  double fullest = 0;
  for (std::size_t row = 0; row < filled.size(); ++row) fullest = std::max(fullest, filled[row] / rows.capacity()[row]);
  for (FluidWay& way : fluid.ways) way.rate_Bps /= fullest;
  set_end(fluid, commodities_);
  return fluid.seconds;
}

std::int64_t PieceSearch::good_piece() {
  const std::vector<std::int64_t> sizes = piece_sizes();
  return good_of(sizes, [&](std::int64_t size) { return at(size).seconds; });
}

std::int64_t PieceSearch::good_piece_by_shares() {
  const std::vector<std::int64_t> sizes = piece_sizes();
  return good_piece_by_shares({&at(sizes[sizes.size() / 2]), 1});
}

std::int64_t PieceSearch::good_piece_by_shares(std::span<const Fluid> like) const {
  return good_of(piece_sizes(), [&](std::int64_t size) { return in_pieces_s(like, size); });
}

std::vector<std::int64_t> PieceSearch::piece_sizes() const {
  constexpr double kMinPieceBytes = 1024;
  constexpr int kMaxHalvings = 10;
  std::vector<std::int64_t> sizes;
  for (int i = 0; i <= kMaxHalvings; ++i) {
    const double bytes = std::ceil(std::ldexp(commodities_.block_bytes, -i));
    if (i > 0 && bytes < kMinPieceBytes) break;
    sizes.push_back(static_cast<std::int64_t>(bytes));
  }
  return sizes;
}

template <typename SecondsOf>
std::int64_t PieceSearch::good_of(const std::vector<std::int64_t>& sizes, const SecondsOf& seconds_of) const {
  constexpr double kSlack = 1.015;  // the forecast of larger pieces may be so much longer
  constexpr int kStride = 4;        // of the first look at sizes
  if (sizes.size() == 1) return sizes.front();
  // The forecast falls with the filling of the pipeline, then rises with headers and overheads.
  int best = static_cast<int>(sizes.size()) - 1;
  double best_s = seconds_of(sizes[best]);
  for (int i = best - kStride; i >= 0; i -= kStride)
    if (const double seconds = seconds_of(sizes[i]); seconds < best_s) {
      best = i;
      best_s = seconds;
    }
  int low = 0, high = best;
  if (network_.size() > kManySites) low = high;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (seconds_of(sizes[middle]) <= kSlack * best_s)
      high = middle;
    else
      low = middle + 1;
  }
  return sizes[low];
}

}  // namespace isthmus
