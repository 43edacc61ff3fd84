#include "algorithms/patterns/tree_broadcast.hpp"

#include <array>

#include "algorithms/text/parse_number.hpp"

namespace isthmus {
namespace {

constexpr std::array<std::string_view, 6> names = {"linear", "chain", "k-chain", "binary", "binomial", "k-ary"};

/// Such as `k-ary-3`, `k-ary` being the prefix; no value for other names and for degrees that are not 1 or more.
std::optional<int> degree_in(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix) || name.size() < prefix.size() + 2 || name[prefix.size()] != '-') return std::nullopt;
  const std::optional<int> degree = parse_number<int>(name.substr(prefix.size() + 1));
  return degree && *degree >= 1 ? degree : std::nullopt;
}

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
  if (const auto own = degree_in(name, "k-ary")) return Tree{TreeShape::k_ary, *own};
  if (const auto own = degree_in(name, "k-chain")) return Tree{TreeShape::k_chain, *own};
  return std::nullopt;
}

}  // namespace isthmus
