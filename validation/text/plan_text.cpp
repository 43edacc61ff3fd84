#include "validation/text/plan_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "algorithms/text/counted.hpp"
#include "algorithms/text/parts.hpp"

namespace isthmus {
namespace {

constexpr std::string_view packing_name = "packing=";

/// `4 trees`, `1 path`. A way lists the parents of all sites, where the root stands twice or more, or different sites.
std::string count_of_ways(std::string_view ways) {
  const std::vector<std::string_view> all = parts_of(ways, '/');
  const std::string_view first = all.front().substr(0, all.front().find_first_of("^+:"));
  std::vector<std::string_view> sites = parts_of(first, '.');
  std::ranges::sort(sites);
  const bool is_tree = std::ranges::adjacent_find(sites) != sites.end();
  return counted(all.size(), is_tree ? "tree" : "path");
}

}  // namespace

std::string short_plan(std::string_view plan) {
  const std::size_t packing = plan.find(packing_name);
  if (packing == std::string_view::npos || (packing > 0 && plan[packing - 1] != ':' && plan[packing - 1] != ','))
    return std::string(plan);
  std::vector<std::string> shown;
  for (const std::string_view part : parts_of(plan.substr(packing), ',')) {
    const std::string_view parameter = part.substr(0, part.find('='));
    if (part.starts_with(packing_name))
      shown.push_back(count_of_ways(part.substr(packing_name.size())));
    else if (std::ranges::find(timing_of_packings, parameter) == std::end(timing_of_packings))
      shown.emplace_back(part);
  }
  return fmt::format("{}{}", plan.substr(0, packing), fmt::join(shown, ","));
}

}  // namespace isthmus
