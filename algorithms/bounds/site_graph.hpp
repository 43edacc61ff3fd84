// The network seen from far: sites, and for each route from one to another the shared link that limits it most.
//
// A site is one endpoint of routes, with all hosts that attach there. More than 64 endpoints are joined along the
// widest routes until 64 sites are left. How the file groups its hosts does not matter.
#pragma once

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "algorithms/bounds/demand.hpp"

namespace isthmus::bounds {

/// By link: the least latency of its routes before it, its own, and the least behind it. The link is unused for this
/// long at least, at the beginning and at the end together. The two least may be of different routes: a link that
/// messages of both directions share can serve first those that start beside it, and last those that end beside it.
/// Infinite for links without a route. Goes through all routes of the network.
std::vector<double> latencies_around_links(const Demand& demand);

class SiteGraph {
 public:
  /// No sites at all where there are too many endpoints for this. `demand` must outlive it.
  explicit SiteGraph(const Demand& demand);

  int sites() const { return static_cast<int>(ranks_.size()); }
  const std::vector<int>& ranks(int site) const { return ranks_[site]; }  ///< ascending
  /// Between two different sites: the slowest shared link of each route, without repetitions.
  const std::vector<int>& links(int from, int to) const { return links_[index(from, to)]; }
  /// All shared links of the route, if there is just one; else empty.
  const std::vector<int>& route_links(int from, int to) const { return route_links_[index(from, to)]; }
  /// Whether some route between them has no shared link, so that nothing limits it.
  bool is_unlimited(int from, int to) const { return unlimited_[index(from, to)] != 0; }
  /// Of the links between them; infinite if nothing limits it.
  double bandwidth_Bps(int from, int to) const { return bandwidth_Bps_[index(from, to)]; }
  /// The least latency of a route between two of their hosts.
  double latency_s(int from, int to) const { return latency_s_[index(from, to)]; }
  /// How long a link is unused, at the beginning and at the end together (latencies_around_links).
  double link_latency_s(int link) const { return link_latency_s_[link]; }
  /// The least latency of the own links of a host, out and then in of another of this site.
  double own_latency_s(int site) const { return own_latency_s_[site]; }
  /// The classes of its hosts.
  const std::vector<int>& classes(int site) const { return classes_[site]; }
  /// The hosts' own links together.
  double up_Bps(int site) const { return up_Bps_[site]; }
  double down_Bps(int site) const { return down_Bps_[site]; }

  /// The ranks of some sites, ascending, with their hosts.
  Part part(const std::vector<bool>& chosen) const;

 private:
  std::size_t index(int from, int to) const { return static_cast<std::size_t>(from) * ranks_.size() + to; }
  /// The ranks and classes of hosts of each site. By endpoint: the least latencies of hosts' own links out and in.
  std::map<int, std::pair<double, double>> add_hosts(const std::map<int, int>& site_of);
  /// What lies between the sites.
  void add_routes(const std::map<int, int>& site_of, const std::map<int, std::pair<double, double>>& own_s);

  const Demand& demand_;
  std::vector<std::vector<int>> ranks_;
  std::vector<std::vector<int>> classes_;
  std::vector<std::vector<int>> links_, route_links_;  // by pair
  std::vector<char> unlimited_;
  std::vector<double> bandwidth_Bps_, latency_s_, up_Bps_, down_Bps_, own_latency_s_, link_latency_s_;
};

}  // namespace isthmus::bounds
