#include <fmt/format.h>

#include "algorithms/errors.hpp"
#include "algorithms/memory.hpp"
#include "algorithms/topology/topology.hpp"
#include "algorithms/topology/topology_file.hpp"
#include "python/module/module.hpp"

namespace isthmus::python {
namespace {

py::list groups_of(const Topology& topology) {
  py::list rows;
  for (std::size_t number = 0; number < topology.groups().size(); ++number) {
    const Group& group = topology.group(static_cast<int>(number));
    py::dict row;
    row["group"] = static_cast<int>(number);
    row["name"] = group.name;
    row["level"] = group.level;
    row["parent"] = group.parent;
    row["ranks"] = group.ranks;
    rows.append(row);
  }
  return rows;
}

/// Throws BadInput where the number is none from 0 to `last`.
void require_number(const char* what, int number, int last) {
  if (number < 0 || number > last)
    throw BadInput(fmt::format("{} {}; a number from 0 to {} would be right", what, number, last));
}

Topology flat(int size) {
  constexpr double bytes_of_rank = 2 * sizeof(int);
  require_memory(size * bytes_of_rank, fmt::format("a topology of {} ranks", size), "fewer would be right");
  return Topology::flat(size);
}

int group_at(const Topology& topology, int rank, int level) {
  require_number("rank", rank, topology.size() - 1);
  if (level < 0) throw BadInput(fmt::format("level {}; 0 or more would be right", level));
  return topology.group_at(rank, level);
}

int coordinator(const Topology& topology, int group, int root) {
  require_number("group", group, static_cast<int>(topology.groups().size()) - 1);
  require_number("root", root, topology.size() - 1);
  return topology.coordinator(group, root);
}

/// Topologies from sizes and names.
void define_making(py::class_<Topology>& type) {
  type.def_static("flat", &flat, py::arg("size"), R"(
          Makes one group of everybody.

          Parameters
          ----------
          size : int
              The number of ranks.

          Returns
          -------
          Topology
              Level 0 alone.

          Examples
          --------
          >>> isthmus.Topology.flat(3).levels
          0
          )")
      .def_static("from_paths", &Topology::from_paths, py::arg("paths"),
                  R"(
          Makes groups of ranks by name.

          Parameters
          ----------
          paths : list of list of str
              For each rank the names of its groups, from the site inwards.

          Returns
          -------
          Topology
              The tree of these groups.

          Examples
          --------
          >>> isthmus.Topology.from_paths([["a"], ["a"], ["b"]])
          <isthmus.Topology: 3 ranks, 3 groups, 1 levels>
          )");
}

/// Topologies from files.
void define_reading(py::class_<Topology>& type) {
  type.def_static(
      "read", [](const std::filesystem::path& file) { return read_topology(file.string()); }, py::arg("file"), R"(
          Reads the groups of ranks from a file.

          Parameters
          ----------
          file : str or os.PathLike
              JSON, as `{"ranks": [["siteA", "node1"], ["siteA", "node2"], ["siteB", "node1"]]}`.

          Returns
          -------
          Topology
              The tree of these groups.

          Raises
          ------
          BadInput
              When the file is no topology.

          Examples
          --------
          >>> with open("ranks.json", "w") as file:
          ...     length = file.write('{"ranks": [["a"], ["a"], ["b"]]}')
          >>> isthmus.Topology.read("ranks.json")
          <isthmus.Topology: 3 ranks, 3 groups, 1 levels>
          )");
}

/// The groups, and where ranks are in them.
void define_groups(py::class_<Topology>& type) {
  type.def("groups", &groups_of, R"(
          Lists the groups.

          Returns
          -------
          list of dict
              One a group: group (its number), name, level, parent (a number, -1 for everybody), ranks.

          Examples
          --------
          >>> das.topology.groups()[1]
          {'group': 1, 'name': 'c0', 'level': 1, 'parent': 0, 'ranks': [0, 1, 2, 3]}
          )")
      .def("group_at", &group_at, py::arg("rank"), py::arg("level"), R"(
          Gives the group of a rank at a level.

          Parameters
          ----------
          rank : int
              The rank.
          level : int
              The level; 0 is everybody.

          Returns
          -------
          int
              The number of the group.

          Examples
          --------
          >>> das.topology.group_at(rank=5, level=1)
          2
          )")
      .def("coordinator", &coordinator, py::arg("group"), py::arg("root"),
           R"(
          Gives the rank that speaks for a group.

          Parameters
          ----------
          group : int
              The number of the group.
          root : int
              The rank of the root.

          Returns
          -------
          int
              The root where it is a member, else the lowest rank.

          Examples
          --------
          >>> das.topology.coordinator(group=2, root=0)
          4
          )");
}

}  // namespace

void register_topologies(py::module_& module) {
  py::class_<Topology> type(module, "Topology",
                            R"(
          The tree of groups over the ranks: level 0 is everybody, level 1 the sites.

          Examples
          --------
          >>> das.topology
          <isthmus.Topology: 16 ranks, 5 groups, 1 levels>
          )");
  define_making(type);
  define_reading(type);
  type.def_property_readonly("size", &Topology::size, "The number of ranks.")
      .def_property_readonly("levels", &Topology::levels, "The largest level of any group.");
  define_groups(type);
  type.def("__len__", &Topology::size).def("__repr__", [](const Topology& topology) {
    return fmt::format("<isthmus.Topology: {} ranks, {} groups, {} levels>", topology.size(), topology.groups().size(),
                       topology.levels());
  });
}

}  // namespace isthmus::python
