#include "algorithms/bounds/detours.hpp"

#include <cmath>
#include <map>
#include <vector>

#include "algorithms/bounds/priced_links.hpp"

namespace isthmus::bounds {
namespace {

constexpr int max_sites_of_detours = 16;

struct Block {
  int from, to;
  double bytes;
};

class Detours {
 public:
  Detours(const Demand& demand, const SiteGraph& sites)
      : demand_(demand), sites_(sites), links_(demand, sites), count_(sites.sites()) {
    for (int from = 0; from < count_; ++from)
      for (int to = 0; to < count_; ++to) {
        const double bytes = from == to ? bytes_within(from) : demand.bytes_between(sites.ranks(from), sites.ranks(to));
        if (bytes > 0) blocks_.push_back({from, to, bytes});
      }
  }

  void consider(BestBound& best) {
    double until_s = infinite;
    for (int step = 0; step < 2; ++step) {
      PricedLinks::Prices prices = best_prices(until_s);
      if (prices.empty()) return;
      const LinkCut cut = links_.cut(prices);
      const double bytes = paid_by_all(prices);
      best.offer_cut(cut, BoundKind::detours, bytes);
      until_s = cut.seconds(bytes);
      if (!std::isfinite(until_s) || until_s > 50 * links_.greatest_latency_s())
        return;  // latency makes no difference then
    }
  }

 private:
  /// Between different hosts of one site.
  double bytes_within(int site) const {
    const std::vector<int>& ranks = sites_.ranks(site);
    double bytes = demand_.bytes_between(ranks, ranks);
    for (const int rank : ranks)
      if (const std::vector<int>& there = demand_.ranks_on(demand_.host(rank)); there.front() == rank)
        bytes -= demand_.bytes_between(there, there);
    return bytes;
  }

  /// Those of which every way crosses a row of the programme, and some way exists.
  std::vector<Block> limited_blocks(const ProgrammeRows& rows) const {
    const PricedLinks::Prices prices = rows.ones();
    const EdgeTable cost = links_.edges(prices);
    std::vector<Block> limited;
    for (const Block& block : blocks_) {
      const double price = price_of(block, prices, shortest_paths(cost, block.from));
      if (price > 0 && std::isfinite(price)) limited.push_back(block);
    }
    return limited;
  }

  /// What a byte of the block pays, with the shortest paths from its site.
  double price_of(const Block& block, const PricedLinks::Prices& prices, const ShortestPaths& paths) const {
    return block.from == block.to ? links_.inside(block.from, prices) : paths.distance[block.to];
  }

  /// The prices of the concurrent flow with the capacities that links have until then; empty if there is no solution.
  PricedLinks::Prices best_prices(double until_s) const {
    const ProgrammeRows rows(links_, until_s);
    if (rows.capacity().empty()) return {};
    const std::vector<Block> blocks = limited_blocks(rows);
    if (blocks.empty()) return {};
    std::vector<double> demand;
    for (const Block& block : blocks) demand.push_back(block.bytes);
    PackingProgramme programme(rows.capacity(), demand);
    const auto cheapest_ways = [&](const ProgrammePrices& priced) {
      const PricedLinks::Prices prices = rows.prices(priced);
      const EdgeTable cost = links_.edges(prices);
      std::vector<ProgrammeColumn> columns;
      ShortestPaths paths;
      int root = -1;
      for (std::size_t i = 0; i < blocks.size(); ++i) {
        const Block& block = blocks[i];
        if (block.from != root) paths = shortest_paths(cost, root = block.from);
        std::map<int, double> loads;  // by row of the programme
        const auto add = [&](int row) {
          if (rows.number(row) >= 0) loads[rows.number(row)] += 1;
        };
        if (block.from == block.to) links_.for_each_row(block.from, block.to, prices, add);
        for (int to = block.to; to != block.from; to = paths.parent[to])
          links_.for_each_row(paths.parent[to], to, prices, add);
        ProgrammeColumn& column = columns.emplace_back();
        column.commodity = static_cast<int>(i);
        for (const auto& [row, times] : loads) column.loads.push_back({row, times});
      }
      return columns;
    };
    const ProgrammeSolution solution = programme.solve(cheapest_ways, {.tolerance = 1e-3});
    return rows.prices(solution.prices);
  }

  double paid_by_all(const PricedLinks::Prices& prices) const {
    const EdgeTable cost = links_.edges(prices);
    ShortestPaths paths;
    int root = -1;
    double paid = 0;
    for (const Block& block : blocks_) {
      if (block.from != root) paths = shortest_paths(cost, root = block.from);
      const double price = price_of(block, prices, paths);
      if (std::isfinite(price)) paid += block.bytes * price;
    }
    return paid;
  }

  const Demand& demand_;
  const SiteGraph& sites_;
  PricedLinks links_;
  int count_;
  std::vector<Block> blocks_;
};

}  // namespace

void consider_detours(const Demand& demand, const SiteGraph& sites, BestBound& best) {
  if (sites.sites() >= 3 && sites.sites() <= max_sites_of_detours) Detours(demand, sites).consider(best);
}

}  // namespace isthmus::bounds
