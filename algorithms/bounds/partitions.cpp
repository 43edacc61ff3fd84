#include "algorithms/bounds/partitions.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <vector>

#include "algorithms/network/forwarded_routes.hpp"

namespace isthmus::bounds {
namespace {

constexpr int few_sites_of_partitions = 9;  // joined in all ways
constexpr std::size_t max_judged = 4, max_ends = 512;

/// The least latencies of hosts' own links, by endpoint.
struct OwnLatencies {
  explicit OwnLatencies(const Demand& demand) {
    for (int number = 0; number < demand.graph().classes(); ++number) {
      const int endpoint = demand.network().hosts[demand.hosts_of_class(number).front()].endpoint;
      const auto least = [&](std::map<int, double>& of, double latency_s) {
        double& known_s = of.try_emplace(endpoint, infinite).first->second;
        known_s = std::min(known_s, latency_s);
      };
      least(up_s, demand.graph().up(number).latency_s);
      least(down_s, demand.graph().down(number).latency_s);
    }
  }
  std::map<int, double> up_s, down_s;
};

/// latencies_around_links(), worked out when it is needed.
class AroundLinks {
 public:
  explicit AroundLinks(const Demand& demand) : demand_(demand) {}

  const std::vector<double>& latency_s() {
    if (latency_s_.empty()) latency_s_ = latencies_around_links(demand_);
    return latency_s_;
  }

