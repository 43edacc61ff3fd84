#include "algorithms/measuring/estimate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>

namespace isthmus {
namespace {

double quantile(const std::vector<double>& ascending, double share) {
  const double at = share * static_cast<double>(ascending.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, ascending.size() - 1);
  return ascending[below] + (ascending[above] - ascending[below]) * (at - static_cast<double>(below));
}

constexpr double same_within = 0.05;

}  // namespace

double median(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  return quantile(samples, 0.5);
}

Estimate median_of(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  const double range = quantile(samples, 0.75) - quantile(samples, 0.25);
  return {quantile(samples, 0.5), 1.58 * range / std::sqrt(static_cast<double>(samples.size()))};
}

void even_out(std::vector<double*> figures) {
  std::ranges::sort(figures, {}, [](const double* figure) { return *figure; });
  for (std::size_t first = 0; first < figures.size();) {
    std::size_t end = first;
    std::vector<double> same;
    for (; end < figures.size() && *figures[end] <= (1 + same_within) * *figures[first]; ++end)
      same.push_back(*figures[end]);
    const double usual = median(same);
    for (; first < end; ++first) *figures[first] = usual;
  }
}

double shortest_within(double value, double tolerance) {
  if (std::abs(value) <= tolerance) return 0;
  for (int digits = 0; digits < std::numeric_limits<double>::max_digits10; ++digits) {
    const double shorter = std::stod(fmt::format("{:.{}e}", value, digits));
    if (std::abs(shorter - value) <= tolerance) return shorter;
  }
  return value;
}

}  // namespace isthmus
