#include "algorithms/bounds/sums.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "algorithms/bounds/priced_links.hpp"

namespace isthmus::bounds {
namespace {

constexpr int max_sites_of_sums = 16;
constexpr double same = 1e-6;         // as a simpler bound that was found before
constexpr double small_price = 1e-3;  // of the greatest; links of lesser prices would only make the bound hard to read

/// A tree in to the first host that knows the sum, then a message to every other; or the same reversed in time.
enum class SumTime : std::uint8_t { forwards, backwards };

/// So many messages from a host of one site to one of another, or of the same.
struct Messages {
  int from, to, number;
};

class Sums {
 public:
  Sums(const Demand& demand, const SiteGraph& sites, SumTime time)
      : demand_(demand), links_(demand, sites), backwards_(time == SumTime::backwards) {
    for (int site = 0; site < sites.sites(); ++site) {
      int hosts = 0;
      for (const int number : sites.classes(site)) hosts += demand.graph().hosts_in(number);
      hosts_.push_back(hosts);
    }
  }

  void consider(BestBound& best) const {
    double until_s = infinite;
    for (int step = 0; step < 2; ++step) {
      PricedLinks::Prices prices = best_prices(until_s);
      if (prices.empty()) return;
      const LinkCut cut = links_.cut(prices, small_price);
      double least = infinite;
      const Tables tables = tables_of(prices);
      for (int root = 0; root < links_.sites(); ++root) {
        double paid = 0;
        for (const Messages& some : cheapest(tables, root))
          paid += some.number * (some.from == some.to ? tables.inside[some.from] : tables.cost.at(some.from, some.to));
        least = std::min(least, paid);
      }
      const double bytes = demand_.vector_bytes() * least;
      until_s = cut.seconds(bytes);
      if (until_s > best.seconds() * (1 + same)) best.offer_cut(cut, BoundKind::sums, bytes);
      if (!std::isfinite(until_s) || until_s > 50 * links_.greatest_latency_s()) return;  // it makes no difference then
    }
  }

 private:
  struct Tables {
    EdgeTable cost, turned;
    std::vector<double> inside;  ///< infinite for a site of one host
  };

  Tables tables_of(const PricedLinks::Prices& prices) const {
    Tables tables{links_.edges(prices), {}, {}};
    tables.turned = tables.cost.transposed();
    for (int site = 0; site < links_.sites(); ++site)
      tables.inside.push_back(hosts_[site] > 1 ? links_.inside(site, prices) : infinite);
    return tables;
  }

  /// The other end of the cheapest edge of the table to a host of the site: perhaps this site.
  static int cheapest_end(const Tables& tables, const EdgeTable& cost, int site) {
    int end = site;
    double least = tables.inside[site];
    for (int other = 0; other < cost.nodes; ++other)
      if (other != site && cost.at(other, site) < least) {
        end = other;
        least = cost.at(other, site);
      }
    return end;
  }

  /// The messages that pay least if the first host that knows the sum (backwards: the last that gives something) is one
  /// of this site. Of several hosts of a site one is on the tree between sites, and each of the others hangs on its
  /// cheapest edge.
  std::vector<Messages> cheapest(const Tables& tables, int root) const {
    const EdgeTable& of_tree = backwards_ ? tables.cost : tables.turned;
    const EdgeTable& of_others = backwards_ ? tables.turned : tables.cost;
    std::vector<Messages> all;
    const auto add = [&](int end, int site, int number, bool turned) {
      if (number > 0) all.push_back(turned ? Messages{site, end, number} : Messages{end, site, number});
    };
    const Parents tree = cheapest_arborescence(of_tree, root);
    for (int site = 0; site < links_.sites(); ++site) {
      if (site != root) add(tree[site], site, 1, !backwards_);
      add(cheapest_end(tables, of_tree, site), site, hosts_[site] - 1, !backwards_);
      add(cheapest_end(tables, of_others, site), site, hosts_[site] - (site == root ? 1 : 0), backwards_);
    }
    return all;
  }

  /// Those of the most sums a second (or until then) that the links could make known, if that were all that sums take.
  PricedLinks::Prices best_prices(double until_s) const {
    const ProgrammeRows rows(links_, until_s);
    if (rows.capacity().empty()) return {};
    PackingProgramme programme(rows.capacity(), {1});
    bool is_limited = true;
    const auto price_columns = [&](const ProgrammePrices& priced) {
      const PricedLinks::Prices prices = rows.prices(priced);
      const Tables tables = tables_of(prices);
      std::vector<ProgrammeColumn> columns;
      for (int root = 0; root < links_.sites(); ++root) {
        std::map<int, double> loads;  // by row of the programme
        for (const Messages& some : cheapest(tables, root))
          links_.for_each_row(some.from, some.to, prices, [&](int row) {
            if (rows.number(row) >= 0) loads[rows.number(row)] += some.number;
          });
        is_limited = is_limited && !loads.empty();
        if (loads.empty()) continue;
        ProgrammeColumn& column = columns.emplace_back();
        for (const auto& [row, times] : loads) column.loads.push_back({row, times});
      }
      return columns;
    };
    const ProgrammeSolution solution = programme.solve(price_columns, {.tolerance = 1e-3});
    return is_limited ? rows.prices(solution.prices) : PricedLinks::Prices();
  }

  const Demand& demand_;
  PricedLinks links_;
  bool backwards_;
  std::vector<int> hosts_;  // of each site
};

}  // namespace

void consider_sums(const Demand& demand, const SiteGraph& sites, BestBound& best) {
  if (sites.sites() < 2 || sites.sites() > max_sites_of_sums) return;
  for (const SumTime time : {SumTime::forwards, SumTime::backwards}) Sums(demand, sites, time).consider(best);
}

}  // namespace isthmus::bounds
