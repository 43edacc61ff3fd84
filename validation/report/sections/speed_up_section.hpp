// Speed-ups over a baseline that the reader chooses, and their geometric means.
#pragma once

#include <span>
#include <vector>

#include "validation/records/comparison.hpp"
#include "validation/report/figures.hpp"

namespace isthmus {

/// The algorithms over which speed-ups are drawn, at most eight, the one named last first.
std::vector<std::string> baselines_of(std::span<const ComparisonRow> rows, Source reference);

/// A label and a list to choose one of the baselines.
Element baseline_choice(const std::vector<std::string>& baselines);

/// A row an algorithm, a column a baseline: the geometric mean of the speed-ups over the sizes that both have.
Element geometric_means(std::span<const ComparisonRow> rows, const std::vector<std::string>& baselines,
                        Source reference);

}  // namespace isthmus
