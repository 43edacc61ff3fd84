// Barriers take as many steps as their papers say.
#include <gtest/gtest.h>

#include <bit>

#include "algorithms/catalog.hpp"
#include "tests/support/collective_cases.hpp"

namespace isthmus::tests {
namespace {

int steps_of(std::string_view plan, int size) {
  return longest_chain(
      schedule_of(parse_plan(Collective::barrier, plan), Topology::flat(size), {.collective = Collective::barrier}));
}

TEST(Barrier, TakesTheStepsOfItsPaper) {
  for (int size = 2; size <= 33; ++size) {
    SCOPED_TRACE(size);
    const int rounded_down = std::bit_width(static_cast<unsigned>(size)) - 1;
    const bool power_of_two = std::has_single_bit(static_cast<unsigned>(size));
    EXPECT_EQ(steps_of("flat", size), 2);
    EXPECT_EQ(steps_of("double-ring", size), 2 * size - 1);
    EXPECT_EQ(steps_of("recursive-doubling", size), rounded_down + (power_of_two ? 0 : 2));
    EXPECT_EQ(steps_of("dissemination", size), rounded_down + (power_of_two ? 0 : 1));
  }
}

TEST(Barrier, NeedsEveryMessage) {
  for (const std::string& plan : plans_of(Collective::barrier)) {
    SCOPED_TRACE(plan);
    const Problem problem{.collective = Collective::barrier};
    const Topology topology = grouped(8, [](int rank) { return Path{std::to_string(rank / 3)}; });
    expect_no_idle_operation(schedule_of(parse_plan(Collective::barrier, plan), topology, problem),
                             contract_of(problem, 8));
  }
}

TEST(MultilevelBarrier, TakesOneWideAreaLatency) {
  for (const Sites& sites : sites_of(24)) {
    SCOPED_TRACE(sites.name);
    const WideArea wide = wide_area_of("multilevel", sites, {.collective = Collective::barrier});
    EXPECT_EQ(wide.traffic.messages, sites.clusters * (sites.clusters - 1));
    EXPECT_EQ(wide.links_in_a_row, sites.clusters > 1 ? 1 : 0);
  }
}

}  // namespace
}  // namespace isthmus::tests
