#include "algorithms/topology/topology_file.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

#include "algorithms/errors.hpp"

namespace isthmus {
namespace {

using Path = std::vector<std::string>;

Path path_of(const nlohmann::json& entry, const std::string& where) {
  if (!entry.is_array()) throw BadInput(where + " is " + entry.dump() + "; a list of group names would be right");
  Path path;
  for (const nlohmann::json& name : entry) {
    if (!name.is_string() || name.get_ref<const std::string&>().empty())
      throw BadInput(where + " has the group " + name.dump() + "; a name would be right");
    path.push_back(name);
  }
  return path;
}

nlohmann::json parse(const std::string& file) {
  std::ifstream stream(file);
  if (!stream) throw BadInput(file + ": cannot be read: " + std::strerror(errno));
  try {
    return nlohmann::json::parse(stream);
  } catch (const nlohmann::json::parse_error& error) {
    // "[json.exception.parse_error.101] parse error at line 1, column 5: syntax error ..." has all but the file.
    const std::string text = error.what();
    throw BadInput(file + ": not JSON: " + text.substr(text.find("] ") + 2));
  }
}

}  // namespace

Topology read_topology(const std::string& file) {
  const nlohmann::json json = parse(file);
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
