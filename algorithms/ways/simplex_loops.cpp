#include "algorithms/ways/simplex_loops.hpp"

#include <algorithm>
#include <limits>

// The compiler makes a second version for processors that add four numbers at once; both round alike.
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__clang__)
#define FOUR_AT_ONCE [[gnu::target_clones("avx2", "default")]]
#else
#define FOUR_AT_ONCE
#endif

namespace isthmus {

FOUR_AT_ONCE
void add_multiple(double* to, const double* values, double factor, std::size_t number) {
  for (std::size_t i = 0; i < number; ++i) to[i] += factor * values[i];
}

FOUR_AT_ONCE
void add_multiples(double* rows, std::size_t stride, const double* factors, const double* values, std::size_t number) {
  for (std::size_t f = 0; f < number; ++f) {
    const double factor = factors[f];
    double* row = rows + f * stride;
    if (factor == 0) continue;
    for (std::size_t i = 0; i < number; ++i) row[i] += factor * values[i];
  }
}

// Four sums do not wait for each other.
double sparse_dot(const std::vector<std::pair<int, double>>& terms, const double* values, std::size_t number) {
  const int in_four = static_cast<int>(number / 4 * 4);
  double sums[4] = {0, 0, 0, 0};
  for (const auto& [place, factor] : terms) sums[place < in_four ? place % 4 : 0] += factor * values[place];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

FOUR_AT_ONCE
double least_ratio(const double* amounts, const double* by, std::size_t number) {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  const auto ratio = [&](std::size_t i) {
    const double length = (std::max(amounts[i], 0.0) + kShake / 10) / by[i];
    return by[i] > kMinPivot ? length : kNever;
  };
  double least[4] = {kNever, kNever, kNever, kNever};
  std::size_t i = 0;
  for (; i + 4 <= number; i += 4)
    for (std::size_t lane = 0; lane < 4; ++lane) least[lane] = std::min(least[lane], ratio(i + lane));
  for (; i < number; ++i) least[0] = std::min(least[0], ratio(i));
  return std::min(std::min(least[0], least[1]), std::min(least[2], least[3]));
}

FOUR_AT_ONCE
int fastest_to_leave(const double* amounts, const double* by, std::size_t number, double most, double pivot) {
  const auto change = [&](std::size_t i) { return std::max(amounts[i], 0.0) <= most * by[i] ? by[i] : 0.0; };
  double greatest[4] = {0, 0, 0, 0};
  std::size_t i = 0;
  for (; i + 4 <= number; i += 4)
    for (std::size_t lane = 0; lane < 4; ++lane) greatest[lane] = std::max(greatest[lane], change(i + lane));
  for (; i < number; ++i) greatest[0] = std::max(greatest[0], change(i));
  const double found = std::max(std::max(greatest[0], greatest[1]), std::max(greatest[2], greatest[3]));
  if (found <= pivot || found <= kMinPivot) return -1;
  for (i = 0; change(i) != found;) ++i;
  return static_cast<int>(i);
}

}  // namespace isthmus

#undef FOUR_AT_ONCE
