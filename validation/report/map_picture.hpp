// Decision maps: over message size and number of ranks (or platform), which algorithm is quickest, and what it costs
// to take a model's word for it (Pjesivac-Grbovic 2005, figures 6 and 7).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "validation/records/comparison.hpp"
#include "validation/report/markup.hpp"

namespace isthmus {

/// One line of a map: the rows of a comparison that belong together, in a collective, and what they are called.
struct MapLine {
  std::string label;
  std::vector<const ComparisonRow*> rows;
};

/// The algorithms that are quickest somewhere by one of the sources, in the order of arrival: the colours of the maps.
std::vector<std::string> quickest_algorithms(std::span<const MapLine> lines, std::span<const Source> sources);

/// Which of `algorithms` is quickest by `source`, cell by cell: its colour and its letter.
Element draw_decision_map(std::span<const MapLine> lines, std::span<const std::string> algorithms, Source source);

/// What the algorithms with their colours and letters are called.
Element map_legend(std::span<const std::string> algorithms);

/// How many percent the algorithm that `model` finds quickest takes longer, by `reference`, than the one that is
/// quickest there. Algorithms that the model does not know are not its choice; cells without both are empty.
Element draw_penalty_map(std::span<const MapLine> lines, Source model, Source reference);

}  // namespace isthmus
