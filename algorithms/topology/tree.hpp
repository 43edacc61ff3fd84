// Tree shapes over a party of relative numbers 0..size-1 with root 0. Each function gives one member's place in
// O(number of its children), without building the tree.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace isthmus {

enum class TreeShape : std::uint8_t { flat, chain, k_chain, k_ary, binomial };

/// A shape with its degree, which k_chain (number of chains) and k_ary (children a member) read; at least 1.
///
/// flat: the root serves everybody (Pjesivac-Grbovic 2005, section 4.1: linear or flat).
/// chain: 0 -> 1 -> 2 ... (there: pipeline).
/// k_chain: the root heads `degree` chains of consecutive members whose lengths differ by one at most, the longer
/// first. k_ary: complete tree in breadth-first numbering, the children of v are degree*v+1 ... degree*v+degree. Its
/// height is the least for that degree, which is the tree of Kielmann 2000, section 3.1. Degree 2 is the binary tree.
/// binomial: the children of v are v + 2^i for every 2^i below the lowest set bit of v (every 2^i for the root) with
/// v + 2^i < size, the largest distance first, as in MPICH. The subtree of v is v ... v + 2^i - 1, cut off at size.
struct Tree {
  TreeShape shape = TreeShape::flat;
  int degree = 0;

  bool operator==(const Tree&) const = default;
};

/// The parent of member `self` of `size`; -1 for the root.
inline int parent_in(Tree tree, int size, int self) {
  if (self == 0) return -1;
  switch (tree.shape) {
    case TreeShape::flat:
      return 0;
    case TreeShape::chain:
      return self - 1;
    case TreeShape::k_chain: {
      const int chains = std::min(tree.degree, size - 1);
      const int shorter = (size - 1) / chains, longer = (size - 1) % chains;
      const int among_longer = longer * (shorter + 1);
      const bool heads =
          self - 1 < among_longer ? (self - 1) % (shorter + 1) == 0 : (self - 1 - among_longer) % shorter == 0;
      return heads ? 0 : self - 1;
    }
    case TreeShape::k_ary:
      return (self - 1) / tree.degree;
    case TreeShape::binomial:
      return self & (self - 1);
  }
  return -1;
}

/// Calls `serve(child)` for each child of member `self` of `size`, in the order in which they are served.
template <typename Serve>
void for_each_child(Tree tree, int size, int self, Serve&& serve) {
  switch (tree.shape) {
    case TreeShape::flat:
      if (self != 0) return;
      for (int child = 1; child < size; ++child) serve(child);
      return;
    case TreeShape::chain:
      if (self + 1 < size) serve(self + 1);
      return;
    case TreeShape::k_chain: {
      if (self != 0) {
        if (self + 1 < size && parent_in(tree, size, self + 1) == self) serve(self + 1);
        return;
      }
      const int chains = std::min(tree.degree, size - 1);
      for (int chain = 0, head = 1; chain < chains; ++chain) {
        serve(head);
        head += (size - 1) / chains + (chain < (size - 1) % chains ? 1 : 0);
      }
      return;
    }
    case TreeShape::k_ary: {
      const std::int64_t first = std::int64_t{self} * tree.degree + 1;
      const std::int64_t end = std::min<std::int64_t>(first + tree.degree, size);
      for (std::int64_t child = first; child < end; ++child) serve(static_cast<int>(child));
      return;
    }
    case TreeShape::binomial: {
      const std::int64_t below = self == 0 ? std::int64_t{1} << 31 : self & -self;
      const std::int64_t room = std::min(below, std::int64_t{size} - self) - 1;  // distances are 1..room
      if (room <= 0) return;
      for (auto distance = static_cast<int>(std::bit_floor(static_cast<std::uint64_t>(room))); distance > 0;
           distance >>= 1)
        serve(self + distance);
      return;
    }
  }
}

/// A member's place in a tree: its parent (-1 for the root) and its children in the order in which they are served.
struct TreePlace {
  int parent = -1;
  std::vector<int> children;

  bool operator==(const TreePlace&) const = default;
};
TreePlace place_in(Tree tree, int size, int self);

TreePlace flat_tree(int size, int self);
TreePlace chain_tree(int size, int self);
TreePlace k_chain_tree(int size, int self, int chains);
TreePlace k_ary_tree(int size, int self, int degree);
TreePlace binomial_tree(int size, int self);

/// The least height h with degree^0 + ... + degree^h >= size (Kielmann 2000, section 3.1); 0 for one member.
int min_height(int size, int degree);

}  // namespace isthmus
