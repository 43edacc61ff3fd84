#include "algorithms/measuring/estimate.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace isthmus {
namespace {

double quantile(const std::vector<double>& ascending, double share) {
  const double at = share * static_cast<double>(ascending.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, ascending.size() - 1);
  return ascending[below] + (ascending[above] - ascending[below]) * (at - static_cast<double>(below));
}

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

}  // namespace isthmus