 private:
  const Demand& demand_;
  std::vector<double> latency_s_;  // by link
};

/// `latency_s` by link.
LinkCut cut_of(const Network& network, const std::set<int>& links, const std::vector<double>& latency_s) {
  LinkCut cut;
  for (const int link : links)
    cut.pieces.push_back(
        {.link = link, .bandwidth_Bps = network.links[link].bandwidth_Bps, .latency_s = latency_s[link]});
  return cut;
}

/// `part_of_endpoint` where the ranks of an endpoint may be in several parts: pairs of both.
void consider_parts(const Demand& demand, AroundLinks& around, const std::set<std::pair<int, int>>& ends, int parts,
                    double bytes, BestBound& best) {
  if (ends.size() > max_ends || parts < 2) return;
  const Network& network = demand.network();
  std::set<int> links;
  for (const auto& [from, from_part] : ends)
    for (const auto& [to, to_part] : ends) {
      if (from_part == to_part) continue;
      const auto trunk = network.trunks.find({from, to});
      if (trunk == network.trunks.end()) continue;
      const int link = slowest_of(network, trunk->second.links);
      if (link < 0) return;
      links.insert(link);
    }
  best.offer_cut(cut_of(network, links, around.latency_s()), BoundKind::partition, bytes * (parts - 1));
}

void consider_groups(const Demand& demand, AroundLinks& around, double bytes, BestBound& best) {
  const Topology& topology = demand.placed().topology();
  const std::vector<int>& groups = topology.group(0).children;
  if (groups.empty()) return;
  std::vector<int> part_of_rank(demand.size(), -1);
  int parts = 0;
  for (const int group : groups) {
    for (const int rank : topology.group(group).ranks) part_of_rank[rank] = parts;
    ++parts;
  }
  for (int& part : part_of_rank)
    if (part < 0) part = parts++;
  std::set<std::pair<int, int>> ends;
  for (int rank = 0; rank < demand.size(); ++rank)
    ends.emplace(demand.network().hosts[demand.host(rank)].endpoint, part_of_rank[rank]);
  consider_parts(demand, around, ends, parts, bytes, best);
}

/// Every host a part: what leaves it crosses its own link.
void consider_hosts(const Demand& demand, const OwnLatencies& own, double bytes, BestBound& best) {
  const Network& network = demand.network();
  std::map<int, double> onward_s;  // by endpoint: the least from a host's own link to another host
  for (const auto& [ends, trunk] : network.trunks) {
    const auto down_s = own.down_s.find(ends.second);
    if (down_s == own.down_s.end()) continue;
    double& known_s = onward_s.try_emplace(ends.first, infinite).first->second;
    known_s = std::min(known_s, route_cost(network, trunk.links).latency_s + down_s->second);
  }
  LinkCut cut;
  for (int number = 0; number < demand.graph().classes(); ++number) {
    const RouteCost up = demand.graph().up(number);
    const auto onward = onward_s.find(network.hosts[demand.hosts_of_class(number).front()].endpoint);
    if (!(up.bandwidth_Bps < infinite)) return;
    if (onward == onward_s.end()) continue;
    cut.pieces.push_back({.host_class = number,
                          .up = true,
                          .bandwidth_Bps = up.bandwidth_Bps * demand.graph().hosts_in(number),
                          .latency_s = up.latency_s + onward->second});
  }
  best.offer_cut(cut, BoundKind::partition, bytes * static_cast<double>(demand.hosts().size() - 1));
}

/// Links that all messages from a site to others cross, or those from others to it.
using Boundary = std::set<int>;

/// The slowest link of each route out of the site, or into it; none if some route has no limit.
std::optional<Boundary> links_of_routes(const SiteGraph& sites, int site, bool out) {
  Boundary boundary;
  for (int other = 0; other < sites.sites(); ++other) {
    if (other == site) continue;
    const int from = out ? site : other, to = out ? other : site;
    if (sites.is_unlimited(from, to)) return std::nullopt;
    boundary.insert(sites.links(from, to).begin(), sites.links(from, to).end());
  }
  return boundary;
}

/// The slowest link that all routes out of the site share, or all into it; none if they share none.
std::optional<Boundary> link_of_all_routes(const Network& network, const SiteGraph& sites, int site, bool out) {
  std::optional<std::set<int>> common;
  for (int other = 0; other < sites.sites(); ++other) {
    if (other == site) continue;
    const int from = out ? site : other, to = out ? other : site;
    if (sites.links(from, to).empty() && !sites.is_unlimited(from, to)) continue;  // no route
    const std::vector<int>& route = sites.route_links(from, to);
    const std::set<int> links(route.begin(), route.end());
    if (!common) common = links;
    std::erase_if(*common, [&](int link) { return !links.contains(link); });
  }
  if (!common || common->empty()) return std::nullopt;
  return Boundary{slowest_of(network, {common->begin(), common->end()})};
}

/// The hosts of one site apart, all others together as one more part: a message between parts is taken in by a host of
/// the site or leaves the site; and it is sent by a host of the site or comes into the site.
void consider_hosts_of_sites(const Demand& demand, const SiteGraph& sites, AroundLinks& around, double bytes,
                             BestBound& best) {
  for (int site = 0; site < sites.sites(); ++site)
    for (const bool taken_in : {true, false}) {
      int hosts = 0;
      double least_s = sites.own_latency_s(site);
      for (int other = 0; other < sites.sites(); ++other)
        if (other != site)
          least_s = std::min(least_s, taken_in ? sites.latency_s(other, site) : sites.latency_s(site, other));
      LinkCut of_hosts;
      for (const int number : sites.classes(site)) {
        const RouteCost own = taken_in ? demand.graph().down(number) : demand.graph().up(number);
        hosts += demand.graph().hosts_in(number);
        of_hosts.pieces.push_back({.host_class = number,
                                   .up = !taken_in,
                                   .bandwidth_Bps = own.bandwidth_Bps * demand.graph().hosts_in(number),
                                   .latency_s = least_s});
      }
      const bool limited = (taken_in ? sites.down_Bps(site) : sites.up_Bps(site)) < infinite;
      if (hosts < 2 || !limited) continue;
      for (const std::optional<Boundary>& boundary :
           {links_of_routes(sites, site, taken_in), link_of_all_routes(demand.network(), sites, site, taken_in)}) {
        if (!boundary) continue;
        LinkCut cut = cut_of(demand.network(), *boundary, around.latency_s());
        cut.pieces.insert(cut.pieces.end(), of_hosts.pieces.begin(), of_hosts.pieces.end());
        best.offer_cut(cut, BoundKind::partition, bytes * hosts);
      }
    }
}

struct JudgedPartition {
  double seconds_per_byte;
  std::vector<int> part_of_site;
  int parts;
};

class PartitionSearch {
 public:
  PartitionSearch(const Demand& demand, const SiteGraph& sites)
      : network_(demand.network()), sites_(sites), uses_(network_.links.size()), part_of_site_(sites.sites()) {}

