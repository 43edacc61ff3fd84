// Decision maps over message size and number of ranks (or platform): the quickest algorithm, and the cost of a model's
// choice (Pjesivac-Grbovic 2005, figures 6 and 7).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "validation/records/comparison.hpp"
#include "validation/report/markup.hpp"

namespace isthmus {

/// One line of a map: its label, and the rows of one collective that belong to it.
struct MapLine {
  std::string label;
  std::vector<const ComparisonRow*> rows;
};

/// The algorithms that are quickest in some cell by one of the sources, in the order of the rows: each has a colour.
std::vector<std::string> quickest_algorithms(std::span<const MapLine> lines, std::span<const Source> sources);

/// The map of the quickest of `algorithms` by `source`: colour and letter in each cell.
Element draw_decision_map(std::span<const MapLine> lines, std::span<const std::string> algorithms, Source source);

/// The legend: colour, letter and name of each algorithm.
Element map_legend(std::span<const std::string> algorithms);

/// The map of penalties: by `reference`, how many percent longer the choice of `model` takes than the quickest. The
/// model chooses among algorithms that it has times of; cells without times of both are empty.
Element draw_penalty_map(std::span<const MapLine> lines, Source model, Source reference);

}  // namespace isthmus
