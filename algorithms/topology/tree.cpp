#include "algorithms/topology/tree.hpp"

namespace isthmus {

TreePlace place_in(Tree tree, int size, int self) {
  TreePlace place{parent_in(tree, size, self), {}};
  for_each_child(tree, size, self, [&](int child) { place.children.push_back(child); });
  return place;
}

TreePlace flat_tree(int size, int self) { return place_in({TreeShape::flat}, size, self); }
TreePlace chain_tree(int size, int self) { return place_in({TreeShape::chain}, size, self); }
TreePlace k_chain_tree(int size, int self, int chains) { return place_in({TreeShape::k_chain, chains}, size, self); }
TreePlace k_ary_tree(int size, int self, int degree) { return place_in({TreeShape::k_ary, degree}, size, self); }
TreePlace binomial_tree(int size, int self) { return place_in({TreeShape::binomial}, size, self); }

int min_height(int size, int degree) {
  if (degree == 1) return size - 1;
  int height = 0;
  for (std::int64_t members = 1, row = 1; members < size; ++height) {
    row *= degree;
    members += row;
  }
  return height;
}

}  // namespace isthmus
