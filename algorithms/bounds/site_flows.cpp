#include "algorithms/bounds/site_flows.hpp"

#include <algorithm>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace isthmus::bounds {
namespace {

constexpr int max_sites_of_flows = 12;
constexpr std::size_t max_site_flows = 24;

/// A flow between the hosts of some sites and `hosts` of another one.
struct SiteFlow {
  double about_s, bytes;
  Part others;
  LinkGraph::Hosts hosts;
  int host;   ///< one of these
  bool into;  ///< to the one site, else out of it
};

class SiteFlows {
 public:
  SiteFlows(const Demand& demand, const SiteGraph& sites) : demand_(demand), sites_(sites) {}

  std::vector<SiteFlow> most_promising() {
    const Collective collective = demand_.collective();
    const int root = demand_.problem().root;
    for (int site = 0; site < sites_.sites(); ++site) {
      const bool has_the_root = std::ranges::binary_search(sites_.ranks(site), root);
      const bool into = is_allgather(collective) || is_gather(collective) || is_alltoall(collective);
      if ((is_gather(collective) || is_scatter(collective)) && !has_the_root) continue;
      if (into) add(site, true);
      if (!into || is_alltoall(collective)) add(site, false);
    }
    std::ranges::stable_sort(flows_, std::greater<>(), &SiteFlow::about_s);
    if (flows_.size() > max_site_flows) flows_.erase(flows_.begin() + max_site_flows, flows_.end());
    return std::move(flows_);
  }

 private:
  double latency_s(int site, int other, bool into) const {
    return into ? sites_.latency_s(other, site) : sites_.latency_s(site, other);
  }

  /// The hosts of the one site that count: all of them, the root's, or any one.
  LinkGraph::Hosts hosts_of(int site, int host) const {
    if (!is_alltoall(demand_.collective())) return one_of(demand_, demand_.graph().class_of(host));
    std::vector<bool> chosen(sites_.sites());
    chosen[site] = true;
    return sites_.part(chosen).hosts;
  }

  double bytes(const std::vector<int>& others, int site, bool into) const {
    if (!is_alltoall(demand_.collective())) return demand_.bytes_of(others);
    return into ? demand_.bytes_between(others, sites_.ranks(site)) : demand_.bytes_between(sites_.ranks(site), others);
  }

  void add(int site, bool into) {
    std::vector<int> order;
    for (int other = 0; other < sites_.sites(); ++other)
      if (other != site) order.push_back(other);
    std::ranges::stable_sort(order, std::greater<>(), [&](int other) { return latency_s(site, other, into); });
    const bool has_root = is_gather(demand_.collective()) || is_scatter(demand_.collective());
    const int host = demand_.host(has_root ? demand_.problem().root : sites_.ranks(site).front());
    const auto consider = [&](std::span<const int> chosen_sites) {
      std::vector<bool> chosen(sites_.sites());
      double rate_Bps = 0, nearest_s = infinite;
      for (const int other : chosen_sites) {
        chosen[other] = true;
        rate_Bps += into ? sites_.bandwidth_Bps(other, site) : sites_.bandwidth_Bps(site, other);
        nearest_s = std::min(nearest_s, latency_s(site, other, into));
      }
      Part others = sites_.part(chosen);
      const double moved = bytes(others.ranks, site, into);
      if (moved > 0)
        flows_.push_back({nearest_s + moved / rate_Bps, moved, std::move(others), hosts_of(site, host), host, into});
    };
    for (std::size_t i = 0; i < order.size(); ++i) consider(std::span(order).subspan(i, 1));
    for (std::size_t count = 2; count <= order.size(); ++count) consider(std::span(order).first(count));
  }

  const Demand& demand_;
  const SiteGraph& sites_;
  std::vector<SiteFlow> flows_;
};

}  // namespace

void consider_site_flows(const Demand& demand, const SiteGraph& sites, BestBound& best) {
  if (sites.sites() < 2 || sites.sites() > max_sites_of_flows) return;
  for (const SiteFlow& flow : SiteFlows(demand, sites).most_promising()) {
    const int other = demand.host(flow.others.ranks.front());
    if (flow.into)
      best.consider_flow(flow.others.hosts, flow.hosts, flow.bytes, other, flow.host);
    else
      best.consider_flow(flow.hosts, flow.others.hosts, flow.bytes, flow.host, other);
  }
}

}  // namespace isthmus::bounds
