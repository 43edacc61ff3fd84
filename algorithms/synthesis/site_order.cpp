#include "algorithms/synthesis/site_order.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

namespace isthmus {
namespace {

/// The same for rates and times that differ in their last digits only; so many steps for a factor of e.
double rounded(double value) {
  constexpr double steps = 1000;
  return value > 0 ? std::round(steps * std::log(value)) : -std::numeric_limits<double>::infinity();
}

/// Equal keys get equal numbers, and lesser keys lesser ones; from 0 on without gaps.
template <typename Key>
std::vector<int> classes_of(const std::vector<Key>& keys) {
  std::vector<int> sorted(keys.size()), classes(keys.size());
  std::iota(sorted.begin(), sorted.end(), 0);
  std::ranges::sort(sorted, [&](int a, int b) { return keys[a] < keys[b]; });
  for (std::size_t i = 1; i < sorted.size(); ++i)
    classes[sorted[i]] = classes[sorted[i - 1]] + (keys[sorted[i - 1]] < keys[sorted[i]] ? 1 : 0);
  return classes;
}

std::vector<int> classes_of_sites(const SiteNetwork& network, const Commodities& commodities) {
  const int root_site = commodities.root < 0 ? -1 : network.site_of(commodities.root);
  std::vector<double> bytes(network.size(), 0);
  for (const Commodity& commodity : commodities.list)
    if (commodity.from >= 0 && (commodity.to < 0 || commodity.from == commodity.to))
      bytes[commodity.from] += commodity.bytes;
  std::vector<std::tuple<bool, std::size_t, int, double, double, double>> keys;
  for (int s = 0; s < network.size(); ++s) {
    const Site& site = network.site(s);
    keys.emplace_back(s != root_site, site.ranks.size(), site.hosts, rounded(site.out_Bps), rounded(site.in_Bps),
                      rounded(bytes[s]));
  }
  return classes_of(keys);
}

/// [from * sites + to]
std::vector<int> classes_of_edges(const SiteNetwork& network, const Commodities& commodities) {
  constexpr double few_bytes = 1, many_bytes = 1 << 20;
  const int sites = network.size();
  std::vector<double> bytes(static_cast<std::size_t>(sites) * sites, 0);
  for (const Commodity& commodity : commodities.list)
    if (commodity.from >= 0 && commodity.to >= 0)
      bytes[static_cast<std::size_t>(commodity.from) * sites + commodity.to] += commodity.bytes;
  std::vector<std::tuple<bool, double, double, double>> keys;
  for (int from = 0; from < sites; ++from)
    for (int to = 0; to < sites; ++to) {
      const SiteEdge& edge = network.edge(from, to);
      keys.emplace_back(edge.exists, rounded(message_s(network.network(), edge.links, few_bytes)),
                        rounded(message_s(network.network(), edge.links, many_bytes)), rounded(bytes[keys.size()]));
    }
  return classes_of(keys);
}

}  // namespace

std::vector<int> sorted_sites(const SiteNetwork& network, const Commodities& commodities) {
  const int sites = network.size();
  std::vector<int> order(sites);
  std::iota(order.begin(), order.end(), 0);
  if (commodities.chained) return order;
  std::vector<int> of_site = classes_of_sites(network, commodities);
  const std::vector<int> of_edge = classes_of_edges(network, commodities);
  for (int classes = -1; std::ranges::max(of_site) > classes;) {
    classes = std::ranges::max(of_site);
    std::vector<std::pair<int, std::vector<std::tuple<int, int, int>>>> keys;
    for (int s = 0; s < sites; ++s) {
      auto& [own, neighbours] = keys.emplace_back();
      own = of_site[s];
      for (int t = 0; t < sites; ++t)
        if (t != s)
          neighbours.emplace_back(of_site[t], of_edge[static_cast<std::size_t>(s) * sites + t],
                                  of_edge[static_cast<std::size_t>(t) * sites + s]);
      std::ranges::sort(neighbours);
    }
    of_site = classes_of(keys);
  }
  std::ranges::stable_sort(order, {}, [&](int site) { return of_site[site]; });
  return order;
}

Commodities renumbered(const Commodities& commodities, const std::vector<int>& order) {
  Commodities same = commodities;
  std::vector<int> number(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) number[order[i]] = static_cast<int>(i);
  for (Commodity& commodity : same.list) {
    if (commodity.from >= 0) commodity.from = number[commodity.from];
    if (commodity.to >= 0) commodity.to = number[commodity.to];
  }
  if (!same.chained)
    std::ranges::stable_sort(same.list, {}, [](const Commodity& c) { return std::pair(c.from, c.to); });
  return same;
}

Packing with_former_numbers(const Packing& packing, WayKind kind, const std::vector<int>& order) {
  Packing former = packing;
  const auto rename = [&](std::vector<int>& sites) {
    for (int& site : sites) site = order[site];
  };
  const auto rename_tree = [&](std::vector<int>& parents) {
    std::vector<int> of_former(parents.size());
    for (std::size_t i = 0; i < parents.size(); ++i) of_former[order[i]] = order[parents[i]];
    parents = std::move(of_former);
  };
  for (Way& way : former.ways) {
    if (kind == WayKind::paths)
      rename(way.sites);
    else
      rename_tree(way.sites);
    rename_tree(way.back);
    for (std::vector<int>* apart : {&way.apart, &way.back_apart}) {
      rename(*apart);
      std::ranges::sort(*apart);
    }
  }
  for (std::size_t i = 0; i < packing.drivers.size(); ++i) former.drivers[order[i]] = packing.drivers[i];
  return former;
}

}  // namespace isthmus
