// The medium between hosts: a cable that all share, or a switch.
#include "algorithms/network/medium.hpp"

#include <gtest/gtest.h>

#include "tests/support/networks.hpp"

namespace isthmus {
namespace {

TEST(Medium, IsSharedWhereOneLinkCarriesAllMessages) {
  Network cable = tests::das(1, 4);
  cable.links.push_back({"cable", 1e6, 1e-5});
  const std::vector<int> all{0, 1, 2, 3}, one{2}, two{0, 3};
  EXPECT_EQ(medium_between(cable, all), Medium::switched);
  cable.trunks[{0, 0}].links = {static_cast<int>(cable.links.size()) - 1};
  EXPECT_EQ(medium_between(cable, all), Medium::shared);
  EXPECT_EQ(medium_between(cable, two), Medium::shared);
  EXPECT_EQ(medium_between(cable, one), Medium::switched);
  cable.links.back().sharing = Sharing::fatpipe;
  EXPECT_EQ(medium_between(cable, all), Medium::switched) << "messages do not slow each other there";
}

TEST(Medium, IsSwitchedBetweenSitesThatHaveALinkForEachPair) {
  const std::vector<int> coordinators{0, 2, 4};
  EXPECT_EQ(medium_between(tests::das(3, 2), coordinators), Medium::switched);
  EXPECT_EQ(name(Medium::shared), "shared");
}

}  // namespace
}  // namespace isthmus