  std::vector<JudgedPartition> most_promising() {
    if (sites_.sites() <= few_sites_of_partitions)
      place(0, 0);
    else
      join();
    return judged_;
  }

 private:
  /// All ways to join sites: each goes to one of the parts of those before it, or begins the next part.
  void place(int site, int parts) {
    if (site == sites_.sites()) return judge(parts);
    for (int part = 0; part <= parts; ++part) {
      part_of_site_[site] = part;
      count(site, +1);
      place(site + 1, std::max(parts, part + 1));
      count(site, -1);
    }
  }

  /// Of the links between a site and those before it in other parts.
  void count(int site, int more) {
    for (int other = 0; other < site; ++other)
      if (part_of_site_[other] != part_of_site_[site]) {
        count_pair(site, other, more);
        count_pair(other, site, more);
      }
  }

  void count_pair(int from, int to, int more) {
    if (sites_.is_unlimited(from, to)) unlimited_ += more;
    for (const int link : sites_.links(from, to)) {
      const int before = uses_[link];
      uses_[link] += more;
      if (before == 0) links_Bps_ += network_.links[link].bandwidth_Bps;
      if (uses_[link] == 0) links_Bps_ -= network_.links[link].bandwidth_Bps;
    }
  }

  void judge(int parts) {
    if (parts < 2 || unlimited_ > 0 || !(links_Bps_ > 0)) return;
    const double seconds_per_byte = (parts - 1) / links_Bps_;
    if (judged_.size() == max_judged && seconds_per_byte <= judged_.back().seconds_per_byte) return;
    if (judged_.size() == max_judged) judged_.pop_back();
    judged_.push_back({seconds_per_byte, part_of_site_, parts});
    std::ranges::sort(judged_, std::greater<>(), &JudgedPartition::seconds_per_byte);
  }

  void join() {
    std::iota(part_of_site_.begin(), part_of_site_.end(), 0);
    const int count = sites_.sites();
    std::vector<double> between(static_cast<std::size_t>(count) * count);
    const auto at = [&](int a, int b) -> double& { return between[static_cast<std::size_t>(a) * count + b]; };
    for (int a = 0; a < count; ++a)
      for (int b = 0; b < count; ++b)
        if (a != b) at(a, b) = sites_.bandwidth_Bps(a, b) + sites_.bandwidth_Bps(b, a);
    std::vector<int> left(count);
    std::iota(left.begin(), left.end(), 0);
    for (; left.size() > 1;) {
      links_Bps_ = 0;
      unlimited_ = 0;
      std::ranges::fill(uses_, 0);
      for (int site = 0; site < count; ++site) this->count(site, +1);
      judge(static_cast<int>(left.size()));
      int one = left[0], other = left[1];
      for (const int a : left)
        for (const int b : left)
          if (a < b && at(a, b) > at(one, other)) one = a, other = b;
      std::erase(left, other);
      std::ranges::replace(part_of_site_, int{other}, int{one});
      for (const int third : left)
        if (third != one)
          at(std::min(one, third), std::max(one, third)) += at(std::min(other, third), std::max(other, third));
    }
  }

  const Network& network_;
  const SiteGraph& sites_;
  std::vector<int> uses_;  // by link: between how many pairs of sites in different parts
  std::vector<int> part_of_site_;
  double links_Bps_ = 0;
  int unlimited_ = 0;
  std::vector<JudgedPartition> judged_;
};

}  // namespace

void consider_partitions(const Demand& demand, const SiteGraph& sites, double bytes, BestBound& best) {
  if (bytes <= 0 || has_parallel_routes(demand.network())) return;
  AroundLinks around(demand);
  consider_groups(demand, around, bytes, best);
  consider_hosts(demand, OwnLatencies(demand), bytes, best);
  if (sites.sites() < 2) return;
  consider_hosts_of_sites(demand, sites, around, bytes, best);
  for (const JudgedPartition& judged : PartitionSearch(demand, sites).most_promising()) {
    std::set<std::pair<int, int>> ends;
    for (int site = 0; site < sites.sites(); ++site)
      for (const int rank : sites.ranks(site))
        ends.emplace(demand.network().hosts[demand.host(rank)].endpoint, judged.part_of_site[site]);
    consider_parts(demand, around, ends, judged.parts, bytes, best);
  }
}

}  // namespace isthmus::bounds
