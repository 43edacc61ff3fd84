#include "python/module/module.hpp"

#include <chrono>

namespace isthmus::python {

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto between = std::chrono::milliseconds(50);

}  // namespace

Checkpoint signal_checkpoint() {
  return [next = Clock::now() + between]() mutable {
    if (Clock::now() < next) return;
    {
      const py::gil_scoped_acquire with_gil;
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    }
    next = Clock::now() + between;
  };
}

std::vector<std::pair<std::string, std::string>> shown(const std::vector<Note>& notes) {
  std::vector<std::pair<std::string, std::string>> all;
  for (const Note& note : notes) all.emplace_back(name(note.kind), sentence(note));
  return all;
}

}  // namespace isthmus::python

PYBIND11_MODULE(_core, module) {
  using namespace isthmus::python;
  module.doc() = "The C++ side of the package isthmus.";
  module.attr("version") = ISTHMUS_VERSION;
  register_errors(module);
  register_topologies(module);
  register_channels(module);
  register_networks(module);
  register_collectives(module);
  register_schedules(module);
  register_models(module);
  register_tuning(module);
  register_records(module);
  register_comparisons(module);
  register_programs(module);
}
