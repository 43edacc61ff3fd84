// What hosts and links are made of: names, lists of links, zones.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "algorithms/network/network.hpp"

namespace isthmus {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;

/// Of 0 to 40 characters, with the same at no two places that are close.
std::vector<std::string> texts() {
  std::vector<std::string> all = {""};
  while (all.back().size() < 40) all.push_back(all.back() + static_cast<char>('a' + all.size() % 26));
  return all;
}

TEST(Name, IsTheTextOfAnyLengthInCopiesAndMoves) {
  for (const std::string& text : texts()) {
    SCOPED_TRACE(text);
    Name name = text;
    EXPECT_EQ(name.str(), text);
    EXPECT_EQ(name.size(), text.size());
    EXPECT_EQ(name.empty(), text.empty());
    Name copy = name;
    EXPECT_EQ(copy, name);
    const Name moved = std::move(name);
    EXPECT_EQ(moved, text);
    for (const std::string& other : texts()) {
      copy = other;
      EXPECT_EQ(copy, other);
      EXPECT_EQ(copy == moved, other == text);
      EXPECT_EQ(copy < moved, other < text);
    }
    copy = moved;
    EXPECT_EQ(copy, moved);
    copy = *&copy;
    EXPECT_EQ(copy, text);
  }
}

TEST(Name, IsUsedAsAText) {
  const Name name = "c0-17";
  EXPECT_EQ(name + "_UP", "c0-17_UP");
  EXPECT_EQ(std::string("host ") + name, "host c0-17");
  EXPECT_EQ(fmt::format("{:>7}", name), "  c0-17");
  EXPECT_EQ(nlohmann::json(name).dump(), R"("c0-17")");
  EXPECT_TRUE(name.starts_with("c0"));
  EXPECT_TRUE(name.ends_with("17"));
  EXPECT_FALSE(name == "c0-1");
}

TEST(LinkList, HoldsAsManyLinksAsAVectorInCopiesAndMoves) {
  std::vector<int> numbers;
  for (int count = 0; count < 6; ++count, numbers.push_back(100 * count)) {
    SCOPED_TRACE(count);
    LinkList links = numbers;
    EXPECT_THAT(links, ElementsAreArray(numbers));
    EXPECT_EQ(links.size(), numbers.size());
    EXPECT_EQ(links.empty(), numbers.empty());
    LinkList copy = links;
    const LinkList moved = std::move(links);
    EXPECT_EQ(copy, moved);
    for (int& link : copy) ++link;
    EXPECT_EQ(copy == moved, numbers.empty());
    copy = moved;
    EXPECT_EQ(std::vector<int>(copy), numbers);
    copy = {1, 2, 3};
    EXPECT_THAT(copy, ElementsAre(1, 2, 3));
    EXPECT_EQ(copy.front(), 1);
    EXPECT_EQ(copy.back(), 3);
  }
  EXPECT_EQ(nlohmann::json(LinkList{4, 5}).dump(), "[4,5]");
}

TEST(Zones, AreSharedByCopiesUntilOneGetsOthers) {
  Host host;
  EXPECT_TRUE(host.zones.empty());
  host.zones = {{"site", "lyon"}, {"machine", "m"}};
  Host other = host;
  EXPECT_EQ(&other.zones.front(), &host.zones.front());
  other.zones = {{"site", "delft"}};
  EXPECT_EQ(host.zones[0].name, "lyon");
  EXPECT_EQ(host.zones.size(), 2);
  EXPECT_EQ(other.zones[0].name, "delft");
  host.zones = {};
  EXPECT_TRUE(host.zones.empty());
}

// A million hosts of a star are 80 MB, and their links 96.
TEST(Host, AndLinksAreSmall) {
  EXPECT_LE(sizeof(Host), 80);
  EXPECT_LE(sizeof(Link), 48);
}

}  // namespace
}  // namespace isthmus
