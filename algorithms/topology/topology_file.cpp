#include "algorithms/topology/topology_file.hpp"

#include <vector>

#include "algorithms/json/json_reader.hpp"

namespace isthmus {

Topology read_topology(const std::string& file) {
  const JsonDocument document = JsonDocument::of_file(file, "a topology in JSON would be right");
  constexpr const char* expected = R"(a list of at least one rank's groups, as [["siteA", "node1"], ["siteB"]],)";
  std::vector<std::vector<std::string>> paths;
  for (const JsonReader& rank : document.whole().at("ranks").elements(1, expected)) {
    std::vector<std::string>& path = paths.emplace_back();
    for (const JsonReader& group : rank.elements(0, "a list of group names")) path.push_back(group.name());
  }
  return Topology::from_paths(paths);
}

}  // namespace isthmus
