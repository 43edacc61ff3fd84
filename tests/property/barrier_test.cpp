// Barriers take as many steps as their papers say.
#include <gtest/gtest.h>

#include <bit>

#include "algorithms/catalog.hpp"
#include "tests/support/reduction_plans.hpp"

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
  for (const PlanCase& which : barrier_plans()) {
    SCOPED_TRACE(which.plan);
    const Problem problem{.collective = Collective::barrier};
    const Topology topology = grouped(8, [](int rank) { return Path{std::to_string(rank / 3)}; });
    const Schedule schedule = schedule_of(parse_plan(Collective::barrier, which.plan), topology, problem);
    const Contract contract = contract_of(problem, 8);
    for (int rank = 0; rank < 8; ++rank) {
      for (std::size_t op = 0; op < schedule[rank].ops().size(); ++op) {
        Schedule broken = schedule;
        std::vector<Op>& ops = broken[rank].mutable_ops();
        ops.erase(ops.begin() + static_cast<std::ptrdiff_t>(op));
        EXPECT_FALSE(verify(broken, contract).ok()) << "without operation " << op << " of rank " << rank;
      }
    }
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
