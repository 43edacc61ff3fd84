#include "algorithms/synthesis/site_ways.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "algorithms/synthesis/due_times.hpp"
#include "algorithms/ways/least_tree.hpp"

namespace isthmus {
namespace {

constexpr std::size_t kTreesPerRound = 3;  // for a commodity
/// Where the heuristic finds no tree that is better by this share, the search for the best of all has so many steps;
/// and so many in all.
constexpr double kBetter = 1e-3;
constexpr int kExactSteps = 200, kAllExactSteps = 3000;
/// Between more sites that is left out, and for an allreduce fewer trees are looked at.
constexpr int kMaxExactSites = 8;
constexpr std::size_t kHalvesPerRound = 2;  // allreduce of few sites: trees in, and trees out, of each root
/// So many paths are priced with one worth of time for all, which takes one search a site instead of one a pair.
constexpr std::size_t kManyCommodities = 500;
constexpr int kMaxRoots = 16, kMiddleRoots = 4;  // allreduce: of trees
constexpr std::size_t kPairsPerRound = 12;       // allreduce of few sites: of a tree in and a tree out

}  // namespace

SiteWays::SiteWays(const SiteRows& rows, const Commodities& commodities)
    : rows_(rows), commodities_(commodities), exact_steps_left_(kAllExactSteps) {}

const std::vector<int>& SiteWays::roots() const {
  if (!roots_.empty()) return roots_;
  std::vector<std::pair<double, int>> farthest_s;
  for (int s = 0; s < rows_.sites(); ++s)
    farthest_s.push_back({farthest_from_s(TreeUse::out, s) + farthest_from_s(TreeUse::in, s), s});
  if (rows_.sites() > kMaxRoots) std::sort(farthest_s.begin(), farthest_s.end());
  farthest_s.resize(std::min<std::size_t>(farthest_s.size(), rows_.sites() > kMaxRoots ? kMiddleRoots : kMaxRoots));
  for (const auto& [seconds, site] : farthest_s) roots_.push_back(site);
  return roots_;
}

double SiteWays::farthest_from_s(TreeUse use, int site) const {
  return std::ranges::max(shortest_paths(rows_.hop(use), site).distance);
}

std::vector<double> SiteWays::least_latencies_s() const {
  if (commodities_.kind == WayKind::trees_both) {
    double least_s = EdgeTable::kNoEdge;
    for (int s = 0; s < rows_.sites(); ++s)
      least_s = std::min(least_s, farthest_from_s(TreeUse::out, s) + farthest_from_s(TreeUse::in, s));
    return {least_s};
  }
  const EdgeTable& hop = rows_.hop(commodities_.kind == WayKind::trees_in ? TreeUse::in : TreeUse::out);
  std::vector<double> least_s;
  for (const Commodity& commodity : commodities_.list) {
    const std::vector<double> distance_s = shortest_paths(hop, commodity.from).distance;
    double of_all_s = 0;
    for (int s = 0; s < rows_.sites(); ++s) of_all_s = std::max(of_all_s, distance_s[s] + rows_.local_s()[s]);
    least_s.push_back(commodities_.kind == WayKind::paths ? distance_s[commodity.to] : of_all_s);
  }
  return least_s;
}

bool SiteWays::has_halves() const { return commodities_.kind == WayKind::trees_both && rows_.sites() > kMaxExactSites; }

double SiteWays::quickest_s() const {
  double least_s = kNoHorizon;
  for (const int root : roots()) {
    double both_s = 0;
    for (const TreeUse use : {TreeUse::in, TreeUse::out})
      both_s += tree_s(shortest_paths(rows_.hop(use), root).parent, {}, false, use);
    least_s = std::min(least_s, both_s);
  }
  return least_s;
}

double SiteWays::gain(int tag, double horizon_s) const {
  const double lost = (is_path() ? paths_[tag].latency_s : ways_[tag].latency_s) / horizon_s;
  if (!is_path() && is_tree_in(ways_[tag].way)) return -lost;
  if (!is_path() && is_tree_out(ways_[tag].way)) return 1 - lost;
  return std::max(0.0, 1 - lost);
}

TimedWay SiteWays::way(int tag) const {
  if (!is_path()) return ways_[tag];
  const TimedPath& path = paths_[tag];
  TimedWay timed{.way = {}, .commodity = path.commodity, .latency_s = path.latency_s};
  timed.way.sites.assign(path_sites_.begin() + path.begin, path_sites_.begin() + path.end);
  return timed;
}

double SiteWays::tree_s(const Parents& tree, const std::vector<int>& apart, bool helped, TreeUse use) const {
  double seconds = 0;
  if (apart.empty()) {
    seconds = height(tree, rows_.hop(use), rows_.local_s());
  } else {
    std::vector<double> local_s = rows_.local_s();
    for (const int site : apart) local_s[site] = 0;
    seconds = height(tree, rows_.hop(use), local_s);
  }
  for (int s = 0; s < rows_.sites() && helped; ++s)
    if (tree[s] == s) seconds += rows_.local_hop_s(s);
  return seconds;
}

double SiteWays::latency_s(const Way& way) const {
  double seconds = 0;
  switch (commodities_.kind) {
    case WayKind::trees_out:
      seconds = tree_s(way.sites, way.apart, way.helped, TreeUse::out);
      break;
    case WayKind::trees_in:
      seconds = tree_s(way.sites, way.apart, way.helped, TreeUse::in);
      break;
    case WayKind::trees_both:
      seconds =
          tree_s(way.sites, way.apart, false, TreeUse::in) + tree_s(way.back, way.back_apart, false, TreeUse::out);
      break;
    case WayKind::paths:
      break;  // path_s()
  }
  return seconds;
}

double SiteWays::path_s(std::span<const int> sites) const {
  double seconds = 0;
  for (std::size_t i = 1; i < sites.size(); ++i) seconds += rows_.hop(TreeUse::out).at(sites[i - 1], sites[i]);
  return seconds;
}

std::vector<RowLoad> SiteWays::loads(const Way& way) const {
  switch (commodities_.kind) {
    case WayKind::trees_out:
      return rows_.tree_loads(way.sites, way.apart, way.helped, TreeUse::out);
    case WayKind::trees_in:
      return rows_.tree_loads(way.sites, way.apart, way.helped, TreeUse::in);
    case WayKind::trees_both:
      return loads_of_both(rows_.tree_loads(way.sites, way.apart, false, TreeUse::in),
                           rows_.tree_loads(way.back, way.back_apart, false, TreeUse::out));
    case WayKind::paths:
      break;  // path_column()
  }
  return {};
}

std::vector<TimedLoad> SiteWays::timed_loads(const TimedWay& timed) const {
  const Way& way = timed.way;
  if (commodities_.kind == WayKind::trees_out)
    return rows_.timed_tree_loads(way.sites, way.apart, way.helped, TreeUse::out);
  std::vector<TimedLoad> loads = rows_.timed_tree_loads(way.sites, way.apart, way.helped, TreeUse::in);
  if (commodities_.kind == WayKind::trees_in) return loads;
  const double in_s = tree_s(way.sites, way.apart, false, TreeUse::in);
  for (TimedLoad& load : loads) load.tail_s += timed.latency_s - in_s;
  for (TimedLoad load : rows_.timed_tree_loads(way.back, way.back_apart, false, TreeUse::out)) {
    load.head_s += in_s;
    loads.push_back(load);
  }
  return loads;
}

std::vector<RowLoad> SiteWays::loads_of_both(const std::vector<RowLoad>& in, const std::vector<RowLoad>& out) const {
  std::vector<RowLoad> both = SiteRows::sum(in, out);
  if (!has_phases()) return both;
  const auto rows = static_cast<int>(rows_.capacity().size());
  for (const RowLoad& load : in) both.push_back({rows + load.row, load.amount});
  for (const RowLoad& load : out) both.push_back({2 * rows + load.row, load.amount});
  return both;
}

std::vector<RowLoad> SiteWays::half_loads(const std::vector<RowLoad>& loads, TreeUse use) const {
  return use == TreeUse::in ? loads_of_both(loads, {}) : loads_of_both({}, loads);
}

std::vector<double> SiteWays::capacity() const {
  const std::vector<double>& rows = rows_.capacity();
  std::vector<double> all = rows;
  if (!has_phases()) return all;
  for (double& both : all) both *= commodities_.both_fill;
  for (int phase = 0; phase < 2; ++phase) all.insert(all.end(), rows.begin(), rows.end());
  return all;
}

SiteRows::Prices SiteWays::price_for(const std::vector<double>& price, TreeUse use) const {
  if (!has_phases()) return rows_.priced(price);
  const std::size_t rows = rows_.capacity().size(), first = use == TreeUse::in ? rows : 2 * rows;
  std::vector<double> sum(rows);
  for (std::size_t i = 0; i < rows; ++i) sum[i] = price[i] + price[first + i];
  return rows_.priced(std::move(sum));
}

ProgrammeColumn SiteWays::add(TimedWay way, std::vector<RowLoad> loads, double horizon_s) {
  const int tag = static_cast<int>(ways_.size());
  const int commodity = way.commodity;
  ways_.push_back(std::move(way));
  return {.commodity = commodity, .gain = gain(tag, horizon_s), .loads = std::move(loads), .tag = tag};
}

ProgrammeColumn SiteWays::half_column(Parents tree, std::vector<int> apart, TreeUse use, double horizon_s) {
  const double seconds = tree_s(tree, apart, false, use);
  std::vector<RowLoad> loads = half_loads(rows_.tree_loads(tree, apart, false, use), use);
  const int root = root_of(tree);
  Way way = use == TreeUse::in ? Way{.sites = std::move(tree), .back = {}, .apart = std::move(apart)}
                               : Way{.sites = {}, .back = std::move(tree), .back_apart = std::move(apart)};
  ProgrammeColumn column = add({std::move(way), 0, seconds}, std::move(loads), horizon_s);
  column.part = use == TreeUse::in ? ColumnPart::first_half : ColumnPart::second_half;
  column.junction = root;
  return column;
}

std::vector<ProgrammeColumn> SiteWays::columns_of(Way way, int commodity, double horizon_s) {
  std::vector<ProgrammeColumn> columns;
  if (!has_halves()) {
    columns.push_back(column_of(std::move(way), commodity, horizon_s));
  } else {
    columns.push_back(half_column(std::move(way.sites), std::move(way.apart), TreeUse::in, horizon_s));
    columns.push_back(half_column(std::move(way.back), std::move(way.back_apart), TreeUse::out, horizon_s));
  }
  return columns;
}

ProgrammeColumn SiteWays::path_column(std::span<const int> sites, int commodity, double horizon_s) {
  const auto begin = static_cast<std::uint32_t>(path_sites_.size());
  path_sites_.insert(path_sites_.end(), sites.begin(), sites.end());
  paths_.push_back({path_s(sites), commodity, begin, static_cast<std::uint32_t>(path_sites_.size())});
  const auto tag = static_cast<int>(paths_.size() - 1);
  return {commodity, gain(tag, horizon_s), path_loads(sites, commodity), tag};
}

std::vector<RowLoad> SiteWays::path_loads(std::span<const int> sites, int commodity) const {
  const Commodity& served = commodities_.list[commodity];
  return served.from == served.to ? rows_.local_loads(served.from, commodities_.to_root) : rows_.path_loads(sites);
}

SiteWays::Measured SiteWays::measured(const Way& way, int commodity) const {
  if (is_path()) return {path_s(way.sites), path_loads(way.sites, commodity)};
  return {latency_s(way), loads(way)};
}

ProgrammeColumn SiteWays::column_of(Way way, int commodity, double horizon_s) {
  if (is_path()) return path_column(way.sites, commodity, horizon_s);
  Measured found = measured(way, commodity);
  return add({std::move(way), commodity, found.latency_s}, std::move(found.loads), horizon_s);
}

std::vector<TimedWay> SiteWays::relayed_once() {
  const TreeUse use = commodities_.kind == WayKind::trees_in ? TreeUse::in : TreeUse::out;
  const EdgeTable& hop = rows_.hop(use);
  const auto exists = [&](const Parents& tree) {
    for (int v = 0; v < rows_.sites(); ++v)
      if (tree[v] != v && hop.at(tree[v], v) == EdgeTable::kNoEdge) return false;
    return true;
  };
  std::vector<TimedWay> ways;
  for (std::size_t c = 0; c < commodities_.list.size(); ++c) {
    const int root = commodities_.list[c].from;
    for (int relay = 0; relay < rows_.sites(); ++relay) {
      Parents tree(rows_.sites(), relay);
      tree[relay] = root;
      tree[root] = root;
      if (!exists(tree)) continue;
      for (const bool helped : {false, true})
        if (!helped || rows_.can_help(root))
          ways.push_back({{.sites = tree, .back = {}, .helped = helped}, static_cast<int>(c), 0});
    }
  }
  return ways;
}

std::vector<SiteWays::Half> SiteWays::halves(const SiteRows::Prices& prices, int origin, double weight,
                                             TreeUse use) const {
  std::vector<Half> found;
  for (const bool helped : {false, true}) {
    if (helped && !rows_.can_help(origin)) continue;
    const bool may_be_apart = commodities_.kind == WayKind::trees_both;
    const TreeSearch search = has_halves() ? TreeSearch::one_mixture : TreeSearch::four_mixtures;
    const SiteRows::TreeCosts costs = rows_.tree_costs(prices, origin, helped, use, may_be_apart);
    for (PricedTree& tree :
         cheap_and_shallow_trees(costs.edges, rows_.hop(use), rows_.local_s(), origin, weight, search)) {
      std::vector<int> apart;
      for (int v = 0; v < rows_.sites(); ++v)
        if (tree.parent[v] != v && costs.is_apart(tree.parent[v], v)) apart.push_back(v);
      found.push_back({tree.value + costs.fixed, helped, std::move(tree.parent), std::move(apart)});
    }
  }
  std::stable_sort(found.begin(), found.end(), [](const Half& a, const Half& b) { return a.value < b.value; });
  return found;
}

std::vector<SiteWays::Half> SiteWays::better_half(const SiteRows::Prices& prices, int origin, double weight,
                                                  TreeUse use, double below, int& steps) const {
  std::vector<Half> better;
  for (const bool helped : {false, true}) {
    if (helped && !rows_.can_help(origin)) continue;
    const SiteRows::TreeCosts costs = rows_.tree_costs(prices, origin, helped, use, false);
    PricedTree tree =
        least_tree(costs.edges, rows_.hop(use), rows_.local_s(), origin, weight, below - costs.fixed, steps);
    if (tree.parent.empty()) continue;
    below = tree.value + costs.fixed;
    better = {{below, helped, std::move(tree.parent), {}}};
  }
  return better;
}

/// Of an allreduce between few sites: the cheapest pairs of a tree in and a tree out with the same root.
std::vector<ProgrammeColumn> SiteWays::price_pairs(const ProgrammePrices& prices, double weight, double horizon_s) {
  std::vector<Half> in, out;
  struct Pair {
    double value;
    std::size_t in, out;
  };
  std::vector<Pair> pairs;
  const SiteRows::Prices prices_in = price_for(prices.row, TreeUse::in),
                         prices_out = price_for(prices.row, TreeUse::out);
  for (const int origin : roots()) {
    const auto take = [&](TreeUse use, std::vector<Half>& all) {
      const std::size_t first = all.size();
      std::vector<Half> found = halves(use == TreeUse::in ? prices_in : prices_out, origin, weight, use);
      found.resize(std::min(found.size(), kHalvesPerRound));
      std::move(found.begin(), found.end(), std::back_inserter(all));
      return first;
    };
    const std::size_t first_in = take(TreeUse::in, in), first_out = take(TreeUse::out, out);
    for (std::size_t i = first_in; i < in.size(); ++i)
      for (std::size_t o = first_out; o < out.size(); ++o) pairs.push_back({in[i].value + out[o].value, i, o});
  }
  std::stable_sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) { return a.value < b.value; });
  pairs.resize(std::min(pairs.size(), kPairsPerRound));
  const auto known = [&](Half& half, TreeUse use) -> const Half& {
    if (half.seconds >= 0) return half;
    half.seconds = tree_s(half.tree, half.apart, false, use);
    half.loads = rows_.tree_loads(half.tree, half.apart, false, use);
    return half;
  };
  std::vector<ProgrammeColumn> columns;
  columns.reserve(pairs.size());
  for (const Pair& pair : pairs) {
    const Half &there = known(in[pair.in], TreeUse::in), &back = known(out[pair.out], TreeUse::out);
    Way way{.sites = there.tree, .back = back.tree, .apart = there.apart, .back_apart = back.apart};
    columns.push_back(
        add({std::move(way), 0, there.seconds + back.seconds}, loads_of_both(there.loads, back.loads), horizon_s));
  }
  return columns;
}

