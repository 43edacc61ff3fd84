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

}  // namespace
}  // namespace isthmus
