#include "algorithms/synthesis/due_times.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "algorithms/errors.hpp"
#include "algorithms/synthesis/site_rows.hpp"
#include "algorithms/synthesis/site_ways.hpp"

namespace isthmus {

int root_of(const std::vector<int>& parents) {
  for (int site = 0; site < static_cast<int>(parents.size()); ++site)
    if (parents[site] == site) return site;
  return -1;
}

namespace {

/// Which commodity a way serves. Throws BadInput for one that serves none.
int commodity_of(const Way& way, const Commodities& commodities) {
  const bool paths = commodities.kind == WayKind::paths;
  const int from = paths ? way.sites.front() : commodities.kind == WayKind::trees_both ? -1 : root_of(way.sites);
  const int to = paths ? way.sites.back() : -1;
  for (int c = 0; c < static_cast<int>(commodities.list.size()); ++c)
    if (commodities.list[c].from == from && commodities.list[c].to == to) return c;
  throw BadInput("packing: the way " + to_string({way}) + " serves nothing that the collective moves");
}

struct LoadedWay {
  double latency_s = 0, bytes = 0;
  std::vector<RowLoad> loads;
};

std::vector<LoadedWay> loaded(SiteWays& ways, const Commodities& commodities, const Packing& packing) {
  std::vector<double> shares(commodities.list.size());
  std::vector<int> commodity;
  for (const Way& way : packing.ways) {
    commodity.push_back(commodity_of(way, commodities));
    shares[commodity.back()] += static_cast<double>(way.share);
  }
  std::vector<LoadedWay> all;
  for (std::size_t i = 0; i < packing.ways.size(); ++i) {
    const int c = commodity[i];
    ProgrammeColumn column = ways.column_of(packing.ways[i], c, SiteWays::kNoHorizon);
    all.push_back({ways.way(column.tag).latency_s,
                   commodities.list[c].bytes * static_cast<double>(packing.ways[i].share) / shares[c],
                   std::move(column.loads)});
  }
  // What hosts of one site send each other has time until the end.
  for (int c = 0; c < static_cast<int>(commodities.list.size()); ++c)
    if (commodities.list[c].from >= 0 && commodities.list[c].from == commodities.list[c].to)
      all.push_back({0, commodities.list[c].bytes, ways.column_of({}, c, SiteWays::kNoHorizon).loads});
  return all;
}

double end_s(const std::vector<LoadedWay>& ways, const std::vector<double>& capacity) {
  std::vector<std::vector<std::pair<double, double>>> of_row(capacity.size());  // latency, seconds
  for (const LoadedWay& way : ways)
    for (const RowLoad& load : way.loads)
      of_row[load.row].emplace_back(way.latency_s, way.bytes * load.amount / capacity[load.row]);
  double longest_s = 0;
  for (auto& row : of_row) {
    std::sort(row.rbegin(), row.rend());
    double busy_s = 0;
    for (const auto& [latency_s, seconds] : row) longest_s = std::max(longest_s, latency_s + (busy_s += seconds));
  }
  return longest_s;
}

}  // namespace

std::vector<Way> with_due_times(const SiteNetwork& network, const Commodities& commodities, const Packing& packing,
                                double piece_bytes, DueOrder order) {
  const SiteRows rows(network, commodities.root, commodities.reduces, std::min(piece_bytes, commodities.block_bytes));
  SiteWays site_ways(rows, commodities);
  const std::vector<LoadedWay> all = loaded(site_ways, commodities, packing);
  const double seconds = end_s(all, rows.capacity());
  std::vector<Way> ways = packing.ways;
  for (std::size_t i = 0; i < ways.size(); ++i) {
    double busy_s = 0;
    for (const RowLoad& load : all[i].loads)
      busy_s = std::max(busy_s, all[i].bytes * load.amount / rows.capacity()[load.row]);
    const double last_s = std::max(0.0, seconds - all[i].latency_s);
    const auto in_thousandths = [&](double s) { return static_cast<int>(std::lround(1000 * s / seconds)); };
    ways[i].last_due = std::max(1, in_thousandths(last_s));
    ways[i].first_due = order == DueOrder::late ? in_thousandths(std::max(0.0, last_s - busy_s)) : 0;
  }
  return ways;
}

namespace {

/// Bytes a second of data, headers taken off, over a link of the network.
double data_Bps(const SiteNetwork& network, int link, double piece_bytes) {
  const double occupied_s = occupation_s(network.network(), {&link, 1}, piece_bytes);
  return occupied_s > 0 ? piece_bytes / occupied_s : unlimited_Bps;
}

std::int64_t whole_kBps(double Bps) { return static_cast<std::int64_t>(std::clamp(std::round(Bps / 1000), 1.0, 1e12)); }

/// The edges that ways use, from and to.
std::set<std::pair<int, int>> used_edges(const Packing& packing, WayKind kind) {
  std::set<std::pair<int, int>> edges;
  const auto add = [&](const std::vector<int>& parents, bool in) {
    for (int site = 0; site < static_cast<int>(parents.size()); ++site)
      if (const int parent = parents[site]; parent != site)
        edges.insert(in ? std::pair(site, parent) : std::pair(parent, site));
  };
  for (const Way& way : packing.ways) {
    if (kind == WayKind::paths)
      for (std::size_t i = 1; i < way.sites.size(); ++i) edges.emplace(way.sites[i - 1], way.sites[i]);
    else
      add(way.sites, kind != WayKind::trees_out);
    add(way.back, false);
  }
  return edges;
}

}  // namespace

std::vector<WayLine> lines_of(const SiteNetwork& network, const Packing& packing, WayKind kind, double piece_bytes) {
  const std::set<std::pair<int, int>> edges = used_edges(packing, kind);
  std::map<int, std::set<int>> from, to;  // by shared link: the sites whose routes it is on
  for (const auto& [one, other] : edges)
    for (const int shared : network.edge(one, other).shared) {
      from[shared].insert(one);
      to[shared].insert(other);
    }
  const auto rate_Bps = [&](int shared) { return data_Bps(network, network.shared_links()[shared], piece_bytes); };
  std::vector<double> exit_Bps(network.size()), entrance_Bps(network.size()), out_Bps(network.size()),
      in_Bps(network.size());
  for (int site = 0; site < network.size(); ++site) {
    exit_Bps[site] = network.site(site).out_Bps;
    entrance_Bps[site] = network.site(site).in_Bps;
  }
  std::vector<WayLine> lines;
  for (const auto& [one, other] : edges) {
    const SiteEdge& edge = network.edge(one, other);
    double line_Bps = unlimited_Bps;
    for (const int shared : edge.shared) {
      if (from[shared].size() == 1 && to[shared].size() > 1)
        exit_Bps[one] = std::min(exit_Bps[one], rate_Bps(shared));
      else if (to[shared].size() == 1 && from[shared].size() > 1)
        entrance_Bps[other] = std::min(entrance_Bps[other], rate_Bps(shared));
      else
        line_Bps = std::min(line_Bps, rate_Bps(shared));
    }
    for (const int link : edge.links) line_Bps = std::min(line_Bps, data_Bps(network, link, piece_bytes));
    out_Bps[one] += line_Bps;
    in_Bps[other] += line_Bps;
    const double latency_s = message_s(network.network(), edge.links, 1);
    lines.push_back({one, other, std::llround(std::min(1e6 * latency_s, 1e9)), whole_kBps(line_Bps)});
  }
  for (int site = 0; site < network.size(); ++site) {
    if (exit_Bps[site] < out_Bps[site]) lines.push_back({site, -1, 0, whole_kBps(exit_Bps[site])});
    if (entrance_Bps[site] < in_Bps[site]) lines.push_back({-1, site, 0, whole_kBps(entrance_Bps[site])});
  }
  return lines;
}

}  // namespace isthmus
