#include "algorithms/patterns/group_trees.hpp"

#include <algorithm>

#include "algorithms/errors.hpp"
#include "algorithms/patterns/tree_broadcast.hpp"
#include "algorithms/text/near_matches.hpp"
#include "algorithms/text/printable.hpp"

namespace isthmus {
namespace {

const std::string& name_at(std::span<const std::string> names, int number) {
  return names[std::min<std::size_t>(number, names.size() - 1)];
}

void check_names(std::string_view parameter, std::span<const std::string> names, int degree) {
  for (const std::string& name : names)
    if (!tree_of(name, degree))
      throw BadInput(std::string(parameter) + ": no tree algorithm `" + excerpt(name) + "`" +
                     near_matches(name, tree_names()));
}

}  // namespace

Tree GroupTrees::at(const Topology& topology, int group) const {
  if (!patterns_.empty()) return tree_of(name_at(patterns_, group), degree_).value();
  const Group& here = topology.group(group);
  if (!levels_.empty()) return tree_of(name_at(levels_, here.level), degree_).value();
  const bool between_sites = here.level == 0 && !here.children.empty();
  return {between_sites ? TreeShape::flat : TreeShape::binomial};
}

void check_trees(const Parameters& parameters) {
  check_names("levels", parameters.levels, parameters.degree);
  check_names("patterns", parameters.patterns, parameters.degree);
}

}  // namespace isthmus