/// Of an allreduce between many sites: the cheapest tree in and tree out of each root.
std::vector<ProgrammeColumn> SiteWays::price_halves(const ProgrammePrices& prices, double weight, double horizon_s) {
  std::vector<ProgrammeColumn> columns;
  columns.reserve(2 * roots().size());
  for (const TreeUse use : {TreeUse::in, TreeUse::out}) {
    const SiteRows::Prices of_rows = price_for(prices.row, use);
    for (const int root : roots()) {
      std::vector<Half> found = halves(of_rows, root, weight, use);
      if (found.empty()) continue;
      Half& cheapest = found.front();
      columns.push_back(half_column(std::move(cheapest.tree), std::move(cheapest.apart), use, horizon_s));
    }
  }
  return columns;
}

std::vector<ProgrammeColumn> SiteWays::price(const ProgrammePrices& prices, double horizon_s) {
  const std::vector<double> weights = weights_of(prices.worth, horizon_s);
  switch (commodities_.kind) {
    case WayKind::trees_both:
      return has_halves() ? price_halves(prices, weights.front(), horizon_s)
                          : price_pairs(prices, weights.front(), horizon_s);
    case WayKind::paths:
      return price_paths(prices, weights, horizon_s);
    default:
      return price_trees(prices, weights, horizon_s);
  }
}

