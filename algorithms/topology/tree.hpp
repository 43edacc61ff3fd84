// Tree shapes over a party of relative numbers 0..size-1 with root 0. Each function gives one member's place in
// O(number of its children), without building the tree.
#pragma once

#include <vector>

namespace isthmus {

/// A member's place in a tree: its parent (-1 for the root) and its children in the order in which they are served.
struct TreePlace {
  int parent = -1;
  std::vector<int> children;

  bool operator==(const TreePlace&) const = default;
};

/// The root serves everybody (Pjesivac-Grbovic 2005: linear or flat).
TreePlace flat_tree(int size, int self);
/// 0 -> 1 -> 2 ... (pipeline).
TreePlace chain_tree(int size, int self);
/// The root heads `chains` chains of consecutive members whose lengths differ by one at most.
TreePlace k_chain_tree(int size, int self, int chains);
/// Complete `degree`-ary tree in breadth-first numbering: children of v are degree*v+1 ... degree*v+degree. Its height is
/// the least for that degree, which is the tree of Kielmann 2000, section 3.1. degree 2 is the binary tree.
TreePlace k_ary_tree(int size, int self, int degree);
/// Largest subtree first: the child of v at distance 2^i for every i with v < 2^i and v + 2^i < size ... as MPICH.
TreePlace binomial_tree(int size, int self);

/// The least height h with degree^0 + ... + degree^h >= size (Kielmann 2000, section 3.1); 0 for one member.
int least_height(int size, int degree);

}  // namespace isthmus
