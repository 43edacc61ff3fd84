#include <fmt/format.h>

#include "algorithms/errors.hpp"
#include "algorithms/json/json_text.hpp"
#include "algorithms/tuning/table_exports.hpp"
#include "python/module/module.hpp"
#include "python/module/placed.hpp"
#include "validation/studies/tune.hpp"

namespace isthmus::python {
namespace {

std::string json_of(const DecisionTable& table) {
  return to_json(table).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

DecisionTable table_of(const Placed& placed, const std::string& text) {
  return decision_table_from_json(parse_json(text, "decision table", "what `isthmus tune` writes would be right"),
                                  placed.topology());
}

/// A table by model alone; tables by simulation or emulation are made by the program isthmus.
std::string tuned(const Placed& placed, const std::vector<std::string>& collectives,
                  const std::vector<std::int64_t>& sizes, const std::vector<int>& roots) {
  TuneRequest request{.run = placed.request};
  for (const std::string& collective : collectives) request.collectives.push_back(collective_named(collective));
  request.sizes = sizes;
  request.roots = roots;
  request.progress = [looks = signal_checkpoint()](const std::string&) mutable { looks(); };
  return json_of(tune(request).table);
}

std::string exported_decisions(const Placed& placed, const std::string& text, const std::string& form) {
  const DecisionTable table = table_of(placed, text);
  if (form == "openmpi") return openmpi_rules(table);
  if (form == "openmpi-json") return openmpi_rules_json(table);
  if (form == "mpich") return mpich_selection(table);
  if (form == "nccl") return nccl_tuner_csv(table);
  if (form == "json") return json_of(table);
  throw BadInput(fmt::format("as_: `{}`; json, openmpi, openmpi-json, mpich or nccl would be right", form));
}

/// The plan for a call, of the nearest size that was tuned.
std::string plan_for(const Placed& placed, const std::string& text, const std::string& collective, std::int64_t bytes,
                     int root) {
  const DecisionTable table = table_of(placed, text);
  const Collective called = collective_named(collective);
  if (!carries_data(called)) check_problem({.collective = called, .count = bytes}, placed.placement().size());
  const Decision* decision = decision_for(table, called, root, bytes);
  if (decision == nullptr)
    throw BadInput(fmt::format("collective: {} is not in the table; one that is would be right", collective));
  return fmt::format("{}/{}", collective, request_text(decision->best().plan));
}

}  // namespace

void register_tuning(py::module_& module) {
  module.def("tune", &tuned, py::arg("placed"), py::arg("collectives"), py::arg("sizes"), py::arg("roots"),
             WithoutGil(), "A decision table by the replay, as JSON.");
  module.def("export_decisions", &exported_decisions, py::arg("placed"), py::arg("text"), py::arg("form"),
             WithoutGil());
  module.def("decided_plan", &plan_for, py::arg("placed"), py::arg("text"), py::arg("collective"), py::arg("bytes"),
             py::arg("root"), WithoutGil());
}

}  // namespace isthmus::python
