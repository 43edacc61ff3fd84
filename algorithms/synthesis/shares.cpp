#include "algorithms/synthesis/shares.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <utility>

#include "algorithms/synthesis/due_times.hpp"

namespace isthmus {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// Members of a site are added until the links of none are filled above this.
constexpr double kFillOfDriver = 0.7;
constexpr double kFillOfHost = 0.9;
/// In thousandths of the time: how long before a site's own piece sets out the relayed ones should have come in.
constexpr int kSlack = 30;

std::vector<std::vector<FluidWay*>> by_commodity(Fluid& fluid, const Commodities& commodities) {
  std::vector<std::vector<FluidWay*>> ways(commodities.list.size());
  for (FluidWay& way : fluid.ways) ways[way.timed.commodity].push_back(&way);
  return ways;
}

/// Whole numbers near the parts that add up to kShares, each at least 1: largest remainders.
std::vector<std::int64_t> whole_shares(const std::vector<double>& parts) {
  if (parts.size() == 1) return {1};
  double sum = 0;
  for (const double part : parts) sum += part;
  std::vector<std::int64_t> shares;
  std::vector<std::pair<double, std::size_t>> remainders;
  std::int64_t left = kShares;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const double exact = static_cast<double>(kShares) * parts[i] / sum;
    shares.push_back(std::max<std::int64_t>(1, static_cast<std::int64_t>(std::floor(exact))));
    remainders.push_back({std::floor(exact) - exact, i});
    left -= shares.back();
  }
  std::sort(remainders.begin(), remainders.end());
  for (std::size_t i = 0; left > 0; ++i, --left) ++shares[remainders[i % remainders.size()].second];
  return shares;
}

/// What the member with the slowest link can send and receive.
double least_member_Bps(const SiteNetwork& network, const Site& site) {
  double least_Bps = unlimited_Bps;
  for (const int rank : site.ranks) least_Bps = std::min({least_Bps, network.out_Bps(rank), network.in_Bps(rank)});
  return least_Bps;
}

/// The number of members of each site that take part in its wide-area traffic along trees.
std::vector<int> drivers_of(const Fluid& fluid, const SiteNetwork& network, const SiteRows& rows) {
  std::vector<double> load_Bps(network.size());
  double chain_Bps = 0;  // what a member passes on to the next
  const auto load_tree = [&](const std::vector<int>& tree, const std::vector<int>& apart, double rate_Bps) {
    chain_Bps += rate_Bps;
    for (int s = 0; s < network.size(); ++s) {
      load_Bps[s] += rate_Bps;
      const int edges = std::binary_search(apart.begin(), apart.end(), s) ? network.site(s).hosts : 1;
      if (tree[s] != s) load_Bps[tree[s]] += edges * rate_Bps;
    }
  };
  for (const FluidWay& used : fluid.ways) {
    const Way& way = used.timed.way;
    load_tree(way.sites, way.apart, used.rate_Bps);
    if (!way.back.empty()) load_tree(way.back, way.back_apart, used.rate_Bps);
  }
  std::vector<int> drivers;
  bool several = false;
  for (int s = 0; s < network.size(); ++s) {
    const Site& site = network.site(s);
    const double mean_Bps = rows.site_Bps(s) / (rows.can_help(s) ? 1 : site.hosts);
    const double host_Bps = std::min(mean_Bps, least_member_Bps(network, site));
    const double hosts =
        std::clamp(std::ceil(load_Bps[s] / (kFillOfDriver * host_Bps)), 1.0, static_cast<double>(site.hosts));
    const int ranks = static_cast<int>(site.ranks.size());
    // Where the members' copies and a driver's edges are more than its host can send, all drive and take turns.
    const bool all = chain_Bps + load_Bps[s] / 2 / hosts > kFillOfHost * host_Bps;
    // Neighbouring ranks may share a host.
    const int some = static_cast<int>(hosts) > 1 ? static_cast<int>(hosts) * ranks / site.hosts : 1;
    drivers.push_back(all ? ranks : std::min(ranks, some));
    several = several || drivers.back() > 1;
  }
  if (!several) drivers.clear();
  return drivers;
}

/// The time of an average hop, weighted by what crosses it.
double mean_hop_s(const Fluid& fluid, const Commodities& commodities, const SiteRows& rows) {
  double seconds = 0, bytes = 0;
  const auto add_tree = [&](const std::vector<int>& tree, TreeUse use, double moved) {
    for (int v = 0; v < rows.sites(); ++v) {
      if (tree[v] == v) continue;
      seconds += moved * rows.hop(use).at(tree[v], v);
      bytes += moved;
    }
  };
  for (const FluidWay& used : fluid.ways) {
    const Way& way = used.timed.way;
    if (commodities.kind == WayKind::paths) {
      for (std::size_t i = 1; i < way.sites.size(); ++i) {
        seconds += used.bytes * rows.hop(TreeUse::out).at(way.sites[i - 1], way.sites[i]);
        bytes += used.bytes;
      }
    } else {
      add_tree(way.sites, commodities.kind == WayKind::trees_out ? TreeUse::out : TreeUse::in, used.bytes);
      if (!way.back.empty()) add_tree(way.back, TreeUse::out, used.bytes);
    }
  }
  return bytes > 0 ? seconds / bytes : 0;
}

