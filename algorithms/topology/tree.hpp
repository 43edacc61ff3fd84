// Tree shapes over the relative ranks 0..size-1 of a group, with root 0. Each function gives one member's parent or
// children in O(number of its children), without building the tree.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "algorithms/topology/negabinary.hpp"

namespace isthmus {

enum class TreeShape : std::uint8_t { flat, chain, k_chain, k_ary, binomial, bine };

/// A shape with its degree, which k_chain (number of chains) and k_ary (children a member) read; at least 1.
///
/// flat: all members are children of the root (Pjesivac-Grbovic 2005, section 4.1: linear or flat). chain: 0 -> 1 -> 2
/// ... (there: pipeline). k_chain: the root heads `degree` chains of consecutive members whose lengths differ by one at
/// most, the longer first. k_ary: complete tree in breadth-first numbering, the children of v are degree*v+1 ...
/// degree*v+degree. Its height is the least for that degree, which is the tree of Kielmann 2000, section 3.1. Degree 2
/// is the binary tree. binomial: the children of v are v + 2^i for every 2^i below the lowest set bit of v (every 2^i
/// for the root) with v + 2^i < size, the largest distance first, as in MPICH. The subtree of child v + 2^i is v + 2^i
/// ... v + 2^(i+1) - 1, cut off at size. bine: a binomial tree over the codes of members in base -2 (De Sensi et al.
/// 2025, SC, section 3): a member whose code ends in L equal bits has the parent whose code differs in these L, and the
/// children whose codes differ in fewer. So distances are about 2/3 of those of binomial, alternately up and down. If
/// size is not a power of two the first members form pairs.
struct Tree {
  TreeShape shape = TreeShape::flat;
  int degree = 0;

  bool operator==(const Tree&) const = default;
};

/// The members of a Bine tree. The first members form pairs, in which the lower one is the parent of the other, so that
/// the number of pairs and single members is a power of two.
class BineTree {
 public:
  explicit BineTree(int size) : bits_(std::bit_width(static_cast<unsigned>(size)) - 1), pairs_(size - (1 << bits_)) {}

  /// Of a member other than 0.
  int parent(int self) const {
    if (self < 2 * pairs_ && self % 2 == 1) return self - 1;
    const std::uint32_t code = to_negabinary(number_of(self), bits_);
    return member_of(code ^ ones(equal_bits(code)));
  }
  /// The most distant child first, the other member of a pair last.
  template <typename Serve>
  void for_each_child(int self, Serve&& serve) const {
    if (self < 2 * pairs_ && self % 2 == 1) return;
    const std::uint32_t code = to_negabinary(number_of(self), bits_);
    for (int bits = self == 0 ? bits_ : equal_bits(code) - 1; bits > 0; --bits) serve(member_of(code ^ ones(bits)));
    if (self < 2 * pairs_) serve(self + 1);
  }

 private:
  int number_of(int self) const { return self < 2 * pairs_ ? self / 2 : self - pairs_; }
  int member_of(std::uint32_t code) const {
    const int number = from_negabinary(code, bits_);
    return number < pairs_ ? 2 * number : number + pairs_;
  }
  static std::uint32_t ones(int bits) { return (std::uint32_t{1} << bits) - 1; }
  /// The number of lowest bits that are equal.
  int equal_bits(std::uint32_t code) const {
    return std::min(bits_, (code & 1) == 0 ? std::countr_zero(code) : std::countr_one(code));
  }

  int bits_, pairs_;
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
    case TreeShape::bine:
      return BineTree(size).parent(self);
  }
  return -1;
}

/// Calls `serve(child)` for each child of member `self` of `size`, in the order of sends.
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
    case TreeShape::bine:
      BineTree(size).for_each_child(self, serve);
      return;
  }
}

/// A member's place in a tree: its parent (-1 for the root) and its children in the order of sends.
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
