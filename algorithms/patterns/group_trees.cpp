#include "algorithms/patterns/group_trees.hpp"

#include <algorithm>

#include "algorithms/collective/handed_over.hpp"
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
  if (!levels_.empty()) {
    const std::string& level = name_at(levels_, here.level);
    return level == mpi_inside ? Tree{TreeShape::binomial} : tree_of(level, degree_).value();
  }
  const bool between_sites = here.level == 0 && !here.children.empty();
  return {between_sites ? TreeShape::flat : TreeShape::binomial};
}

void check_trees(const Parameters& parameters) {
  if (std::ranges::count(parameters.levels, mpi_inside) > 0)
    throw BadInput("levels: this collective hands no level to `mpi`; broadcast, reduce, allreduce and barrier do");
  check_names("levels", parameters.levels, parameters.degree);
  check_names("patterns", parameters.patterns, parameters.degree);
}

void check_trees_or_mpi(const Parameters& parameters) {
  if (parameters.levels.empty() || parameters.levels.back() != mpi_inside) {
    if (std::ranges::count(parameters.levels, mpi_inside) > 0)
      throw BadInput("levels: `mpi` takes all that is inside its level; as the last one it would be right");
    return check_trees(parameters);
  }
  if (parameters.levels.size() == 1)
    throw BadInput("levels: `mpi` is for levels inside the outermost one; the algorithm `mpi` is the MPI's own alone");
  if (parameters.segment_bytes > 0)
    throw BadInput("levels: the MPI's own takes whole messages; segment=none would be right");
  Parameters trees = parameters;
  trees.levels.pop_back();
  check_trees(trees);
}

}  // namespace isthmus
