#include "algorithms/measuring/load/joined_links.hpp"

#include <algorithm>
#include <cstddef>

#include "algorithms/measuring/load/fair_rates.hpp"
#include "algorithms/measuring/load/loaded_rates.hpp"

namespace isthmus {
namespace {

constexpr double equal_rates = 0.95;  // two links whose rates differ by more are two
constexpr double tells = 0.9;         // share of what two links carry below which a test tells them from one

bool crosses_all_of(const SharedLink& one, const SharedLink& other) {
  return std::ranges::includes(one.routes, other.routes);
}

SharedLink both_of(const SharedLink& one, const SharedLink& other) {
  if (crosses_all_of(one, other)) return one;
  if (crosses_all_of(other, one)) return other;
  SharedLink joined{"line", -1, std::max(one.bandwidth_Bps, other.bandwidth_Bps), one.routes};
  joined.routes.insert(other.routes.begin(), other.routes.end());
  return joined;
}

std::vector<SharedLink> with_joined(std::vector<SharedLink> links, std::size_t one, std::size_t other) {
  links[one] = both_of(links[one], links[other]);
  links.erase(links.begin() + static_cast<std::ptrdiff_t>(other));
  return links;
}

std::vector<SharedLink> with(std::vector<SharedLink> links, const std::vector<SharedLink>& more) {
  links.insert(links.end(), more.begin(), more.end());
  return links;
}

/// Routes of either link: two of them, all unless they are many, or those from each part to the n-th after it.
std::vector<std::vector<PartRoute>> tests_of(const SharedLink& one, const SharedLink& other,
                                             const std::vector<int>& parts) {
  std::vector<std::vector<PartRoute>> tests;
  for (const PartRoute& first : one.routes)
    for (const PartRoute& second : other.routes)
      if (!one.routes.contains(second) && !other.routes.contains(first)) tests.push_back({first, second});
  const SharedLink both = both_of(one, other);
  if (both.routes.size() <= 2 * parts.size()) tests.emplace_back(both.routes.begin(), both.routes.end());
  for (std::size_t step = 1; step < parts.size(); ++step) {
    std::vector<PartRoute>& ring = tests.emplace_back();
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const PartRoute route(parts[i], parts[(i + step) % parts.size()]);
      if (one.routes.contains(route) || other.routes.contains(route)) ring.push_back(route);
    }
  }
  return tests;
}

}  // namespace

double carried_Bps(const std::vector<SharedLink>& links, const std::vector<PartRoute>& routes,
                   const std::function<double(PartRoute)>& alone_Bps) {
  std::vector<double> links_Bps, limits_Bps;
  std::vector<std::vector<int>> links_of;
  for (const SharedLink& link : links) links_Bps.push_back(link.bandwidth_Bps);
  for (const PartRoute& route : routes) {
    limits_Bps.push_back(alone_Bps(route));
    std::vector<int>& crossed = links_of.emplace_back();
    for (std::size_t link = 0; link < links.size(); ++link)
      if (links[link].routes.contains(route)) crossed.push_back(static_cast<int>(link));
  }
  return sum_of(fair_rates_Bps(links_Bps, links_of, limits_Bps));
}

std::vector<SharedLink> joined_links(std::vector<SharedLink> links, const std::vector<SharedLink>& buses,
                                     const std::vector<int>& parts, const std::function<double(PartRoute)>& alone_Bps,
                                     const std::function<double(const std::vector<PartRoute>&)>& together_Bps) {
  const auto are_one = [&](std::size_t one, std::size_t other) {
    const double wider_Bps = std::max(links[one].bandwidth_Bps, links[other].bandwidth_Bps);
    if (std::min(links[one].bandwidth_Bps, links[other].bandwidth_Bps) < equal_rates * wider_Bps) return false;
    if (crosses_all_of(links[one], links[other]) || crosses_all_of(links[other], links[one])) return true;
    const std::vector<SharedLink> joined = with_joined(links, one, other);
    std::vector<PartRoute> best;
    double best_two_Bps = 0, best_one_Bps = 0, share = tells;
    for (const std::vector<PartRoute>& test : tests_of(links[one], links[other], parts)) {
      if (test.size() < 2) continue;
      const double two_Bps = carried_Bps(with(links, buses), test, alone_Bps),
                   one_Bps = carried_Bps(with(joined, buses), test, alone_Bps);
      if (one_Bps < share * two_Bps)
        share = one_Bps / two_Bps, best = test, best_two_Bps = two_Bps, best_one_Bps = one_Bps;
    }
    return !best.empty() && together_Bps(best) < (best_one_Bps + best_two_Bps) / 2;
  };
  for (std::size_t one = 0; one < links.size(); ++one) {
    for (std::size_t other = one + 1; other < links.size();) {
      if (are_one(one, other)) {
        links = with_joined(links, one, other);
        other = one + 1;  // the others may be the same link as well
      } else {
        ++other;
      }
    }
  }
  return links;
}

void add_routes_of_lines(std::vector<SharedLink>& links, const std::vector<SharedLink>& buses,
                         const std::vector<PartRoute>& routes, const std::function<double(PartRoute)>& alone_Bps,
                         const std::function<double(const std::vector<PartRoute>&)>& together_Bps) {
  for (std::size_t line = 0; line < links.size(); ++line) {
    if (links[line].name != "line") continue;
    for (const PartRoute& route : routes) {
      if (links[line].routes.contains(route) || alone_Bps(route) * equal_rates > links[line].bandwidth_Bps) continue;
      std::vector<SharedLink> with_it = links;
      with_it[line].routes.insert(route);
      std::vector<PartRoute> best;
      double least_Bps = 0, share = tells;
      for (const PartRoute& known : links[line].routes) {
        const double apart_Bps = carried_Bps(with(links, buses), {known, route}, alone_Bps),
                     on_it_Bps = carried_Bps(with(with_it, buses), {known, route}, alone_Bps);
        if (on_it_Bps < share * apart_Bps)
          share = on_it_Bps / apart_Bps, best = {known, route}, least_Bps = (on_it_Bps + apart_Bps) / 2;
      }
      if (!best.empty() && together_Bps(best) < least_Bps) links[line].routes.insert(route);
    }
  }
}

}  // namespace isthmus
