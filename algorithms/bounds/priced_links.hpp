// Prices on links, and the bound that they make.
//
// Give every link f a price p_f >= 0 a byte. If whatever a schedule does, its messages pay P together, then
//
//   sum over f of p_f B_f max(0, T - l_f) >= P
//
// with l_f the least latency of a route over f, since f is not busy for that long. Links are the own links of hosts,
// those of a site together, and the shared links of routes between sites; if there are several routes, the cheapest of
// their slowest links. The best prices are the dual solution of a packing programme. That need not be exact: the bound
// is computed from the prices alone.
#pragma once

#include <map>
#include <vector>

#include "algorithms/bounds/best_bound.hpp"
#include "algorithms/bounds/site_graph.hpp"
#include "algorithms/ways/arborescence.hpp"
#include "algorithms/ways/packing_programme.hpp"

namespace isthmus::bounds {

class PricedLinks {
 public:
  /// The price of each row: a link, or the own links of a site's hosts, out or in.
  using Prices = std::vector<double>;

  /// Both must outlive it.
  PricedLinks(const Demand& demand, const SiteGraph& sites);

  int sites() const { return count_; }
  std::size_t rows() const { return rows_.size(); }

  /// What a byte of a message pays from a host of one site to a host of another.
  EdgeTable edges(const Prices& prices) const;
  /// What it pays from one host of a site to another of the same.
  double inside(int site, const Prices& prices) const { return prices[up_[site]] + prices[down_[site]]; }
  /// Calls `add(row)` for each row that such a message crosses.
  template <typename Add>
  void for_each_row(int from, int to, const Prices& prices, const Add& add) const {
    add(up_[from]);
    add(down_[to]);
    if (from != to)
      for (const int link : cheapest_links(from, to, prices)) add(row_of_link_.at(link));
  }

  /// What each row can carry until a time, or a second if that is infinite; 0 for those that limit nothing.
  std::vector<double> capacity(double until_s) const;
  /// The prices as a cut, and scaled so that the greatest is 1, without those below `least`; no pieces if all are 0.
  LinkCut cut(Prices& prices, double least = 1e-9) const;
  double greatest_latency_s() const;

 private:
  struct Row {
    int link = -1;
    int site = -1;
    bool up = false;
    double bandwidth_Bps = 0, latency_s = 0;
  };

  int add_own(int site, bool up);
  void add_link(int link);
  std::vector<int> cheapest_links(int from, int to, const Prices& prices) const;

  const Demand& demand_;
  const SiteGraph& sites_;
  int count_;
  std::vector<Row> rows_;
  std::vector<int> up_, down_;  // rows, by site
  std::map<int, int> row_of_link_;
};

/// Rows that can carry something, numbered for a packing programme.
class ProgrammeRows {
 public:
  ProgrammeRows(const PricedLinks& links, double until_s);

  const std::vector<double>& capacity() const { return capacity_; }
  /// -1 for a row that limits nothing.
  int number(int row) const { return number_[row]; }
  PricedLinks::Prices prices(const ProgrammePrices& prices) const;
  /// Price 1 for every row that limits something.
  PricedLinks::Prices ones() const;

 private:
  std::vector<double> capacity_;
  std::vector<int> number_;  // by row
};

}  // namespace isthmus::bounds
