// Every algorithm of the catalogue, new ones included, can be replayed, takes at least the bound, and can be drawn.
#include "algorithms/catalog.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "algorithms/bounds/lower_bound.hpp"
#include "algorithms/replay/replay.hpp"
#include "algorithms/schedule/census.hpp"
#include "tests/validation/scene.hpp"
#include "validation/harness/request.hpp"
#include "validation/report/timeline_picture.hpp"
#include "validation/report/tree_picture.hpp"

namespace isthmus {
namespace {

TEST(Catalogue, IsReplayedAndDrawn) {
  const Network network = star_network("stars", 3, 4);
  const PlacedNetwork placed(network, place_ranks(network, PlacementRule::block, 1));
  const Topology& topology = placed.topology();
  for (const Algorithm& algorithm : algorithms()) {
    const std::string of = fmt::format("{}/{}", name(algorithm.collective), algorithm.id);
    SCOPED_TRACE(of);
    const Problem problem{.collective = algorithm.collective, .count = carries_data(algorithm.collective) ? 1000 : 0};
    const Plan plan = completed(placed, parse_plan_request(of), problem).plan;
    const ProgramSource programs = source(plan, topology, problem);
    const Replay result = replay(placed, problem.element_bytes, programs, true);
    EXPECT_GE(result.seconds, lower_bound(placed, problem) * (1 - 1e-9));

    const Schedule schedule = materialise(placed.size(), programs);
    EXPECT_THAT(draw_tree(census(schedule, problem.element_bytes), topology, problem.root).str(),
                testing::HasSubstr("class=\"rank"));
    const std::vector<Flight> flights = flights_of(schedule, result.timeline, problem.element_bytes);
    EXPECT_FALSE(flights.empty());
    EXPECT_THAT(draw_timeline(flights, placed, result.seconds).str(), testing::HasSubstr("class=\"bar"));
  }
}

}  // namespace
}  // namespace isthmus
