#include "algorithms/bounds/relief.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

namespace isthmus {
namespace {

Relief with_twice(const PlacedNetwork& placed, const Problem& problem, std::vector<int> links) {
  Network network = placed.network();
  Relief relief{std::move(links), 0, 0};
  for (const int number : relief.links) {
    Link& link = network.links[number];
    relief.more_Bps += link.bandwidth_Bps;
    link.bandwidth_Bps *= 2;
    link.link_class = -1;  // whose measured gaps are those of the present bandwidth
  }
  relief.seconds = lower_bound(placed.with_links_of(std::move(network)), problem);
  return relief;
}

}  // namespace

std::vector<Relief> find_reliefs(const PlacedNetwork& placed, const Problem& problem, const LowerBound& bound,
                                 int max_links) {
  std::vector<BindingLink> binding;
  std::set<int> all;
  for (const BindingLink& link : bound.links) {
    if (link.bytes <= 0 || link.links.empty()) continue;
    binding.push_back(link);
    all.insert(link.links.begin(), link.links.end());
  }
  std::ranges::stable_sort(binding, std::greater<>(), &BindingLink::bytes);
  if (std::ssize(binding) > max_links) binding.resize(max_links);
  std::vector<Relief> reliefs;
  const auto consider = [&](std::vector<int> links) {
    Relief relief = with_twice(placed, problem, std::move(links));
    if (relief.seconds < bound.seconds * (1 - 1e-6)) reliefs.push_back(std::move(relief));
  };
  for (const BindingLink& link : binding) consider(link.links);
  if (all.size() > 1 && bound.links.size() > 1) consider({all.begin(), all.end()});
  std::ranges::stable_sort(reliefs, {}, &Relief::seconds);
  return reliefs;
}

}  // namespace isthmus
