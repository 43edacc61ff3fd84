#include "algorithms/network/link_names.hpp"

#include <gmock/gmock.h>

#include "algorithms/errors.hpp"
#include "tests/support/networks.hpp"

namespace isthmus {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(LinkNames, AreThoseOfTheWideAreaFirst) {
  const std::vector<std::string> names = link_names(tests::das(2, 1));
  EXPECT_THAT(names, ElementsAre("wan0-1", "wan1-0", "c0-0", "c1-0"));
}

TEST(LinkNames, StandForBothDirectionsOfASplitDuplexLink) {
  const Network network = tests::das(2, 1);
  EXPECT_EQ(name_of_both(network, "c0-0_UP"), "c0-0");
  EXPECT_EQ(name_of_both(network, "wan0-1"), "wan0-1");
  EXPECT_EQ(links_named(network, "c0-0").size(), 2u);
  EXPECT_EQ(links_named(network, "c0-0_UP").size(), 1u);
  EXPECT_EQ(links_named(network, "wan*").size(), 2u);
}

TEST(LinkNames, WithSignsOfPatternsStandForThemselves) {
  Network network = tests::das(2, 1);
  network.links[0].name = "wan[1]_UP";
  network.links[1].name = "a\\b";
  EXPECT_THAT(links_named(network, "wan[1]"), ElementsAre(0));
  EXPECT_THAT(links_named(network, "a\\b"), ElementsAre(1));
}

TEST(LinkNames, ThatDoNotExistAreRefusedWithThoseThatDo) {
  try {
    links_named(tests::das(4, 4), "wan0-11");
    FAIL() << "accepted";
  } catch (const BadInput& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("link `wan0-11`: none of this name in 4x4; did you mean `wan0-1`? (known: `wan0-1`"));
    EXPECT_THAT(error.what(), HasSubstr("and 16 more"));
  }
}

/// The names of the wide-area links, after hosts' own links were moved to the trunks: so the reader of platforms has
/// those of hosts that are alone at their endpoints.
std::vector<std::string> wide_with_own_links_on_trunks(Network network) {
  for (auto& [ends, trunk] : network.trunks) {
    if (ends.first == ends.second) continue;
    const LinkList &up = network.hosts[ends.first].up, &down = network.hosts[ends.second].down;
    trunk.links.insert(trunk.links.begin(), up.begin(), up.end());
    trunk.links.insert(trunk.links.end(), down.begin(), down.end());
  }
  for (Host& host : network.hosts) host.up = host.down = {};
  std::vector<std::string> names;
  const std::vector<bool> wide = wide_area_links(network);
  for (std::size_t link = 0; link < wide.size(); ++link)
    if (wide[link]) names.push_back(network.links[link].name);
  return names;
}

TEST(WideAreaLinks, AreNotTheOwnLinksOfLoneHosts) {
  EXPECT_THAT(wide_with_own_links_on_trunks(tests::das(2, 1)), ElementsAre("wan0-1", "wan1-0"));
  EXPECT_THAT(wide_with_own_links_on_trunks(tests::das(3, 1)),
              ElementsAre("wan0-1", "wan0-2", "wan1-0", "wan1-2", "wan2-0", "wan2-1"));
}

TEST(WideAreaLinks, AreOwnOnesWhereThereAreNoOthers) {
  Network network = tests::das(2, 1);
  for (auto& [ends, trunk] : network.trunks) trunk.links.clear();
  EXPECT_THAT(wide_with_own_links_on_trunks(network), ElementsAre("c0-0_UP", "c0-0_DOWN", "c1-0_UP", "c1-0_DOWN"));
}

}  // namespace
}  // namespace isthmus
