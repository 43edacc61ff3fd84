// Medians, and how certain they are.
#pragma once

#include <vector>

namespace isthmus {

/// A median, and half the width of its confidence interval at 95 % (McGill, Tukey, Larsen 1978: 1.58 IQR / sqrt(n)).
struct Estimate {
  double seconds = 0;
  double half_width_s = 0;
};

/// Both of one sample or more; the median of an even number lies between the two in the middle.
double median(std::vector<double> samples);
Estimate median_of(std::vector<double> samples);

/// Replaces figures that differ by less than 5 % by their median.
void even_out(std::vector<double*> figures);

/// Seconds; no clock tells less of a network.
inline constexpr double exact_s = 1e-9;

/// The number with the fewest digits that differs from `value` by no more than this.
double shortest_within(double value, double tolerance);

}  // namespace isthmus
