#include "algorithms/bounds/detours.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "algorithms/ways/arborescence.hpp"
#include "algorithms/ways/packing_programme.hpp"

namespace isthmus::bounds {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr int max_sites = 16;

/// What is priced: a link between sites, or the own links of a site's hosts, out or in.
struct Row {
  int link = -1;
  int site = -1;
  bool up = false;
  double bandwidth_Bps = 0, latency_s = infinite;
};

struct Block {
  int from, to;
  double bytes;
};

class Detours {
 public:
  Detours(const Demand& demand, const SiteGraph& sites) : demand_(demand), sites_(sites), count_(sites.sites()) {
    for (int site = 0; site < count_; ++site) {
      up_.push_back(add_own(site, true));
      down_.push_back(add_own(site, false));
    }
    for (int from = 0; from < count_; ++from)
      for (int to = 0; to < count_; ++to)
        if (from != to) {
          for (const int link : sites.links(from, to)) add_link(link, sites.latency_s(from, to));
          for (const int link : sites.route_links(from, to)) add_link(link, sites.latency_s(from, to));
        }
    for (int from = 0; from < count_; ++from)
      for (int to = 0; to < count_; ++to) {
        const double bytes = from == to ? bytes_within(from) : demand.bytes_between(sites.ranks(from), sites.ranks(to));
        if (bytes > 0) blocks_.push_back({from, to, bytes});
      }
  }

  void consider(BestBound& best) {
    double until_s = infinite;
    for (int step = 0; step < 2; ++step) {
      const std::vector<double> prices = best_prices(until_s);
      if (prices.empty()) return;
      double bytes = 0;
      const LinkCut cut = priced(prices, bytes);
      best.offer_cut(cut, BoundKind::detours, bytes);
      until_s = cut.seconds(bytes);
      if (!std::isfinite(until_s) || until_s > 50 * greatest_latency_s()) return;  // latency makes no difference then
    }
  }

 private:
  int add_own(int site, bool up) {
    rows_.push_back({-1, site, up, up ? sites_.up_Bps(site) : sites_.down_Bps(site), sites_.own_latency_s(site)});
    return static_cast<int>(rows_.size()) - 1;
  }

  void add_link(int link, double latency_s) {
    const auto [at, is_new] = row_of_link_.try_emplace(link, static_cast<int>(rows_.size()));
    if (is_new) rows_.push_back({.link = link, .bandwidth_Bps = demand_.network().links[link].bandwidth_Bps});
    Row& row = rows_[at->second];
    row.latency_s = std::min(row.latency_s, latency_s);
  }

  /// Between different hosts of one site.
  double bytes_within(int site) const {
    const std::vector<int>& ranks = sites_.ranks(site);
    double bytes = demand_.bytes_between(ranks, ranks);
    for (const int rank : ranks)
      if (const std::vector<int>& there = demand_.ranks_on(demand_.host(rank)); there.front() == rank)
        bytes -= demand_.bytes_between(there, there);
    return bytes;
  }

  double greatest_latency_s() const {
    double greatest_s = 0;
    for (const Row& row : rows_)
      if (std::isfinite(row.latency_s)) greatest_s = std::max(greatest_s, row.latency_s);
    return greatest_s;
  }

  /// The links of the cheapest route between two sites.
  std::vector<int> cheapest_links(int from, int to, const std::vector<double>& prices) const {
    if (sites_.is_unlimited(from, to)) return {};
    if (!sites_.route_links(from, to).empty()) return sites_.route_links(from, to);
    const std::vector<int>& links = sites_.links(from, to);
    return {*std::ranges::min_element(links, {}, [&](int link) { return prices[row_of_link_.at(link)]; })};
  }

  /// Of a way from a site to another: that of its own hosts, of links, and of the hosts in between and at the end.
  EdgeTable edges(const std::vector<double>& prices) const {
    EdgeTable cost(count_);
    for (int from = 0; from < count_; ++from)
      for (int to = 0; to < count_; ++to) {
        if (from == to || !std::isfinite(sites_.latency_s(from, to))) continue;
        double price = prices[up_[from]] + prices[down_[to]];
        for (const int link : cheapest_links(from, to, prices)) price += prices[row_of_link_.at(link)];
        cost.at(from, to) = price;
      }
    return cost;
  }

  /// Those of which every way crosses a row of the programme, and some way exists.
  std::vector<Block> limited_blocks(const std::vector<int>& number_of_row) const {
    std::vector<double> prices;
    prices.reserve(number_of_row.size());
    for (const int number : number_of_row) prices.push_back(number >= 0 ? 1 : 0);
    const EdgeTable cost = edges(prices);
    std::vector<Block> limited;
    for (const Block& block : blocks_) {
      const double price = price_of(block, prices, shortest_paths(cost, block.from));
      if (price > 0 && std::isfinite(price)) limited.push_back(block);
    }
    return limited;
  }

