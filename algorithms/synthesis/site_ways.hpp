// Ways through a site network as columns of the linear programme: priced by cheapest arborescences and shortest paths.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "algorithms/collective/packing.hpp"
#include "algorithms/synthesis/commodities.hpp"
#include "algorithms/synthesis/site_rows.hpp"
#include "algorithms/ways/packing_programme.hpp"

namespace isthmus {

/// A way that carries a bytes/s until the end T moves a (T - latency_s) bytes: latency_s is what one piece takes over
/// the whole way, so that the filling of the pipeline counts.
struct TimedWay {
  Way way;
  int commodity = 0;
  double latency_s = 0;
};

/// Pieces of one size. `rows` and `commodities` must outlive it. Not for several threads at once.
class SiteWays {
 public:
  static constexpr double kNoHorizon = std::numeric_limits<double>::infinity();

  SiteWays(const SiteRows& rows, const Commodities& commodities);

  /// Of the rows of the programme: those of `rows`; where trees in and out fill them one after the other, the rows that
  /// both share, then those of the trees in alone, and of the trees out.
  std::vector<double> capacity() const;

  /// Columns of reduced cost near the least, with tags that number the ways. Exact without a horizon. With one, the
  /// gain of a way is 1 - latency / horizon: trees are found by a heuristic, and where that has none left, between few
  /// sites, by branch and bound, which takes most of the time.
  std::vector<ProgrammeColumn> price(const ProgrammePrices& prices, double horizon_s);
  void price_by_heuristic_alone() { exact_steps_left_ = 0; }
  /// What one piece takes over a way that was found for pieces of another size, and what a byte takes from the rows.
  struct Measured {
    double latency_s = 0;
    std::vector<RowLoad> loads;
  };
  Measured measured(const Way& way, int commodity) const;
  /// The column of such a way; of an allreduce for both halves together.
  ProgrammeColumn column_of(Way way, int commodity, double horizon_s);
  /// The same, by halves where the programme has these.
  std::vector<ProgrammeColumn> columns_of(Way way, int commodity, double horizon_s);
  /// Whether trees in and trees out are columns by themselves: those of an allreduce between many sites, whose pairs
  /// would be far more.
  bool has_halves() const;

  /// The trees of each commodity in which all sites but one are reached over that one, and that in which all are
  /// reached straight: those between which broadcast/multipath divides a message (Barnett et al. 1994), in equal parts.
  std::vector<TimedWay> relayed_once();

  /// For each commodity what no way of it falls below.
  std::vector<double> least_latencies_s() const;

  /// The latency of an allreduce's quickest way in which no site's members stand apart.
  double quickest_s() const;

  TimedWay way(int tag) const;
  /// What a byte of a way along trees takes from the rows, and when.
  std::vector<TimedLoad> timed_loads(const TimedWay& timed) const;
  double gain(int tag, double horizon_s) const;

 private:
  struct Half {
    double value = 0;
    bool helped = false;
    Parents tree;
    std::vector<int> apart;
    double seconds = -1;  // of one piece; less than 0: it and the loads are not known yet
    std::vector<RowLoad> loads = {};
  };

  std::vector<Half> halves(const SiteRows::Prices& prices, int origin, double weight, TreeUse use) const;
  /// One tree of least value, if that is less than `below`; else none.
  std::vector<Half> better_half(const SiteRows::Prices& prices, int origin, double weight, TreeUse use, double below,
                                int& steps) const;
  ProgrammeColumn path_column(std::span<const int> sites, int commodity, double horizon_s);
  double path_s(std::span<const int> sites) const;
  ProgrammeColumn add(TimedWay way, std::vector<RowLoad> loads, double horizon_s);
  ProgrammeColumn half_column(Parents tree, std::vector<int> apart, TreeUse use, double horizon_s);
  double latency_s(const Way& way) const;
  std::vector<RowLoad> path_loads(std::span<const int> sites, int commodity) const;
  /// Where sums of an allreduce are made: everywhere, or in large networks at the sites in the middle.
  const std::vector<int>& roots() const;
  /// From a site to all others, or from these to it, if each took the shortest path.
  double farthest_from_s(TreeUse use, int site) const;
  std::vector<RowLoad> loads(const Way& way) const;
  /// Of a tree in and a tree out.
  std::vector<RowLoad> loads_of_both(const std::vector<RowLoad>& in, const std::vector<RowLoad>& out) const;
  std::vector<RowLoad> half_loads(const std::vector<RowLoad>& loads, TreeUse use) const;
  std::vector<double> weights_of(const std::vector<double>& worth, double horizon_s) const;
  std::vector<ProgrammeColumn> price_trees(const ProgrammePrices& prices, const std::vector<double>& weights,
                                           double horizon_s);
  std::vector<ProgrammeColumn> price_paths(const ProgrammePrices& prices, const std::vector<double>& weights,
                                           double horizon_s);
  /// So many that they are priced with one worth of time for all.
  bool has_many_paths() const;
  std::vector<ProgrammeColumn> price_pairs(const ProgrammePrices& prices, double weight, double horizon_s);
  std::vector<ProgrammeColumn> price_halves(const ProgrammePrices& prices, double weight, double horizon_s);
  bool is_tree_in(const Way& way) const { return has_halves() && way.back.empty(); }
  bool is_tree_out(const Way& way) const { return has_halves() && way.sites.empty(); }
  bool is_path() const { return commodities_.kind == WayKind::paths; }
  bool has_phases() const { return commodities_.both_fill > 1; }
  /// The prices for trees in, or out.
  SiteRows::Prices price_for(const std::vector<double>& price, TreeUse use) const;
  double tree_s(const Parents& tree, const std::vector<int>& apart, bool helped, TreeUse use) const;

  const SiteRows& rows_;
  const Commodities& commodities_;
  mutable std::vector<int> roots_;  // allreduce; empty until they are asked for
  std::vector<TimedWay> ways_;      // trees
  struct TimedPath {
    double latency_s = 0;
    int commodity = 0;
    std::uint32_t begin = 0, end = 0;  // of its sites in path_sites_
  };
  std::vector<TimedPath> paths_;  // very many between many sites
  std::vector<int> path_sites_;
  int exact_steps_left_;  // of branch and bound
};

}  // namespace isthmus
