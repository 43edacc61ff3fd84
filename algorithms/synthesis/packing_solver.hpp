// The packing of least time for pieces of one size: Newton's steps for the horizon (synthesis.hpp).
#pragma once

#include <span>
#include <vector>

#include "algorithms/synthesis/commodities.hpp"
#include "algorithms/synthesis/shares.hpp"
#include "algorithms/synthesis/site_network.hpp"
#include "algorithms/synthesis/site_rows.hpp"
#include "algorithms/synthesis/site_ways.hpp"
#include "algorithms/ways/packing_programme.hpp"

namespace isthmus {

/// Between more sites programmes take long: fewer steps are made, and fewer sizes of pieces are tried.
inline constexpr int kManySites = 16;

std::vector<TimedWay> used_ways(const Fluid& fluid);

/// `network` and `commodities` must outlive it.
class PackingSolver {
 public:
  PackingSolver(const SiteNetwork& network, const Commodities& commodities, double piece_bytes);
  PackingSolver(const PackingSolver&) = delete;
  PackingSolver& operator=(const PackingSolver&) = delete;

  /// Ways that were good for pieces of another size.
  void seed(std::span<const TimedWay> known);
  /// Finds trees by heuristics alone: in a third of the time, and mostly the same.
  void leave_out_exact_search() { ways_.price_by_heuristic_alone(); }
  /// Looks for no other ways than those of seed().
  void keep_to_seeds() { only_seeds_ = true; }

  Fluid solve();
  /// What the rates alone take at least.
  double least_s();
  /// From where solve() ended, with another thrift.
  Fluid solve_again(const Fluid& first, double thrift);
  /// Along trees with one relay each: few ways, and short ones.
  Fluid relayed_once(const Fluid& first);
  /// Along ways that were found so far and take turns on the links (algorithms/ways/turns.hpp): as wholes, which suits
  /// pieces that pass on as they come, and of trees each load by itself, which suits pieces in the order of
  /// packed/line_times.hpp. None where trees are columns by halves.
  std::vector<Fluid> taking_turns(const Fluid& first) const;

 private:
  /// How near optima are taken for good: the rates alone, the shares while horizons are far off and when they are near,
  /// the horizon.
  struct Tolerances {
    double rates, first_shares, shares, horizon;
  };
  static Tolerances tolerances_for(int sites, WayKind kind);

  /// Ways that are good without a horizon have long latencies. Between many sites, where every step takes long, the
  /// first one is a little more than the end can be at least.
  double first_horizon_s(const Fluid& at_rates, double rate_per_s) const;
  /// Newton's steps from a first horizon.
  Fluid with_horizon(double horizon_s, double thrift);
  ProgrammeSolution solve_at(double horizon_s, double tolerance);
  Fluid fluid_of(const ProgrammeSolution& solution) const;
  /// Leaves out ways that are not worth their messages, and lets the others take their rates.
  void without_slivers(Fluid& fluid) const;
  /// What these ways alone can do within a horizon.
  Fluid among(const std::vector<TimedWay>& given, double horizon_s) const;
  /// Of very many ways each commodity keeps the main ones, which share its bytes anew.
  void keep_main_ways(Fluid& fluid, double sliver) const;
  /// The cheapest column of each commodity, for what it gains.
  std::vector<ProgrammeColumn> cheapest(const std::vector<ProgrammeColumn>& all, const ProgrammePrices& prices) const;

  const Commodities& commodities_;
  SiteRows rows_;
  SiteWays ways_;
  PackingProgramme programme_;
  Tolerances tolerances_;
  int max_rounds_ = ProgrammeBudget{}.rounds;  // of pricing for each horizon
  int max_horizons_;
  bool only_seeds_ = false;
  bool finished_ = true;
};

}  // namespace isthmus
