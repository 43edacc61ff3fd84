// The loops over long rows of numbers in which the simplex spends its time.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace isthmus {

/// What changes by less does not leave.
inline constexpr double kMinPivot = 1e-9;
/// Limits are exceeded by once to twice this (Simplex::shake()); a tenth of it is a hair.
inline constexpr double kShake = 1e-10;

void add_multiple(double* to, const double* values, double factor, std::size_t number);

/// Adds to each row of a matrix its multiple of the values.
void add_multiples(double* rows, std::size_t stride, const double* factors, const double* values, std::size_t number);

/// Of whole rows, of whose products only these are not 0.
double sparse_dot(const std::vector<std::pair<int, double>>& terms, const double* values, std::size_t number);

/// How much of what enters makes the first of some amounts fall a hair below 0.
double least_ratio(const double* amounts, const double* by, std::size_t number);

/// The place of the greatest change by more than `pivot` among what falls below 0 within `most` of what enters, or -1.
int fastest_to_leave(const double* amounts, const double* by, std::size_t number, double most, double pivot);

}  // namespace isthmus