/// What a second of latency takes off the gain of each commodity's ways.
std::vector<double> SiteWays::weights_of(const std::vector<double>& worth, double horizon_s) const {
  std::vector<double> weights(worth.size(), 0.0);
  if (horizon_s == kNoHorizon) return weights;
  double mean = 0;
  for (const double one : worth) mean += one / static_cast<double>(worth.size());
  for (std::size_t c = 0; c < worth.size(); ++c) weights[c] = (has_many_paths() ? mean : worth[c]) / horizon_s;
  return weights;
}

bool SiteWays::has_many_paths() const {
  return commodities_.kind == WayKind::paths && commodities_.list.size() > kManyCommodities;
}

std::vector<ProgrammeColumn> SiteWays::price_trees(const ProgrammePrices& prices, const std::vector<double>& weights,
                                                   double horizon_s) {
  std::vector<ProgrammeColumn> columns;
  const TreeUse use = commodities_.kind == WayKind::trees_out ? TreeUse::out : TreeUse::in;
  const auto keep = [&](Half& half, std::size_t c) {
    Way way{.sites = std::move(half.tree), .back = {}, .helped = half.helped};
    columns.push_back(column_of(std::move(way), static_cast<int>(c), horizon_s));
  };
  std::vector<double> least(commodities_.list.size());
  const SiteRows::Prices of_rows = rows_.priced(prices.row);
  bool are_better = false;  // than those in the programme, clearly
  for (std::size_t c = 0; c < commodities_.list.size(); ++c) {
    std::vector<Half> found = halves(of_rows, commodities_.list[c].from, weights[c], use);
    found.resize(std::min(found.size(), kTreesPerRound));
    least[c] = found.empty() ? 0 : found.front().value;
    are_better = are_better || least[c] < prices.worth[c] * (1 - kBetter);
    for (Half& half : found) keep(half, c);
  }
  if (horizon_s == kNoHorizon || are_better || rows_.sites() > kMaxExactSites) return columns;
  const int most = std::min(kExactSteps, exact_steps_left_);
  int steps = most;
  for (std::size_t c = 0; c < commodities_.list.size() && steps > 0; ++c)
    for (Half& half : better_half(of_rows, commodities_.list[c].from, weights[c], use, least[c], steps)) keep(half, c);
  exact_steps_left_ -= most - steps;
  return columns;
}

