#include "validation/report/maps/site_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "validation/text/units.hpp"

namespace isthmus {
namespace {

using Links = std::set<int>;
using Pair = std::pair<int, int>;
using Routes = std::map<Pair, Links>;  // by source and destination

std::vector<MapSite> sites_of(const Network& network) {
  std::vector<MapSite> sites;
  std::map<std::string, std::size_t> by_name;
  for (std::size_t i = 0; i < network.hosts.size(); ++i) {
    const Host& host = network.hosts[i];
    const std::string name = host.zones.empty() ? network.name : host.zones.front().name;
    const auto [found, is_new] = by_name.try_emplace(name, sites.size());
    if (is_new) sites.push_back({name, {}});
    sites[found->second].hosts.push_back(static_cast<int>(i));
  }
  return sites;
}

Links links_of_route(const Network& network, int from, int to) {
  if (!network.has_route(from, to)) return {};
  const Route route = network.route(from, to);
  return {route.links.begin(), route.links.end()};
}

/// The links of the route between the first hosts of two sites, without those that a second host of a site does not
/// use.
Links links_between(const Network& network, const MapSite& a, const MapSite& b) {
  const int from = a.hosts.front(), to = b.hosts.front();
  Links links = links_of_route(network, from, to);
  for (const int link : network.hosts[from].up) links.erase(link);
  for (const int link : network.hosts[to].down) links.erase(link);
  const auto keep_those_of = [&](const Links& other) {
    Links both = links;
    std::erase_if(both, [&](int link) { return !other.contains(link); });
    if (!both.empty()) links = std::move(both);
  };
  if (a.hosts.size() > 1) keep_those_of(links_of_route(network, a.hosts[1], to));
  if (b.hosts.size() > 1) keep_those_of(links_of_route(network, from, b.hosts[1]));
  return links;
}

/// The links between the first two hosts of a site.
Links links_inside(const Network& network, const MapSite& site) {
  return site.hosts.size() < 2 ? Links() : links_of_route(network, site.hosts[0], site.hosts[1]);
}

/// Whether a route goes on from the end of another, whose links it has but for those inside that site.
bool passes(const Links& route, const Links& part, const Links& inside) {
  Links left = part;
  std::erase_if(left, [&](int link) { return inside.contains(link); });
  return !left.empty() && left.size() < route.size() && std::ranges::includes(route, left);
}

/// The routes that pass through no other site on their way.
Routes direct_routes(const Network& network, const std::vector<MapSite>& sites) {
  Routes routes;
  const int count = static_cast<int>(sites.size());
  for (int a = 0; a < count; ++a)
    for (int b = 0; b < count; ++b) {
      if (a == b) continue;
      if (Links links = links_between(network, sites[a], sites[b]); !links.empty()) routes[{a, b}] = std::move(links);
    }
  std::set<Pair> indirect;
  for (int by = 0; by < count; ++by) {
    const Links inside = links_inside(network, sites[by]);
    for (const auto& [pair, links] : routes) {
      const auto there = routes.find({pair.first, by}), onwards = routes.find({by, pair.second});
      if (there == routes.end() || onwards == routes.end()) continue;
      if (passes(links, there->second, inside) && passes(links, onwards->second, inside)) indirect.insert(pair);
    }
  }
  std::erase_if(routes, [&](const auto& route) { return indirect.contains(route.first); });
  return routes;
}

/// The links that all routes of a site use; they are the site's own if it has several neighbours.
struct OwnLinks {
  Links out, in;
};

Links common(const std::vector<const Links*>& routes) {
  if (routes.size() < 2) return {};
  Links all = *routes.front();
  for (const Links* route : routes) std::erase_if(all, [&](int link) { return !route->contains(link); });
  return all;
}

std::vector<OwnLinks> own_links(const Routes& routes, std::size_t sites) {
  std::vector<std::vector<const Links*>> out(sites), in(sites);
  for (const auto& [pair, links] : routes) {
    out[pair.first].push_back(&links);
    in[pair.second].push_back(&links);
  }
  std::vector<OwnLinks> own(sites);
  for (std::size_t site = 0; site < sites; ++site) own[site] = {common(out[site]), common(in[site])};
  return own;
}

/// Pairs of sites whose routes meet: they share a link that is no site's own, or have no such link and share a site.
std::map<int, std::vector<Pair>> meeting(const Routes& routes, const std::vector<OwnLinks>& own) {
  std::map<Pair, Links> middles;  // by pair, the lower site first
  for (const auto& [pair, links] : routes) {
    Links middle = links;
    for (const int link : own[pair.first].out) middle.erase(link);
    for (const int link : own[pair.second].in) middle.erase(link);
    middles[std::minmax(pair.first, pair.second)].merge(middle);
  }
  std::vector<Pair> pairs;
  std::vector<int> root;
  const auto root_of = [&](int number) {
    while (root[number] != number) number = root[number] = root[root[number]];
    return number;
  };
  std::map<int, int> by_link, by_site;  // the first pair of each
  for (const auto& [pair, middle] : middles) {
    const int number = static_cast<int>(pairs.size());
    pairs.push_back(pair);
    root.push_back(number);
    const auto join = [&](std::map<int, int>& first, int key) {
      root[root_of(first.try_emplace(key, number).first->second)] = root_of(number);
    };
    for (const int link : middle) join(by_link, link);
    if (middle.empty()) {
      join(by_site, pair.first);
      join(by_site, pair.second);
    }
  }
  std::map<int, std::vector<Pair>> groups;
  for (std::size_t i = 0; i < pairs.size(); ++i) groups[root_of(static_cast<int>(i))].push_back(pairs[i]);
  return groups;
}

struct Figures {
  double latency_s = 0, bandwidth_Bps = INFINITY;

