// Every algorithm of the catalogue, new ones included, has a complete row, plans that can be parsed, and a schedule
// that is proved and uses groups only if the row says so.
#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "tests/support/collective_cases.hpp"

namespace isthmus::tests {
namespace {

std::string name_of(const Algorithm& algorithm) {
  return fmt::format("{}/{}", name(algorithm.collective), algorithm.id);
}

Problem small_problem(Collective collective) {
  return {.collective = collective, .count = carries_data(collective) ? 9 : 0};
}

TEST(Catalogue, NamesEveryAlgorithmOnceAndOneDefaultOfEachCollective) {
  std::set<std::string> names;
  for (const Algorithm& algorithm : algorithms()) EXPECT_TRUE(names.insert(name_of(algorithm)).second);
  for (const Collective collective : collectives()) {
    int defaults = 0;
    for (const Algorithm* algorithm : algorithms_of(collective)) defaults += algorithm->is_default ? 1 : 0;
    EXPECT_EQ(defaults, 1) << name(collective);
  }
}

TEST(Catalogue, HasARowOfEachAlgorithmThatSaysWhatItIs) {
  for (const Algorithm& algorithm : algorithms()) {
    SCOPED_TRACE(name_of(algorithm));
    EXPECT_FALSE(algorithm.paper.empty());
    EXPECT_FALSE(algorithm.summary.empty());
    EXPECT_EQ(algorithm.id.find_first_not_of("abcdefghijklmnopqrstuvwxyz-"), std::string_view::npos);
    EXPECT_EQ(algorithm_named(algorithm.collective, algorithm.id).id, algorithm.id);
  }
}

TEST(Catalogue, HasPlansThatAreReadAsTheyAreWritten) {
  for (const Algorithm& algorithm : algorithms())
    for (const std::string& text : plans_of(algorithm)) {
      SCOPED_TRACE(fmt::format("{}/{}", name(algorithm.collective), text));
      const Plan plan = parse_plan(algorithm.collective, text);
      EXPECT_EQ(parse_plan(algorithm.collective, to_string(plan)).parameters, plan.parameters);
    }
}

TEST(Catalogue, HasPlansInTheTestsThatSetEachParameter) {
  for (const Algorithm& algorithm : algorithms()) {
    std::string settings;
    for (const std::string& text : plans_of(algorithm)) settings += text + " ";
    std::istringstream parameters{std::string(algorithm.parameters)};
    for (std::string parameter; parameters >> parameter;) {
      if (parameter == "segment") continue;  // sweeps try several
      // These fit one topology; tests/unit/packed has random ones.
      if (parameter == "packing" || parameter == "drivers" || parameter == "lines") continue;
      EXPECT_NE(settings.find(parameter + "="), std::string::npos)
          << name_of(algorithm) << " with a setting of " << parameter << " in tests/support/catalog_plans.hpp";
    }
  }
}

TEST(Catalogue, HasSchedulesThatAreProvedAndLookAtGroupsOnlyWhereTheRowSaysSo) {
  const Topology groups = grouped(7, [](int rank) { return Path{std::to_string(rank / 3)}; });
  for (const Algorithm& algorithm : algorithms()) {
    SCOPED_TRACE(name_of(algorithm));
    const Problem problem = small_problem(algorithm.collective);
    const Schedule in_groups = schedule_of({&algorithm, {}}, groups, problem);
    const Schedule flat = schedule_of({&algorithm, {}}, Topology::flat(groups.size()), problem);
    EXPECT_EQ(verify(in_groups, contract_of(problem, groups.size())).message(), "");
    EXPECT_GT(census(in_groups, problem.element_bytes).total.messages, 0);
    EXPECT_EQ(in_groups == flat, !algorithm.uses_groups);
  }
}

}  // namespace
}  // namespace isthmus::tests
