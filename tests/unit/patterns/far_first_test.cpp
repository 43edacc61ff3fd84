#include "algorithms/patterns/far_first.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace isthmus {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Paths = std::vector<std::vector<std::string>>;

TEST(FarFirst, IsTheOrderOfNeighboursWithoutGroups) {
  EXPECT_THAT(far_first(Topology::flat(5), 2), ElementsAre(3, 4, 0, 1));
  EXPECT_THAT(far_first(Topology::flat(1), 0), IsEmpty());
}

TEST(FarFirst, DealsSitesInTurnAndItsOwnLast) {
  const Topology topology = Topology::from_paths(Paths{{"a"}, {"a"}, {"b"}, {"b"}, {"b"}, {"c"}, {"c"}});
  EXPECT_THAT(far_first(topology, 0), ElementsAre(2, 5, 3, 6, 4, 1));
  EXPECT_THAT(far_first(topology, 3), ElementsAre(6, 1, 5, 0, 4, 2)) << "begins where it is itself in its site";
}

TEST(FarFirst, GoesInwardsLevelByLevel) {
  const Topology topology =
      Topology::from_paths(Paths{{"a", "p"}, {"a", "p"}, {"a", "q"}, {"a"}, {"b", "r"}, {"b", "r"}, {}});
  EXPECT_THAT(far_first(topology, 0), ElementsAre(4, 6, 5, 2, 3, 1));
  EXPECT_THAT(far_first(topology, 3), ElementsAre(5, 6, 4, 0, 2, 1));
  EXPECT_THAT(far_first(topology, 6), ElementsAre(0, 4, 1, 5, 2, 3));
}

}  // namespace
}  // namespace isthmus
