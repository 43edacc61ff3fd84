// The patterns of subnets: a star on a cable, a deeper tree on a switch, as the network is.
#include "algorithms/tuning/subnet_patterns.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "algorithms/catalog.hpp"
#include "algorithms/tuning/search.hpp"
#include "algorithms/tuning/select.hpp"
#include "tests/support/networks.hpp"

namespace isthmus {
namespace {

using ::testing::ElementsAre;

constexpr Problem broadcast{.collective = Collective::broadcast, .count = 16000};

/// Two sites of eight hosts; those of the second share a cable.
PlacedNetwork switch_and_cable() {
  Network network = tests::das(2, 8);
  for (Link& link : network.links)
    if (link.name.starts_with("c")) link.bandwidth_Bps = 1e6;
  const auto cable = static_cast<int>(network.links.size());
  network.links.push_back({"cable", 1e6, 1e-5});
  for (auto& [ends, trunk] : network.trunks)
    if (ends.first == 1 || ends.second == 1) trunk.links.push_back(cable);
  return {network, place_ranks(network, PlacementRule::block, 1)};
}

TEST(SubnetPatterns, AreAStarOnACableAndATreeOnASwitch) {
  const PlacedNetwork placed = switch_and_cable();
  const std::vector<std::string> found =
      subnet_patterns(algorithm_named(Collective::broadcast, "eco"), placed, broadcast);
  EXPECT_THAT(found, ElementsAre("linear", "binomial", "linear"));
  EXPECT_FALSE(same_at_each_level(found, placed.topology()));
}

TEST(SubnetPatterns, DependOnTheCollective) {
  const PlacedNetwork placed = switch_and_cable();
  Problem small = broadcast;
  small.count = 1;
  const Algorithm& eco = algorithm_named(Collective::broadcast, "eco");
  EXPECT_THAT(subnet_patterns(eco, placed, small), ElementsAre("linear", "binomial", "linear"));
  Problem gather = broadcast;
  gather.collective = Collective::gather;
  EXPECT_THAT(subnet_patterns(algorithm_named(Collective::gather, "eco"), placed, gather),
              ElementsAre("linear", "linear", "linear"))
      << "the root's link is the bottleneck of a gather whatever the tree";
}

TEST(SubnetPatterns, AreFilledInWhereThePlanHasNone) {
  const PlacedNetwork placed = switch_and_cable();
  const Plan named = parse_plan(Collective::broadcast, "eco");
  EXPECT_EQ(to_string(fill_required_parameters(named, placed, broadcast, false)),
            "eco:patterns=linear/binomial/linear");
  const Plan given = parse_plan(Collective::broadcast, "eco:patterns=chain");
  EXPECT_EQ(fill_required_parameters(given, placed, broadcast, false).parameters, given.parameters);
  EXPECT_EQ(choose_parameters(named, Open::parameters, placed, broadcast).parameters.patterns,
            (std::vector<std::string>{"linear", "binomial", "linear"}));
}

TEST(SubnetPatterns, AreTriedByTheAutomaticChoiceWhereGroupsOfALevelDiffer) {
  const auto tries_eco = [](const PlacedNetwork& placed) {
    const std::vector<Candidate> tried = candidates(placed, broadcast, Search::choice);
    return std::ranges::any_of(tried, [](const Candidate& one) { return has_patterns_to_choose(*one.plan.algorithm); });
  };
  EXPECT_TRUE(tries_eco(switch_and_cable()));
  const Network alike = tests::das(2, 8);
  EXPECT_FALSE(tries_eco({alike, place_ranks(alike, PlacementRule::block, 1)}));
}

}  // namespace
}  // namespace isthmus
