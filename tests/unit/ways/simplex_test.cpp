// The simplex against programmes whose optimum is known.
#include "algorithms/ways/simplex.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <stdexcept>

namespace isthmus {
namespace {

constexpr double kTolerance = 1e-10;

double objective(const Simplex& simplex, const std::vector<double>& gains) {
  double sum = 0;
  for (std::size_t j = 0; j < gains.size(); ++j) sum += gains[j] * simplex.value(static_cast<int>(j));
  return sum;
}

TEST(Simplex, SolvesATextbookProgramme) {
  // Dantzig's: 3x + 5y, x <= 4, 2y <= 12, 3x + 2y <= 18.
  Simplex simplex({4, 12, 18});
  simplex.add_column({{0, 1}, {2, 3}}, 3);
  simplex.add_column({{1, 2}, {2, 2}}, 5);
  EXPECT_TRUE(simplex.maximise(kTolerance, 100));
  EXPECT_NEAR(simplex.value(0), 2, 1e-9);
  EXPECT_NEAR(simplex.value(1), 6, 1e-9);
  EXPECT_NEAR(simplex.duals()[1], 1.5, 1e-9);
  EXPECT_NEAR(simplex.duals()[2], 1, 1e-9);
}

TEST(Simplex, StopsWhereItIsEnough) {
  // The first step alone gains 30.
  Simplex simplex({4, 12, 18});
  simplex.add_column({{0, 1}, {2, 3}}, 3);
  simplex.add_column({{1, 2}, {2, 2}}, 5);
  EXPECT_TRUE(simplex.maximise(kTolerance, 1, 30));
  EXPECT_NEAR(objective(simplex, {3, 5}), 30, 1e-9);
  EXPECT_TRUE(simplex.maximise(kTolerance, 0, 30));
  EXPECT_FALSE(simplex.maximise(kTolerance, 0, 30.1));
  EXPECT_TRUE(simplex.maximise(kTolerance, 100, 100));
  EXPECT_NEAR(objective(simplex, {3, 5}), 36, 1e-9);
}

TEST(Simplex, DoesNotGoRoundInCircles) {
  // Beale's (1955), on which the rule of the greatest gain cycles.
  Simplex simplex({0, 0, 1});
  simplex.add_column({{0, 0.25}, {1, 0.5}}, 0.75);
  simplex.add_column({{0, -60}, {1, -90}}, -150);
  simplex.add_column({{0, -1.0 / 25}, {1, -1.0 / 50}, {2, 1}}, 0.02);
  simplex.add_column({{0, 9}, {1, 3}}, -6);
  EXPECT_TRUE(simplex.maximise(kTolerance, 1000));
  EXPECT_NEAR(objective(simplex, {0.75, -150, 0.02, -6}), 0.05, 1e-6);
}

TEST(Simplex, SaysThatThereIsNoBound) {
  Simplex simplex({1});
  simplex.add_column({{0, -1}}, 1);
  EXPECT_THROW(simplex.maximise(kTolerance, 100), std::domain_error);
}

/// Amounts fit, reduced gains and prices have the right signs, and both objectives are equal: so it is an optimum.
void expect_optimal(const Simplex& simplex, const std::vector<double>& limits,
                    const std::vector<std::vector<SparseEntry>>& columns, const std::vector<double>& gains) {
  std::vector<double> used(limits.size());
  for (std::size_t j = 0; j < columns.size(); ++j) {
    double reduced = gains[j];
    for (const SparseEntry& entry : columns[j]) {
      used[entry.row] += entry.value * simplex.value(static_cast<int>(j));
      reduced -= entry.value * simplex.duals()[entry.row];
    }
    EXPECT_LE(reduced, 1e-7);
  }
  double dual = 0;
  for (std::size_t i = 0; i < limits.size(); ++i) {
    EXPECT_LE(used[i], limits[i] + 1e-7);
    EXPECT_GE(simplex.duals()[i], -1e-7);
    dual += limits[i] * simplex.duals()[i];
  }
  EXPECT_NEAR(objective(simplex, gains), dual, 1e-6 * (1 + dual));
}

TEST(Simplex, IsOptimalWhileColumnsAreAddedAndChanged) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(0, 1);
    const int rows = 3 + static_cast<int>(seed);
    std::vector<double> limits(rows);
    for (double& limit : limits) limit = seed % 3 == 0 ? 1 : uniform(random);
    Simplex simplex(limits);
    std::vector<std::vector<SparseEntry>> columns;
    std::vector<double> gains;
    for (int j = 0; j < 4 * rows; ++j) {
      std::vector<SparseEntry> entries;
      for (int row = 0; row < rows; ++row)
        if (uniform(random) < 0.3 || row == j % rows)
          entries.push_back({row, seed % 2 == 0 ? 1 : uniform(random) + 0.01});
      columns.push_back(entries);
      gains.push_back(seed % 2 == 0 ? 1 : uniform(random));
      simplex.add_column(std::move(entries), gains.back());
      if (j % 10 == 0) {
        ASSERT_TRUE(simplex.maximise(kTolerance, 100000));
        expect_optimal(simplex, limits, columns, gains);
      }
      if (j % 15 == 0) {
        columns[j][0].value = 2;
        simplex.set_entry(j, columns[j][0].row, 2);
      }
    }
    ASSERT_TRUE(simplex.maximise(kTolerance, 100000));
    expect_optimal(simplex, limits, columns, gains);
  }
}

}  // namespace
}  // namespace isthmus