  std::string text() const { return fmt::format("{}, {}", format_seconds(latency_s), format_rate(bandwidth_Bps)); }
};

Figures figures_of(const Network& network, const Links& links) {
  Figures figures;
  for (const int link : links) {
    figures.latency_s += network.links[link].latency_s;
    figures.bandwidth_Bps = std::min(figures.bandwidth_Bps, network.links[link].bandwidth_Bps);
  }
  return figures;
}

SiteLine line(const Network& network, int from, int to, const std::string& from_name, const std::string& to_name,
              const Links& there, const Links& back) {
  SiteLine line;
  line.from = from;
  line.to = to;
  line.has_figures = !there.empty() || !back.empty();
  if (!line.has_figures) return line;
  const Figures figures = figures_of(network, there.empty() ? back : there);
  line.latency_s = figures.latency_s;
  line.bandwidth_Bps = figures.bandwidth_Bps;
  line.text = figures.text();
  const Figures other_way = figures_of(network, back.empty() ? there : back);
  line.back_latency_s = other_way.latency_s;
  line.back_bandwidth_Bps = other_way.bandwidth_Bps;
  if (const std::string other = other_way.text(); other != line.text)
    line.text = fmt::format("{} to {}: {}; back: {}", from_name, to_name, line.text, other);
  return line;
}

/// The lines from a crossing to its sites, and the text of the links that all its routes share.
void add_crossing(const Network& network, const Routes& routes, const std::vector<OwnLinks>& own,
                  const std::vector<Pair>& pairs, SiteMap& map) {
  std::set<int> members;
  std::vector<const Links*> all;
  for (const auto& [a, b] : pairs) {
    members.insert({a, b});
    for (const Pair& pair : {Pair(a, b), Pair(b, a)})
      if (const auto route = routes.find(pair); route != routes.end()) all.push_back(&route->second);
  }
  const Links shared = common(all);
  MapCrossing crossing;
  crossing.sites.assign(members.begin(), members.end());
  if (!shared.empty()) crossing.text = figures_of(network, shared).text();
  const int number = static_cast<int>(map.sites.size() + map.crossings.size());
  for (const int site : crossing.sites) {
    OwnLinks links = own[site];
    for (const int link : shared) {
      links.out.erase(link);
      links.in.erase(link);
    }
    map.lines.push_back(line(network, site, number, map.sites[site].name, "the crossing", links.out, links.in));
  }
  map.crossings.push_back(std::move(crossing));
}

/// The slowest of the links that all of a site's lines share, if it is slower than the lines together.
double shared_limit_Bps(const Network& network, const std::vector<const Links*>& routes, const Links& own) {
  double limit_Bps = INFINITY, lines_Bps = 0;
  for (const int link : own)
    if (network.links[link].sharing == Sharing::shared)
      limit_Bps = std::min(limit_Bps, network.links[link].bandwidth_Bps);
  for (const Links* route : routes) {
    Links line = *route;
    for (const int link : own) line.erase(link);
    lines_Bps += figures_of(network, line).bandwidth_Bps;
  }
  return limit_Bps < lines_Bps ? limit_Bps : INFINITY;
}

/// Of the sites that only lines to other sites leave.
std::vector<SiteLimit> limits_of(const Network& network, const Routes& routes, const std::vector<OwnLinks>& own,
                                 const std::set<int>& at_crossings) {
  std::vector<SiteLimit> limits;
  for (int site = 0; site < static_cast<int>(own.size()); ++site) {
    if (at_crossings.contains(site)) continue;
    std::vector<const Links*> out, in;
    for (const auto& [pair, links] : routes) {
      if (pair.first == site) out.push_back(&links);
      if (pair.second == site) in.push_back(&links);
    }
    const SiteLimit limit = {site, shared_limit_Bps(network, out, own[site].out),
                             shared_limit_Bps(network, in, own[site].in), own[site].out == own[site].in};
    if (std::isfinite(limit.out_Bps) || std::isfinite(limit.in_Bps)) limits.push_back(limit);
  }
  return limits;
}

}  // namespace

SiteMap site_map(const Network& network) {
  SiteMap map;
  map.sites = sites_of(network);
  const Routes routes = direct_routes(network, map.sites);
  const std::vector<OwnLinks> own = own_links(routes, map.sites.size());
  const auto links_of = [&](int from, int to) {
    const auto route = routes.find({from, to});
    return route == routes.end() ? Links() : route->second;
  };
  for (const auto& [first, pairs] : meeting(routes, own)) {
    if (pairs.size() > 1) {
      add_crossing(network, routes, own, pairs, map);
      continue;
    }
    const auto [a, b] = pairs.front();
    map.lines.push_back(line(network, a, b, map.sites[a].name, map.sites[b].name, links_of(a, b), links_of(b, a)));
  }
  std::ranges::stable_sort(map.lines, {}, [](const SiteLine& of) { return std::pair(of.from, of.to); });
  std::set<int> at_crossings;
  for (const MapCrossing& crossing : map.crossings) at_crossings.insert(crossing.sites.begin(), crossing.sites.end());
  map.limits = limits_of(network, routes, own, at_crossings);
  return map;
}

}  // namespace isthmus
