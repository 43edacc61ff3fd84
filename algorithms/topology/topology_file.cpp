#include "algorithms/topology/topology_file.hpp"

#include <vector>

#include "algorithms/errors.hpp"
#include "algorithms/json/json_text.hpp"

namespace isthmus {
namespace {

using Path = std::vector<std::string>;

Path path_of(const nlohmann::json& entry, const std::string& where) {
  if (!entry.is_array()) throw BadInput(where + " is " + excerpt_of(entry) + "; a list of group names would be right");
  Path path;
  for (const nlohmann::json& name : entry) {
    if (!name.is_string() || name.get_ref<const std::string&>().empty())
      throw BadInput(where + " has the group " + excerpt_of(name) + "; a name would be right");
    path.push_back(name);
  }
  return path;
}

}  // namespace

Topology read_topology(const std::string& file) {
  const nlohmann::json json = read_json(file, "a topology in JSON is needed");
  if (!json.is_object() || !json.contains("ranks") || !json["ranks"].is_array())
    throw BadInput(file + R"(: no list `ranks`; {"ranks": [["siteA", "node1"], ["siteB"]]} would be right)");
  const nlohmann::json& ranks = json["ranks"];
  if (ranks.empty()) throw BadInput(file + ": `ranks` is empty: there must be at least one");
  std::vector<Path> paths;
  for (const nlohmann::json& entry : ranks)
    paths.push_back(path_of(entry, file + ": rank " + std::to_string(paths.size())));
  return Topology::from_paths(paths);
}

}  // namespace isthmus
