#include "algorithms/bounds/priced_links.hpp"

#include <algorithm>
#include <cmath>

namespace isthmus::bounds {

PricedLinks::PricedLinks(const Demand& demand, const SiteGraph& sites)
    : demand_(demand), sites_(sites), count_(sites.sites()) {
  for (int site = 0; site < count_; ++site) {
    up_.push_back(add_own(site, true));
    down_.push_back(add_own(site, false));
  }
  for (int from = 0; from < count_; ++from)
    for (int to = 0; to < count_; ++to)
      if (from != to) {
        for (const int link : sites.links(from, to)) add_link(link);
        for (const int link : sites.route_links(from, to)) add_link(link);
      }
}

int PricedLinks::add_own(int site, bool up) {
  double latency_s = sites_.own_latency_s(site);
  for (int other = 0; other < count_; ++other)
    if (other != site)
      latency_s = std::min(latency_s, up ? sites_.latency_s(site, other) : sites_.latency_s(other, site));
  rows_.push_back({-1, site, up, up ? sites_.up_Bps(site) : sites_.down_Bps(site), latency_s});
  return static_cast<int>(rows_.size()) - 1;
}

void PricedLinks::add_link(int link) {
  if (row_of_link_.try_emplace(link, static_cast<int>(rows_.size())).second)
    rows_.push_back({.link = link,
                     .bandwidth_Bps = demand_.network().links[link].bandwidth_Bps,
                     .latency_s = sites_.link_latency_s(link)});
}

double PricedLinks::greatest_latency_s() const {
  double greatest_s = 0;
  for (const Row& row : rows_)
    if (std::isfinite(row.latency_s)) greatest_s = std::max(greatest_s, row.latency_s);
  return greatest_s;
}

/// The links of the cheapest route between two sites.
std::vector<int> PricedLinks::cheapest_links(int from, int to, const Prices& prices) const {
  if (sites_.is_unlimited(from, to)) return {};
  if (!sites_.route_links(from, to).empty()) return sites_.route_links(from, to);
  const std::vector<int>& links = sites_.links(from, to);
  return {*std::ranges::min_element(links, {}, [&](int link) { return prices[row_of_link_.at(link)]; })};
}

EdgeTable PricedLinks::edges(const Prices& prices) const {
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

std::vector<double> PricedLinks::capacity(double until_s) const {
  std::vector<double> capacity;
  capacity.reserve(rows_.size());
  for (const Row& row : rows_) {
    const double bytes = row.bandwidth_Bps * (std::isfinite(until_s) ? std::max(0.0, until_s - row.latency_s) : 1);
    capacity.push_back(std::isfinite(bytes) && bytes > 0 ? bytes : 0);
  }
  return capacity;
}

LinkCut PricedLinks::cut(Prices& prices, double least) const {
  const double greatest = *std::ranges::max_element(prices);
  LinkCut cut;
  if (!(greatest > 0)) return cut;
  for (double& price : prices) price = price > least * greatest ? price / greatest : 0;
  for (std::size_t number = 0; number < rows_.size(); ++number) {
    const Row& row = rows_[number];
    if (prices[number] <= 0) continue;
    if (row.link >= 0) {
      cut.pieces.push_back(
          {.link = row.link, .bandwidth_Bps = row.bandwidth_Bps, .latency_s = row.latency_s, .price = prices[number]});
      continue;
    }
    for (const int host_class : sites_.classes(row.site)) {
      const LinkGraph& graph = demand_.graph();
      const RouteCost own = row.up ? graph.up(host_class) : graph.down(host_class);
      cut.pieces.push_back({.host_class = host_class,
                            .up = row.up,
                            .bandwidth_Bps = own.bandwidth_Bps * graph.hosts_in(host_class),
                            .latency_s = row.latency_s,
                            .price = prices[number]});
    }
  }
  return cut;
}

ProgrammeRows::ProgrammeRows(const PricedLinks& links, double until_s) : number_(links.rows(), -1) {
  const std::vector<double> capacity = links.capacity(until_s);
  for (std::size_t row = 0; row < capacity.size(); ++row) {
    if (!(capacity[row] > 0)) continue;
    number_[row] = static_cast<int>(capacity_.size());
    capacity_.push_back(capacity[row]);
  }
}

PricedLinks::Prices ProgrammeRows::prices(const ProgrammePrices& prices) const {
  PricedLinks::Prices all(number_.size());
  for (std::size_t row = 0; row < number_.size(); ++row)
    if (number_[row] >= 0) all[row] = prices.row[number_[row]];
  return all;
}

PricedLinks::Prices ProgrammeRows::ones() const {
  PricedLinks::Prices ones(number_.size());
  for (std::size_t row = 0; row < number_.size(); ++row) ones[row] = number_[row] >= 0 ? 1 : 0;
  return ones;
}

}  // namespace isthmus::bounds
