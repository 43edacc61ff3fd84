// The Python module isthmus._core: the C++ side of the package isthmus. One register function a topic.
#pragma once

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <string>
#include <utility>
#include <vector>

#include "algorithms/replay/replay.hpp"
#include "algorithms/text/note.hpp"

namespace isthmus::python {

namespace py = pybind11;

/// The three errors of isthmus as exceptions of the module.
void register_errors(py::module_& module);
/// The tree of groups over the ranks.
void register_topologies(py::module_& module);
/// Files of networks and channels.
void register_channels(py::module_& module);
/// Networks, and networks with ranks in place.
void register_networks(py::module_& module);
/// Collectives, algorithms and plans.
void register_collectives(py::module_& module);
/// Schedules: operations, census, proof, replay, pictures, exports.
void register_schedules(py::module_& module);
/// Bounds, P-LogP, sizes as text.
void register_models(py::module_& module);
/// Decision tables.
void register_tuning(py::module_& module);
/// Sources, records and the store.
void register_records(py::module_& module);
/// Comparisons of results.
void register_comparisons(py::module_& module);
/// Programs run as children of this process.
void register_programs(py::module_& module);

/// Throws KeyboardInterrupt when Ctrl-C was pressed: called by long work that has released the GIL.
Checkpoint signal_checkpoint();

/// Kind and sentence of each note.
std::vector<std::pair<std::string, std::string>> shown(const std::vector<Note>& notes);

/// Work without the GIL.
using WithoutGil = py::call_guard<py::gil_scoped_release>;

}  // namespace isthmus::python
