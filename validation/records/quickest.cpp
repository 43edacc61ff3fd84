#include "validation/records/quickest.hpp"

#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace isthmus {
namespace {

using PlanOfCell = std::pair<std::int64_t, std::string_view>;

/// The index of the first time of each plan in each cell.
std::map<PlanOfCell, std::size_t> first_of_each(std::span<const CellTime> times) {
  std::map<PlanOfCell, std::size_t> first;
  for (std::size_t i = 0; i < times.size(); ++i)
    if (!std::isnan(times[i].seconds)) first.try_emplace({times[i].cell, times[i].plan}, i);
  return first;
}

/// For each cell, the index of the smallest time for which `counts(index)` holds.
template <class Counts>
std::map<std::int64_t, std::size_t> quickest_of_each_cell(std::span<const CellTime> times, Counts counts) {
  std::map<std::int64_t, std::size_t> least;
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (std::isnan(times[i].seconds) || !counts(i)) continue;
    const auto [held, is_new] = least.try_emplace(times[i].cell, i);
    if (!is_new && times[i].seconds < times[held->second].seconds) held->second = i;
  }
  return least;
}

}  // namespace

std::vector<std::size_t> quickest(std::span<const CellTime> times) {
  std::vector<std::size_t> numbers;
  for (const auto& [cell, number] : quickest_of_each_cell(times, [](std::size_t) { return true; }))
    numbers.push_back(number);
  return numbers;
}

std::vector<Penalty> penalties(std::span<const CellTime> model, std::span<const CellTime> reference) {
  const auto first = first_of_each(reference);
  const auto is_first = [&](std::size_t i) { return first.at({reference[i].cell, reference[i].plan}) == i; };
  const auto is_known = [&](std::size_t i) { return first.contains({model[i].cell, model[i].plan}); };
  const auto best = quickest_of_each_cell(reference, is_first);
  std::vector<Penalty> found;
  for (const auto& [cell, number] : quickest_of_each_cell(model, is_known)) {
    const std::size_t chosen = first.at({cell, model[number].plan});
    const double chosen_s = reference[chosen].seconds, best_s = reference[best.at(cell)].seconds;
    const auto error = relative_error(chosen_s, best_s);
    found.push_back({chosen, best.at(cell), error ? 100 * *error : std::numeric_limits<double>::quiet_NaN()});
  }
  return found;
}

std::vector<std::optional<double>> speed_ups(std::span<const CellTime> times, std::string_view baseline) {
  const auto first = first_of_each(times);
  std::vector<std::optional<double>> factors(times.size());
  for (std::size_t i = 0; i < times.size(); ++i) {
    const auto base = first.find({times[i].cell, baseline});
    if (times[i].plan == baseline || base == first.end() || !(times[i].seconds > 0)) continue;
    factors[i] = times[base->second].seconds / times[i].seconds;
  }
  return factors;
}

std::vector<std::optional<double>> relative_errors(std::span<const CellTime> times,
                                                   std::span<const CellTime> reference) {
  const auto first = first_of_each(reference);
  std::vector<std::optional<double>> errors;
  for (const CellTime& time : times) {
    const auto other = first.find({time.cell, time.plan});
    errors.push_back(other == first.end() ? std::nullopt
                                          : relative_error(time.seconds, reference[other->second].seconds));
  }
  return errors;
}

std::optional<double> relative_error(double seconds, double reference_s) {
  return reference_s > 0 ? std::optional(seconds / reference_s - 1) : std::nullopt;
}

std::optional<double> over_bound(double seconds, double bound_s) {
  return bound_s > 0 ? std::optional(seconds / bound_s) : std::nullopt;
}

}  // namespace isthmus