std::vector<ProgrammeColumn> SiteWays::price_paths(const ProgrammePrices& prices, const std::vector<double>& weights,
                                                   double horizon_s) {
  std::vector<ProgrammeColumn> columns;
  columns.reserve(commodities_.list.size());
  const EdgeTable costs = rows_.path_costs(rows_.priced(prices.row));
  const EdgeTable& hop = rows_.hop(TreeUse::out);
  ShortestPaths paths;
  std::vector<int> sites;
  int paths_from = -1;
  for (std::size_t c = 0; c < commodities_.list.size(); ++c) {
    const Commodity& commodity = commodities_.list[c];
    sites.clear();
    if (commodity.from != commodity.to) {
      if (weights[c] > 0 && !(has_many_paths() && paths_from == commodity.from)) {
        EdgeTable mixed = costs;
        for (std::size_t i = 0; i < mixed.values.size(); ++i)
          if (mixed.values[i] != EdgeTable::kNoEdge) mixed.values[i] += weights[c] * hop.values[i];
        paths = shortest_paths(mixed, commodity.from);
        paths_from = has_many_paths() ? commodity.from : -1;
      } else if (paths_from != commodity.from) {
        paths = shortest_paths(costs, commodity.from);
        paths_from = commodity.from;
      }
      for (int v = commodity.to; v != commodity.from; v = paths.parent[v]) sites.push_back(v);
      sites.push_back(commodity.from);
      std::ranges::reverse(sites);
    }
    columns.push_back(path_column(sites, static_cast<int>(c), horizon_s));
  }
  return columns;
}

}  // namespace isthmus
