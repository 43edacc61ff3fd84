#include "algorithms/synthesis/reach.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "algorithms/errors.hpp"

namespace isthmus {
namespace {

/// The sites that a site reaches, itself among them; or that reach it.
std::vector<char> reached(const SiteNetwork& network, int start, bool backwards) {
  std::vector<char> seen(network.size());
  std::vector<int> open{start};
  seen[start] = 1;
  while (!open.empty()) {
    const int u = open.back();
    open.pop_back();
    for (int v = 0; v < network.size(); ++v) {
      if (seen[v] != 0 || !(backwards ? network.edge(v, u) : network.edge(u, v)).exists) continue;
      seen[v] = 1;
      open.push_back(v);
    }
  }
  return seen;
}

void require(const SiteNetwork& network, int site, bool backwards) {
  const std::vector<char> seen = reached(network, site, backwards);
  constexpr int kMaxNames = 5;
  std::string names;
  int missing = 0;
  for (int s = 0; s < network.size(); ++s) {
    if (seen[s] != 0 || ++missing > kMaxNames) continue;
    names += (names.empty() ? "" : ", ") + network.site(s).name;
  }
  if (missing == 0) return;
  if (missing > kMaxNames) names += fmt::format(" and {} more", missing - kMaxNames);
  throw BadInput(backwards ? fmt::format("{}: no way to site {} from {}; a route with bandwidth would be right",
                                         network.network().name, network.site(site).name, names)
                           : fmt::format("{}: no way from site {} to {}; a route with bandwidth would be right",
                                         network.network().name, network.site(site).name, names));
}

}  // namespace

void require_reach(const SiteNetwork& network, const Commodities& commodities) {
  const int root_site = commodities.root < 0 ? 0 : network.site_of(commodities.root);
  const bool from_root = commodities.root < 0 || commodities.kind == WayKind::trees_out ||
                         (commodities.kind == WayKind::paths && !commodities.to_root);
  if (from_root) require(network, root_site, false);
  if (commodities.root < 0 || !from_root) require(network, root_site, true);
}

}  // namespace isthmus
