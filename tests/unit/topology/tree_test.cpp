#include "algorithms/topology/tree.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <string>

namespace isthmus {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr int largest = 70;

std::vector<Tree> trees_for(int size) {
  std::vector<Tree> trees = {{TreeShape::flat}, {TreeShape::chain}, {TreeShape::binomial}, {TreeShape::bine}};
  for (const int degree : {1, 2, 3, 4, 5, 7, 8, size - 1, size, size + 1, std::numeric_limits<int>::max()}) {
    if (degree < 1) continue;
    trees.push_back({TreeShape::k_chain, degree});
    trees.push_back({TreeShape::k_ary, degree});
  }
  return trees;
}

std::string text(Tree tree, int size) {
  return "shape " + std::to_string(static_cast<int>(tree.shape)) + " degree " + std::to_string(tree.degree) + " size " +
         std::to_string(size);
}

/// Distances from the root, following children; -1 for members that are never served.
std::vector<int> depths(Tree tree, int size) {
  std::vector<int> depth(size, -1);
  std::vector<int> reached = {0};
  depth[0] = 0;
  for (std::size_t i = 0; i < reached.size(); ++i) {
    for_each_child(tree, size, reached[i], [&](int child) {
      if (child < 0 || child >= size || depth[child] != -1) {
        ADD_FAILURE() << "member " << child << " is served once more, by " << reached[i];
        return;
      }
      depth[child] = depth[reached[i]] + 1;
      reached.push_back(child);
    });
  }
  return depth;
}

int height(Tree tree, int size) {
  const std::vector<int> depth = depths(tree, size);
  return *std::max_element(depth.begin(), depth.end());
}

TEST(Tree, ReachesEveryMemberOnce) {
  for (int size = 1; size <= largest; ++size) {
    for (const Tree tree : trees_for(size)) {
      SCOPED_TRACE(text(tree, size));
      EXPECT_THAT(depths(tree, size), ::testing::Not(::testing::Contains(-1)));
    }
  }
}

TEST(Tree, HasParentsAndChildrenThatAgree) {
  for (int size = 1; size <= largest; ++size) {
    for (const Tree tree : trees_for(size)) {
      SCOPED_TRACE(text(tree, size));
      EXPECT_EQ(parent_in(tree, size, 0), -1);
      int edges = 0;
      for (int self = 0; self < size; ++self) {
        for_each_child(tree, size, self, [&](int child) {
          EXPECT_EQ(parent_in(tree, size, child), self);
          ++edges;
        });
      }
      EXPECT_EQ(edges, size - 1);
    }
  }
}

/// The most children that a member may have.
int max_children(Tree tree, int size, int self) {
  switch (tree.shape) {
    case TreeShape::flat:
      return self == 0 ? size - 1 : 0;
    case TreeShape::chain:
      return 1;
    case TreeShape::k_chain:
      return self == 0 ? tree.degree : 1;
    case TreeShape::k_ary:
      return tree.degree;
    case TreeShape::binomial:
    case TreeShape::bine:
      return std::bit_width(static_cast<unsigned>(size - 1));
  }
  return 0;
}

TEST(Tree, KeepsToItsDegree) {
  for (int size = 1; size <= largest; ++size) {
    for (const Tree tree : trees_for(size)) {
      SCOPED_TRACE(text(tree, size));
      for (int self = 0; self < size; ++self)
        EXPECT_LE(std::ssize(place_in(tree, size, self).children), max_children(tree, size, self)) << "member " << self;
    }
  }
}

TEST(Tree, HasTheLeastHeightOfItsShape) {
  for (int size = 1; size <= largest; ++size) {
    for (const Tree tree : trees_for(size)) {
      SCOPED_TRACE(text(tree, size));
      switch (tree.shape) {
        case TreeShape::flat:
          EXPECT_EQ(height(tree, size), std::min(size - 1, 1));
          break;
        case TreeShape::chain:
          EXPECT_EQ(height(tree, size), size - 1);
          break;
        case TreeShape::k_ary:
          EXPECT_EQ(height(tree, size), min_height(size, tree.degree));
          break;
        case TreeShape::k_chain: {
          const double chains = std::min(tree.degree, size - 1);
          EXPECT_EQ(height(tree, size), size == 1 ? 0 : std::ceil((size - 1) / chains));
          break;
        }
        case TreeShape::binomial:
          EXPECT_LE(height(tree, size), std::ceil(std::log2(size)));
          EXPECT_GE(height(tree, size), std::floor(std::log2(size)));
          break;
        case TreeShape::bine:
          EXPECT_LE(height(tree, size), std::ceil(std::log2(size)));
          break;
      }
    }
  }
}

TEST(Tree, OfBinomialShapeHasSubtreesOfConsecutiveMembers) {
  constexpr Tree binomial{TreeShape::binomial};
  for (int size = 1; size <= largest; ++size) {
    for (int self = size - 1; self > 0; --self) {
      const int end = std::min(self + (self & -self), size);
      for (int member = self; member < end; ++member) {
        int ancestor = member;
        while (ancestor > self) ancestor = parent_in(binomial, size, ancestor);
        EXPECT_EQ(ancestor, self) << "member " << member << " of " << size;
      }
    }
  }
}

TEST(Tree, OfBinomialShapeServesInTheOrderOfMpich) {
  EXPECT_THAT(binomial_tree(8, 0).children, ElementsAre(4, 2, 1));
  EXPECT_EQ(binomial_tree(8, 4), (TreePlace{0, {6, 5}}));
  EXPECT_EQ(binomial_tree(8, 6), (TreePlace{4, {7}}));
  EXPECT_EQ(binomial_tree(8, 7), (TreePlace{6, {}}));
  EXPECT_THAT(binomial_tree(6, 0).children, ElementsAre(4, 2, 1));
  EXPECT_EQ(binomial_tree(6, 4), (TreePlace{0, {5}}));
  EXPECT_THAT(binomial_tree(1 << 20, 0).children, ::testing::SizeIs(20));
  EXPECT_EQ(binomial_tree(std::numeric_limits<int>::max(), 0).children.front(), 1 << 30);
}

TEST(Tree, OfFlatAndChainShapeIsAsNamed) {
  EXPECT_EQ(flat_tree(4, 0), (TreePlace{-1, {1, 2, 3}}));
  EXPECT_EQ(flat_tree(4, 2), (TreePlace{0, {}}));
  EXPECT_EQ(chain_tree(4, 0), (TreePlace{-1, {1}}));
  EXPECT_EQ(chain_tree(4, 3), (TreePlace{2, {}}));
}

TEST(Tree, OfKChainShapeHasTheLongerChainsFirst) {
  EXPECT_EQ(k_chain_tree(9, 0, 3), (TreePlace{-1, {1, 4, 7}}));  // 1 2 3, 4 5 6, 7 8
  EXPECT_EQ(k_chain_tree(9, 2, 3), (TreePlace{1, {3}}));
  EXPECT_EQ(k_chain_tree(9, 3, 3), (TreePlace{2, {}}));
  EXPECT_EQ(k_chain_tree(9, 7, 3), (TreePlace{0, {8}}));
  EXPECT_EQ(k_chain_tree(3, 0, 5), (TreePlace{-1, {1, 2}}));
  EXPECT_THAT(k_chain_tree(1, 0, 5).children, IsEmpty());
}

TEST(Tree, OfKAryShapeIsNumberedBreadthFirst) {
  EXPECT_EQ(k_ary_tree(8, 0, 3), (TreePlace{-1, {1, 2, 3}}));
  EXPECT_EQ(k_ary_tree(8, 1, 3), (TreePlace{0, {4, 5, 6}}));
  EXPECT_EQ(k_ary_tree(8, 2, 3), (TreePlace{0, {7}}));
  EXPECT_EQ(k_ary_tree(8, 7, 3), (TreePlace{2, {}}));
  EXPECT_EQ(k_ary_tree(5, 4, 1), (TreePlace{3, {}}));
}

TEST(LeastHeight, IsThatOfThePaper) {
  EXPECT_EQ(min_height(1, 1), 0);
  EXPECT_EQ(min_height(1, 5), 0);
  EXPECT_EQ(min_height(8, 1), 7);
  EXPECT_EQ(min_height(8, 7), 1);
  EXPECT_EQ(min_height(8, 6), 2);
  EXPECT_EQ(min_height(7, 2), 2);
  EXPECT_EQ(min_height(8, 2), 3);
  EXPECT_EQ(min_height(std::numeric_limits<int>::max(), std::numeric_limits<int>::max()), 1);
  EXPECT_EQ(min_height(std::numeric_limits<int>::max(), 2), 30);
}

}  // namespace
}  // namespace isthmus
