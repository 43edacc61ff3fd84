#include <limits>

#include "algorithms/measuring/estimate.hpp"
#include "python/module/module.hpp"
#include "validation/records/quickest.hpp"

namespace isthmus::python {
namespace {

/// The number of a cell, the plan, its seconds.
using Times = std::vector<std::tuple<std::int64_t, std::string, double>>;

std::vector<CellTime> cell_times(const Times& times) {
  std::vector<CellTime> all;
  for (const auto& [cell, plan, seconds] : times) all.push_back({cell, plan, seconds});
  return all;
}

/// A number as pandas has it: NaN if there is none.
std::vector<double> numbers(const std::vector<std::optional<double>>& values) {
  std::vector<double> all;
  for (const auto& value : values) all.push_back(value.value_or(std::numeric_limits<double>::quiet_NaN()));
  return all;
}

std::vector<std::tuple<std::size_t, std::size_t, double>> penalties_of(const Times& model, const Times& reference) {
  std::vector<std::tuple<std::size_t, std::size_t, double>> all;
  for (const Penalty& penalty : penalties(cell_times(model), cell_times(reference)))
    all.emplace_back(penalty.chosen, penalty.best, penalty.percent);
  return all;
}

std::vector<double> over_bounds(const std::vector<double>& seconds, const std::vector<double>& bounds_s) {
  std::vector<std::optional<double>> all;
  for (std::size_t i = 0; i < seconds.size() && i < bounds_s.size(); ++i)
    all.push_back(over_bound(seconds[i], bounds_s[i]));
  return numbers(all);
}

}  // namespace

void register_comparisons(py::module_& module) {
  module.def(
      "quickest", [](const Times& times) { return quickest(cell_times(times)); }, py::arg("times"),
      "The index of the smallest time of each cell, cells ascending. A time is (number of its cell, plan, seconds).");
  module.def(
      "penalties", &penalties_of, py::arg("model"), py::arg("reference"),
      "For each cell: the index, among the reference's times, of the model's choice, that of the quickest, and how "
      "many percent longer the choice takes.");
  module.def(
      "speed_ups",
      [](const Times& times, const std::string& baseline) { return numbers(speed_ups(cell_times(times), baseline)); },
      py::arg("times"), py::arg("baseline"),
      "Speed-up of each time over the baseline in its cell; NaN for the baseline and in cells without it.");
  module.def(
      "relative_errors",
      [](const Times& times, const Times& reference) {
        return numbers(relative_errors(cell_times(times), cell_times(reference)));
      },
      py::arg("times"), py::arg("reference"), "Relative error against the reference's time of the same plan and cell.");
  module.def(
      "half_interval_s", [](const std::vector<double>& seconds) { return median_of(seconds).half_width_s; },
      py::arg("seconds"), "Half of the 95 % confidence interval of the median of repetitions.");
  module.def("over_bounds", &over_bounds, py::arg("seconds"), py::arg("bounds_s"),
             "Each time over its lower bound; NaN where no bound is known.");
}

}  // namespace isthmus::python
