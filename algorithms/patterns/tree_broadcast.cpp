#include "algorithms/patterns/tree_broadcast.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "algorithms/errors.hpp"
#include "algorithms/text/near_matches.hpp"

namespace isthmus {
namespace {

constexpr std::array<std::string_view, 6> names = {"linear", "chain", "k-chain", "binary", "binomial", "k-ary"};

}  // namespace

std::span<const std::string_view> tree_names() { return names; }

std::optional<Tree> tree_of(std::string_view name, int degree) {
  const int chosen = degree > 0 ? degree : default_degree;
  if (name == "linear") return Tree{TreeShape::flat};
  if (name == "chain") return Tree{TreeShape::chain};
  if (name == "k-chain") return Tree{TreeShape::k_chain, chosen};
  if (name == "binary") return Tree{TreeShape::k_ary, 2};
  if (name == "binomial") return Tree{TreeShape::binomial};
  if (name == "k-ary") return Tree{TreeShape::k_ary, chosen};
  return std::nullopt;
}

Tree level_tree(const Group& group, std::span<const std::string> levels, int degree) {
  if (levels.empty()) {
    const bool between_sites = group.level == 0 && !group.children.empty();
    return {between_sites ? TreeShape::flat : TreeShape::binomial};
  }
  return tree_of(levels[std::min<std::size_t>(group.level, levels.size() - 1)], degree).value();
}

void check_levels(const Parameters& parameters) {
  for (const std::string& level : parameters.levels)
    if (!tree_of(level, parameters.degree))
      throw BadInput("levels: no tree algorithm `" + level + "`" + near_matches(level, tree_names()));
}

}  // namespace isthmus
