#include "algorithms/bounds/site_sets.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

namespace isthmus::bounds {
namespace {

constexpr int few_sites_of_sets = 12;       // whose sets are all compared
constexpr std::size_t max_judged_sets = 4;  // the best sets, for which the cut is found by flows
constexpr int max_climbs = 3, max_steps = 6;

using Set = std::uint64_t;  // of sites: a bit each

struct JudgedSet {
  double seconds;
  Set set;
};

class SetSearch {
 public:
  SetSearch(const Demand& demand, const SiteGraph& sites)
      : demand_(demand), sites_(sites), seen_(demand.network().links.size(), 0) {
    const int count = sites.sites();
    if (is_scan(demand.collective())) {
      find_steps();
    } else if (!is_alltoall(demand.collective())) {
      for (int site = 0; site < count; ++site) bytes_.push_back(demand.bytes_of(sites.ranks(site)));
    } else {
      for (int from = 0; from < count; ++from)
        for (int to = 0; to < count; ++to)
          bytes_.push_back(from == to ? 0 : demand.bytes_between(sites.ranks(from), sites.ranks(to)));
    }
    for (int site = 0; site < count; ++site)
      if (std::ranges::binary_search(sites.ranks(site), demand.problem().root)) root_ = site;
  }

  std::vector<JudgedSet> most_promising() {
    if (sites_.sites() <= few_sites_of_sets)
      for (Set set = 1; set + 1 < Set{1} << sites_.sites(); ++set) judge(set);
    else
      judge_some();
    std::ranges::sort(judged_, std::greater<>(), &JudgedSet::seconds);
    if (judged_.size() > max_judged_sets) judged_.resize(max_judged_sets);
    return judged_;
  }

  /// The bytes that have to leave the set.
  double bytes(Set set) const {
    double bytes = 0;
    if (is_alltoall(demand_.collective()) || is_scan(demand_.collective())) {
      for (int from = 0; from < sites_.sites(); ++from)
        for (int to = 0; to < sites_.sites(); ++to)
          if (has(set, from) && !has(set, to)) bytes += bytes_[static_cast<std::size_t>(from) * sites_.sites() + to];
      return bytes;
    }
    if (is_gather(demand_.collective()) && has(set, root_)) return 0;
    if (is_scatter(demand_.collective()) && !has(set, root_)) return 0;
    const bool of_inside = is_gather(demand_.collective()) || is_allgather(demand_.collective());
    for (int site = 0; site < sites_.sites(); ++site)
      if (has(set, site) == of_inside) bytes += bytes_[site];
    return bytes;
  }

  static bool has(Set set, int site) { return (set >> site & 1) != 0; }

 private:
  /// In a scan a set of sites has to hear, for every step in the order of ranks from a site outside it to one inside,
  /// the sum of the ranks outside before that step: these sums are independent of each other.
  void find_steps() {
    bytes_.assign(static_cast<std::size_t>(sites_.sites()) * sites_.sites(), 0);
    std::vector<int> site_of(demand_.size());
    for (int site = 0; site < sites_.sites(); ++site)
      for (const int rank : sites_.ranks(site)) site_of[rank] = site;
    for (int rank = 1; rank < demand_.size(); ++rank)
      if (site_of[rank - 1] != site_of[rank])
        bytes_[static_cast<std::size_t>(site_of[rank - 1]) * sites_.sites() + site_of[rank]] += demand_.vector_bytes();
  }

  double judge(Set set) {
    const double bytes = this->bytes(set);
    if (bytes <= 0) return 0;
    ++epoch_;
    double links_Bps = 0, up_Bps = 0, down_Bps = 0, latency_s = infinite;
    for (int from = 0; from < sites_.sites(); ++from) {
      if (!has(set, from)) {
        down_Bps += sites_.down_Bps(from);
        continue;
      }
      up_Bps += sites_.up_Bps(from);
      for (int to = 0; to < sites_.sites(); ++to) {
        if (has(set, to)) continue;
        latency_s = std::min(latency_s, sites_.latency_s(from, to));
        if (sites_.is_unlimited(from, to)) links_Bps = infinite;
        for (const int link : sites_.links(from, to)) {
          if (seen_[link] == epoch_) continue;
          seen_[link] = epoch_;
          links_Bps += demand_.network().links[link].bandwidth_Bps;
        }
      }
    }
    const double seconds = latency_s + bytes / std::min({links_Bps, up_Bps, down_Bps});
    judged_.push_back({seconds, set});
    return seconds;
  }

