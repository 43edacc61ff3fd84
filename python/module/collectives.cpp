#include <fmt/format.h>

#include <sstream>

#include "algorithms/catalog.hpp"
#include "algorithms/collective/algorithm.hpp"
#include "algorithms/errors.hpp"
#include "algorithms/text/near_matches.hpp"
#include "python/module/module.hpp"
#include "python/module/placed.hpp"

namespace isthmus::python {
namespace {

std::vector<std::string> words(std::string_view text) {
  std::istringstream in{std::string(text)};
  std::vector<std::string> found;
  for (std::string word; in >> word;) found.push_back(word);
  return found;
}

std::vector<std::string> collective_names() {
  std::vector<std::string> names;
  for (const Algorithm& algorithm : algorithms())
    if (names.empty() || names.back() != name(algorithm.collective)) names.emplace_back(name(algorithm.collective));
  return names;
}

}  // namespace

Problem problem_of(Collective collective, std::int64_t bytes, std::int64_t element_bytes, int root) {
  if (bytes < 0) throw BadInput(fmt::format("bytes: {}; 0 or more would be right", bytes));
  if (element_bytes < 1) throw BadInput(fmt::format("element_bytes: {}; 1 or more would be right", element_bytes));
  if (bytes % element_bytes != 0)
    throw BadInput(fmt::format("bytes: {}; a multiple of element_bytes, {}, would be right", bytes, element_bytes));
  return {collective, bytes / element_bytes, element_bytes, root};
}

RequestedPoint Placed::point(const std::string& what, std::int64_t bytes, std::int64_t element_bytes, int root) const {
  constexpr std::size_t max_points = 1 << 14;
  const std::tuple key(what, bytes, element_bytes, root);
  {
    const std::lock_guard lock(mutex_);
    if (const auto known = points_.find(key); known != points_.end()) return known->second;
  }
  const PlanRequest plan = parse_plan_request(what);
  RequestedPoint point = completed(request.placed, plan, problem_of(plan.collective, bytes, element_bytes, root));
  const std::lock_guard lock(mutex_);
  if (points_.size() >= max_points) points_.clear();
  points_.emplace(key, point);
  return point;
}

namespace {

/// The names of collectives and what each has.
void register_names(py::module_& module) {
  module.def("collective_names", &collective_names, "All that have algorithms, in the order of `isthmus list`.");
  module.def(
      "has_root", [](const std::string& collective) { return has_root(collective_named(collective)); },
      py::arg("collective"));
  module.def(
      "has_operator", [](const std::string& collective) { return has_operator(collective_named(collective)); },
      py::arg("collective"));
  module.def(
      "has_counts", [](const std::string& collective) { return has_counts(collective_named(collective)); },
      py::arg("collective"));
  module.def(
      "algorithms_of", [](const std::string& collective) { return algorithms_of(collective_named(collective)); },
      py::arg("collective"), py::return_value_policy::reference, "Raises BadInput with the near matches.");
  module.def(
      "near_matches",
      [](const std::string& name, const std::vector<std::string>& known) {
        return near_matches(name, std::vector<std::string_view>(known.begin(), known.end()));
      },
      py::arg("name"), py::arg("known"), "The end of an error about a name that is none of these.");
}

/// Its plan with some parameters chosen, as Python gives them.
std::string plan_with(const Algorithm& algorithm, const py::kwargs& parameters) {
  std::string text(algorithm.id);
  char before = ':';
  for (const auto& [key, value] : parameters) {
    std::string word = py::str(key);
    for (char& c : word)
      if (c == '_') c = '-';
    text += fmt::format("{}{}={}", std::exchange(before, ','), word, std::string(py::str(value)));
  }
  return parse_plan_request(fmt::format("{}/{}", name(algorithm.collective), text)).name();
}

void register_algorithms(py::module_& module) {
  py::class_<Algorithm, std::unique_ptr<Algorithm, py::nodelete>>(module, "Algorithm", R"(
          One algorithm of a collective.

          Examples
          --------
          >>> isthmus.collective("broadcast")["kielmann"].parameters
          ['segment', 'wan-degree', 'lan-degree']
          )")
      .def_property_readonly(
          "collective", [](const Algorithm& algorithm) { return name(algorithm.collective); },
          "The name of the collective.")
      .def_readonly("id", &Algorithm::id, "The name without the collective, as `kielmann`.")
      .def_property_readonly(
          "name",
          [](const Algorithm& algorithm) { return fmt::format("{}/{}", name(algorithm.collective), algorithm.id); },
          "The name with the collective, as `broadcast/kielmann`.")
      .def_readonly("paper", &Algorithm::paper, "Authors, year, section.")
      .def_readonly("summary", &Algorithm::summary, "What it does, in one line.")
      .def_property_readonly(
          "parameters", [](const Algorithm& algorithm) { return words(algorithm.parameters); },
          "The names of the parameters that it takes.")
      .def("plan", &plan_with,
           R"(
          Gives the plan with some of its parameters chosen.

          Parameters
          ----------
          **kwargs
              Values by the names of the parameters, with _ for -.

          Returns
          -------
          str
              The plan with its collective, as Platform.schedule() takes it.

          Raises
          ------
          BadInput
              When there is no such parameter, or its value is out of range.

          Examples
          --------
          >>> isthmus.collective("broadcast")["kielmann"].plan(segment="64Ki", wan_degree=3)
          'broadcast/kielmann:segment=64Ki,wan-degree=3'
          )")
      .def("__str__",
           [](const Algorithm& algorithm) { return fmt::format("{}/{}", name(algorithm.collective), algorithm.id); })
      .def("__repr__", [](const Algorithm& algorithm) {
        return fmt::format("<isthmus.Algorithm {}/{}: {}>", name(algorithm.collective), algorithm.id,
                           algorithm.summary);
      });
}

/// Texts that name plans.
void register_plans(py::module_& module) {
  module.def(
      "checked_plan", [](const std::string& what) { return parse_plan_request(what).name(); }, py::arg("what"),
      "The text of a plan such as `broadcast/kielmann:segment=64Ki` when it is one. Raises BadInput.");
  module.def(
      "exact_plan",
      [](const std::string& collective, const std::string& plan) {
        return request_text(parse_plan(collective_named(collective), plan));
      },
      py::arg("collective"), py::arg("plan"),
      "A plan of a decision table as text, with all parameters chosen. Raises BadInput.");
  module.def(
      "named_plans",
      [](const std::string& what) {
        std::vector<std::pair<std::string, bool>> plans;
        for (const PlanRequest& plan : parse_plan_requests(what)) plans.emplace_back(plan.name(), plan.one_of_all);
        return plans;
      },
      py::arg("what"),
      "The plans that a text names, one or `broadcast/all`. True marks plans from `/all`: they are skipped for "
      "problems "
      "that they cannot serve. Raises BadInput.");
}

}  // namespace

void register_collectives(py::module_& module) {
  register_names(module);
  register_algorithms(module);
  register_plans(module);
}

}  // namespace isthmus::python