/// The longest time for which a piece occupies a link between sites.
double longest_occupation_s(const Fluid& fluid, const Commodities& commodities, const SiteNetwork& network,
                            const SiteRows& rows) {
  double longest_s = 0;
  const auto look = [&](const Parents& tree, TreeUse use) {
    for (int v = 0; v < static_cast<int>(tree.size()); ++v) {
      if (tree[v] == v) continue;
      const SiteEdge& edge = use == TreeUse::out ? network.edge(tree[v], v) : network.edge(v, tree[v]);
      longest_s = std::max(longest_s, occupation_s(network.network(), edge.links, rows.piece_bytes()));
    }
  };
  if (commodities.kind == WayKind::paths) return 0;
  for (const FluidWay& used : fluid.ways) {
    look(used.timed.way.sites, commodities.kind == WayKind::trees_out ? TreeUse::out : TreeUse::in);
    if (!used.timed.way.back.empty()) look(used.timed.way.back, TreeUse::out);
  }
  return longest_s;
}

}  // namespace

void join_halves(Fluid& fluid) {
  struct Halves {
    std::vector<FluidWay> in, out;
  };
  std::map<int, Halves> of_root;
  for (FluidWay& half : fluid.ways) {
    const bool in = half.timed.way.back.empty();
    Halves& halves = of_root[root_of(in ? half.timed.way.sites : half.timed.way.back)];
    (in ? halves.in : halves.out).push_back(std::move(half));
  }
  fluid.ways.clear();
  // Those of long latency with those of short latency, so that the ways end at about the same time.
  const auto shorter = [](const FluidWay& a, const FluidWay& b) { return a.timed.latency_s < b.timed.latency_s; };
  for (auto& [root, halves] : of_root) {
    std::ranges::stable_sort(halves.in, shorter);
    std::ranges::stable_sort(halves.out, std::not_fn(shorter));
    for (auto in = halves.in.begin(), out = halves.out.begin(); in != halves.in.end() && out != halves.out.end();) {
      FluidWay way = *in;
      way.timed.way.back = out->timed.way.back;
      way.timed.way.back_apart = out->timed.way.back_apart;
      way.timed.latency_s += out->timed.latency_s;
      way.rate_Bps = std::min(in->rate_Bps, out->rate_Bps);
      in->rate_Bps -= way.rate_Bps;
      out->rate_Bps -= way.rate_Bps;
      if (in->rate_Bps <= 0) ++in;
      if (out->rate_Bps <= 0) ++out;
      fluid.ways.push_back(std::move(way));
    }
  }
}

void set_end(Fluid& fluid, const Commodities& commodities) {
  fluid.seconds = 0;
  for (std::vector<FluidWay*>& ways : by_commodity(fluid, commodities)) {
    if (ways.empty()) {
      fluid.seconds = kInfinity;
      continue;
    }
    std::stable_sort(ways.begin(), ways.end(),
                     [](const FluidWay* a, const FluidWay* b) { return a->timed.latency_s < b->timed.latency_s; });
    const double all = commodities.list[ways.front()->timed.commodity].bytes;
    double rate = 0, late = 0, end_s = kInfinity;
    for (const FluidWay* way : ways) {
      if (way->timed.latency_s >= end_s) break;
      rate += way->rate_Bps;
      late += way->rate_Bps * way->timed.latency_s;
      end_s = (all + late) / rate;
    }
    fluid.seconds = std::max(fluid.seconds, end_s);
  }
  for (FluidWay& way : fluid.ways) way.bytes = way.rate_Bps * std::max(0.0, fluid.seconds - way.timed.latency_s);
}

void drop_slivers(Fluid& fluid, const Commodities& commodities, double sliver) {
  std::vector<double> all(commodities.list.size()), most(commodities.list.size());
  for (const FluidWay& way : fluid.ways) {
    all[way.timed.commodity] += way.bytes;
    most[way.timed.commodity] = std::max(most[way.timed.commodity], way.bytes);
  }
  std::erase_if(fluid.ways, [&](const FluidWay& way) {
    const int c = way.timed.commodity;
    return !(way.bytes > sliver * all[c] || (way.bytes > 0 && way.bytes == most[c]));
  });
}

Packing packing_of(const Fluid& fluid, const Commodities& commodities, const SiteNetwork& network,
                   const SiteRows& rows) {
  Packing packing;
  Fluid sorted = fluid;
  for (const std::vector<FluidWay*>& ways : by_commodity(sorted, commodities)) {
    if (ways.empty() || ways.front()->timed.way.sites.empty()) continue;
    std::vector<double> parts;
    for (const FluidWay* way : ways) parts.push_back(way->bytes);
    const std::vector<std::int64_t> shares = whole_shares(parts);
    for (std::size_t i = 0; i < ways.size(); ++i) {
      packing.ways.push_back(ways[i]->timed.way);
      packing.ways.back().share = shares[i];
    }
  }
  if (commodities.kind != WayKind::paths) packing.drivers = drivers_of(fluid, network, rows);
  packing.lag = static_cast<int>(std::lround(1000 * mean_hop_s(fluid, commodities, rows) / fluid.seconds));
  // A piece is not on time to less than what it occupies a link for.
  const double piece_s = 2 * longest_occupation_s(fluid, commodities, network, rows);
  packing.slack =
      commodities.paced ? std::max(kSlack, static_cast<int>(std::min(1000.0, 1000 * piece_s / fluid.seconds))) : 0;
  return packing;
}

}  // namespace isthmus