  /// Every site alone and together with the others that the widest links join to it; the complements of these; then
  /// single sites more or less than the best of them.
  void judge_some() {
    const Set all = sites_.sites() == 64 ? ~Set{0} : (Set{1} << sites_.sites()) - 1;
    for (const Set set : joined_sets()) {
      judge(set);
      judge(all & ~set);
    }
    std::ranges::sort(judged_, std::greater<>(), &JudgedSet::seconds);
    std::vector<JudgedSet> starts = judged_;
    if (starts.size() > max_climbs) starts.resize(max_climbs);
    for (JudgedSet at : starts) {
      for (int step = 0; step < max_steps; ++step) {
        const JudgedSet before = at;
        for (int site = 0; site < sites_.sites(); ++site) {
          const Set moved = before.set ^ Set { 1 } << site;
          if (moved == 0 || moved == all) continue;
          const double seconds = judge(moved);
          if (seconds > at.seconds) at = {seconds, moved};
        }
        if (at.set == before.set) break;
      }
    }
    std::ranges::sort(judged_, {}, &JudgedSet::set);
    const auto is_same = [](const JudgedSet& one, const JudgedSet& other) { return one.set == other.set; };
    judged_.erase(std::unique(judged_.begin(), judged_.end(), is_same), judged_.end());
  }

  std::vector<Set> joined_sets() const {
    std::vector<Set> sets, current;
    for (int site = 0; site < sites_.sites(); ++site) current.push_back(Set{1} << site);
    const int count = sites_.sites();
    std::vector<double> between(static_cast<std::size_t>(count) * count);  // both ways, of the sets in `current`
    const auto at = [&](std::size_t a, std::size_t b) -> double& { return between[a * count + b]; };
    for (int a = 0; a < count; ++a)
      for (int b = 0; b < count; ++b)
        if (a != b) at(a, b) = sites_.bandwidth_Bps(a, b) + sites_.bandwidth_Bps(b, a);
    sets = current;
    std::vector<std::size_t> left;
    for (std::size_t site = 0; site < current.size(); ++site) left.push_back(site);
    while (left.size() > 2) {
      std::size_t one = left[0], other = left[1];
      for (const std::size_t a : left)
        for (const std::size_t b : left)
          if (a < b && at(a, b) > at(one, other)) one = a, other = b;
      current[one] |= current[other];
      sets.push_back(current[one]);
      std::erase(left, other);
      for (const std::size_t third : left)
        if (third != one)
          at(std::min(one, third), std::max(one, third)) += at(std::min(other, third), std::max(other, third));
    }
    return sets;
  }

  const Demand& demand_;
  const SiteGraph& sites_;
  int root_ = 0;
  std::vector<double> bytes_;  // by site; for alltoall and scans by pair
  std::vector<std::uint32_t> seen_;
  std::uint32_t epoch_ = 0;
  std::vector<JudgedSet> judged_;
};

}  // namespace

void consider_site_sets(const Demand& demand, const SiteGraph& sites, BestBound& best) {
  if (sites.sites() < 2) return;
  SetSearch search(demand, sites);
  const LinkGraph& graph = demand.graph();
  const int root_host = demand.host(demand.problem().root);
  const LinkGraph::Hosts root = one_of(demand, graph.class_of(root_host));
  for (const JudgedSet& judged : search.most_promising()) {
    std::vector<bool> inside(sites.sites());
    for (int site = 0; site < sites.sites(); ++site) inside[site] = SetSearch::has(judged.set, site);
    const LinkGraph::Hosts from = sites.part(inside).hosts, to = without(graph.everybody(), from);
    const double bytes = search.bytes(judged.set);
    if (is_gather(demand.collective()))
      best.consider(from, root, bytes, -1, root_host);
    else if (is_scatter(demand.collective()))
      best.consider(root, to, bytes, root_host);
    else
      best.consider(from, to, bytes);
  }
}

}  // namespace isthmus::bounds
