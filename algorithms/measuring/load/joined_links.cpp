#include "algorithms/measuring/load/joined_links.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "algorithms/measuring/load/fair_rates.hpp"
#include "algorithms/measuring/load/loaded_rates.hpp"

namespace isthmus {
namespace {

constexpr double equal_rates = 0.95;  // two links whose rates differ by more are two
constexpr double tells = 0.9;         // share of what two links carry below which a test tells them from one
constexpr double tells_clearly = 0.75;
constexpr std::size_t max_tests = 3;

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
  std::vector<PartRoute> firsts, seconds;
  std::ranges::set_difference(one.routes, other.routes, std::back_inserter(firsts));
  std::ranges::set_difference(other.routes, one.routes, std::back_inserter(seconds));
  for (std::size_t apart = 0; apart < seconds.size(); ++apart)  // neighbouring tests have no route in common
    for (std::size_t i = 0; i < firsts.size(); ++i) tests.push_back({firsts[i], seconds[(i + apart) % seconds.size()]});
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

namespace {

/// Tests that tell whether routes share one link, or cross two.
class LinkTests {
 public:
  /// Of these tests those by two routes, each with another first one, if one link would carry clearly less of them than
  /// two; else the test of which it would carry least. Over more links, many streams may get less for other reasons.
  LinkTests(const std::vector<std::vector<PartRoute>>& tests, const std::vector<SharedLink>& as_one,
            const std::vector<SharedLink>& as_two, const std::function<double(PartRoute)>& alone_Bps) {
    std::set<PartRoute> used;
    std::vector<LinkTest> best;
    double least = tells;
    for (const std::vector<PartRoute>& routes : tests) {
      if (routes.size() < 2) continue;
      const LinkTest test{routes, carried_Bps(as_one, routes, alone_Bps), carried_Bps(as_two, routes, alone_Bps)};
      const double share = test.one_Bps / test.two_Bps;
      if (share < least) least = share, best = {test};
      if (routes.size() > 2 || share > tells_clearly || chosen_.size() == max_tests) continue;
      if (used.insert(routes[0]).second) chosen_.push_back(test);
    }
    if (chosen_.empty()) chosen_ = std::move(best);
  }

  /// False without a test that tells it.
  bool all_say_one(const std::function<double(const std::vector<PartRoute>&)>& together_Bps) const {
    return !chosen_.empty() && std::ranges::all_of(chosen_, [&](const LinkTest& test) {
      return together_Bps(test.routes) < (test.one_Bps + test.two_Bps) / 2;
    });
  }

 private:
  struct LinkTest {
    std::vector<PartRoute> routes;
    double one_Bps = 0, two_Bps = 0;  ///< what one link would carry of them, and what two would
  };

  std::vector<LinkTest> chosen_;
};

}  // namespace

std::vector<SharedLink> joined_links(std::vector<SharedLink> links, const std::vector<SharedLink>& buses,
                                     const std::vector<int>& parts, const std::function<double(PartRoute)>& alone_Bps,
                                     const std::function<double(const std::vector<PartRoute>&)>& together_Bps) {
  const auto are_one = [&](std::size_t one, std::size_t other) {
    const double wider_Bps = std::max(links[one].bandwidth_Bps, links[other].bandwidth_Bps);
    if (std::min(links[one].bandwidth_Bps, links[other].bandwidth_Bps) < equal_rates * wider_Bps) return false;
    if (crosses_all_of(links[one], links[other]) || crosses_all_of(links[other], links[one])) return true;
    const std::vector<SharedLink> joined = with_joined(links, one, other);
    LinkTests tests(tests_of(links[one], links[other], parts), with(joined, buses), with(links, buses), alone_Bps);
    return tests.all_say_one(together_Bps);
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
      std::vector<std::vector<PartRoute>> tests;
      for (const PartRoute& known : links[line].routes) tests.push_back({known, route});
      if (LinkTests(tests, with(with_it, buses), with(links, buses), alone_Bps).all_say_one(together_Bps))
        links[line].routes.insert(route);
    }
  }
}

void leave_out_explained_lines(std::vector<SharedLink>& links, const std::vector<SharedLink>& buses,
                               const std::function<double(PartRoute)>& alone_Bps) {
  for (std::size_t line = 0; line < links.size();) {
    std::vector<SharedLink> others = with(links, buses);
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(line));
    const std::vector<PartRoute> routes(links[line].routes.begin(), links[line].routes.end());
    if (links[line].name == "line" && equal_rates * carried_Bps(others, routes, alone_Bps) <= links[line].bandwidth_Bps)
      links.erase(links.begin() + static_cast<std::ptrdiff_t>(line));
    else
      ++line;
  }
}

}  // namespace isthmus
