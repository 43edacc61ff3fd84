#include "algorithms/collective/mpi_own.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "algorithms/errors.hpp"
#include "algorithms/text/near_matches.hpp"

namespace isthmus {
namespace {

void check_selector_named(const Parameters& parameters) {
  std::vector<std::string_view> known(smpi_selectors.begin(), smpi_selectors.end());
  known.insert(known.end(), openmpi_selectors.begin(), openmpi_selectors.end());
  const std::string& selector = parameters.selector;
  if (!selector.empty() && std::find(known.begin(), known.end(), selector) == known.end())
    throw BadInput(
        fmt::format("no selector `{}` of an MPI's own algorithms{}", selector, near_matches(selector, known)));
}

}  // namespace

const Algorithm& mpi_own(Collective collective) {
  static const auto* const all = [] {  // never destroyed: exit handlers of MPI programs may choose plans
    auto* const made = new std::vector<Algorithm>;
    for (const Collective each : collectives())
      made->push_back({.collective = each,
                       .id = "mpi",
                       .paper = "the MPI that it is run with",
                       .summary = "what a program without isthmus calls",
                       .parameters = "selector",
                       .write = nullptr,
                       .check = check_selector_named});
    return made;
  }();
  return all->at(static_cast<std::size_t>(collective));
}

void check_selector(const Plan& plan, std::span<const std::string_view> known, std::string_view world) {
  const std::string& selector = plan.parameters.selector;
  if (selector.empty() || std::find(known.begin(), known.end(), selector) != known.end()) return;
  throw BadInput(fmt::format("{}/{}: {} has no such selector; one of {}", name(plan.algorithm->collective),
                             to_string(plan), world, fmt::join(known, ", ")));
}

}  // namespace isthmus
