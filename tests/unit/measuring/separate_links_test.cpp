// Streams on one link, or on several.
#include "algorithms/measuring/load/separate_links.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace isthmus {
namespace {

using ::testing::ElementsAre;

/// Streams 0, 2 and 4 are on one link, 1 and 3 on another.
bool on_two_links(std::size_t one, std::size_t other) { return one % 2 == other % 2; }

TEST(SeparateLinks, StreamsThatSlowEachOtherInPairsAreOnOneLinkEach) {
  EXPECT_THAT(separate_links({5, 9, 5, 9, 5}, {2, 4, 1, 5, 2}, on_two_links),
              ElementsAre(ElementsAre(0u, 2u, 4u), ElementsAre(1u, 3u)));
}

TEST(SeparateLinks, StreamsThatOnlyManyOthersSlowDownShareOne) {
  EXPECT_THAT(separate_links({4, 4, 4, 4}, {3, 2, 3, 2}, [](std::size_t, std::size_t) { return false; }),
              ElementsAre(ElementsAre(0u, 1u, 2u, 3u)));
}

TEST(SeparateLinks, AnExitNarrowerThanTheLinksBehindItIsOne) {
  EXPECT_THAT(separate_links({4, 4, 4, 4}, {1.5, 1.5, 1.5, 1.5}, on_two_links),
              ElementsAre(ElementsAre(0u, 1u, 2u, 3u)));
}

TEST(SeparateLinks, NothingIsTestedWhereOneLinkCarriesAsMuchAsItsQuickestStream) {
  EXPECT_THAT(separate_links({4, 3, 4, 4}, {1, 1, 1, 1},
                             [](std::size_t, std::size_t) {
                               ADD_FAILURE() << "tested";
                               return true;
                             }),
              ElementsAre(ElementsAre(0u, 1u, 2u, 3u)));
}

}  // namespace
}  // namespace isthmus