  /// What a byte of the block pays, with the shortest paths from its site.
  double price_of(const Block& block, const std::vector<double>& prices, const ShortestPaths& paths) const {
    return block.from == block.to ? prices[up_[block.from]] + prices[down_[block.to]] : paths.distance[block.to];
  }

  /// The prices of the concurrent flow with the capacities that links have until then; empty if there is no solution.
  std::vector<double> best_prices(double until_s) const {
    std::vector<double> capacity, demand;
    std::vector<int> number_of_row(rows_.size(), -1);  // in the programme
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      const double bytes =
          rows_[row].bandwidth_Bps * (std::isfinite(until_s) ? std::max(0.0, until_s - rows_[row].latency_s) : 1);
      if (!std::isfinite(bytes) || bytes <= 0) continue;
      number_of_row[row] = static_cast<int>(capacity.size());
      capacity.push_back(bytes);
    }
    if (capacity.empty()) return {};
    const std::vector<Block> blocks = limited_blocks(number_of_row);
    if (blocks.empty()) return {};
    for (const Block& block : blocks) demand.push_back(block.bytes);
    PackingProgramme programme(capacity, demand);
    const auto all_prices = [&](const ProgrammePrices& prices) {
      std::vector<double> all(rows_.size());
      for (std::size_t row = 0; row < rows_.size(); ++row)
        if (number_of_row[row] >= 0) all[row] = prices.row[number_of_row[row]];
      return all;
    };
    const auto cheapest_ways = [&](const ProgrammePrices& priced) {
      const std::vector<double> prices = all_prices(priced);
      const EdgeTable cost = edges(prices);
      std::vector<ProgrammeColumn> columns;
      ShortestPaths paths;
      int root = -1;
      for (std::size_t i = 0; i < blocks.size(); ++i) {
        const Block& block = blocks[i];
        if (block.from != root) paths = shortest_paths(cost, root = block.from);
        std::map<int, double> loads;  // by row of the programme
        const auto add = [&](int row) {
          if (number_of_row[row] >= 0) loads[number_of_row[row]] += 1;
        };
        if (block.from == block.to) {
          add(up_[block.from]);
          add(down_[block.to]);
        }
        for (int to = block.to; to != block.from;) {
          const int from = paths.parent[to];
          add(up_[from]);
          add(down_[to]);
          for (const int link : cheapest_links(from, to, prices)) add(row_of_link_.at(link));
          to = from;
        }
        ProgrammeColumn& column = columns.emplace_back();
        column.commodity = static_cast<int>(i);
        for (const auto& [row, times] : loads) column.loads.push_back({row, times});
      }
      return columns;
    };
    const ProgrammeSolution solution = programme.solve(cheapest_ways, {.tolerance = 1e-3});
    return all_prices(solution.prices);
  }

  /// The prices as a cut, and what all blocks pay.
  LinkCut priced(const std::vector<double>& prices, double& bytes) const {
    const double greatest = *std::ranges::max_element(prices);
    LinkCut cut;
    bytes = 0;
    if (!(greatest > 0)) return cut;
    std::vector<double> relative(prices);
    for (double& price : relative) price = price > 1e-9 * greatest ? price / greatest : 0;
    for (std::size_t number = 0; number < rows_.size(); ++number) {
      const Row& row = rows_[number];
      if (relative[number] <= 0) continue;
      if (row.link >= 0) {
        cut.pieces.push_back({.link = row.link,
                              .bandwidth_Bps = row.bandwidth_Bps,
                              .latency_s = row.latency_s,
                              .price = relative[number]});
        continue;
      }
      for (const int host_class : sites_.classes(row.site)) {
        const LinkGraph& graph = demand_.graph();
        const RouteCost own = row.up ? graph.up(host_class) : graph.down(host_class);
        cut.pieces.push_back({.host_class = host_class,
                              .up = row.up,
                              .bandwidth_Bps = own.bandwidth_Bps * graph.hosts_in(host_class),
                              .latency_s = row.latency_s,
                              .price = relative[number]});
      }
    }
    const EdgeTable cost = edges(relative);
    ShortestPaths paths;
    int root = -1;
    for (const Block& block : blocks_) {
      if (block.from != root) paths = shortest_paths(cost, root = block.from);
      const double price =
          block.from == block.to ? relative[up_[block.from]] + relative[down_[block.to]] : paths.distance[block.to];
      if (std::isfinite(price)) bytes += block.bytes * price;
    }
    return cut;
  }

  const Demand& demand_;
  const SiteGraph& sites_;
  int count_;
  std::vector<Row> rows_;
  std::vector<int> up_, down_;  // rows, by site
  std::map<int, int> row_of_link_;
  std::vector<Block> blocks_;
};

}  // namespace

void consider_detours(const Demand& demand, const SiteGraph& sites, BestBound& best) {
  if (sites.sites() >= 3 && sites.sites() <= max_sites) Detours(demand, sites).consider(best);
}

}  // namespace isthmus::bounds
