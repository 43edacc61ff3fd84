// The charts of a report, made from the rows of a comparison.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "algorithms/network/network.hpp"
#include "validation/harness/experiment.hpp"
#include "validation/records/comparison.hpp"
#include "validation/report/chart.hpp"

namespace isthmus {

/// A chart that belongs to one algorithm, or to all (empty).
struct Figure {
  std::string algorithm;
  Chart chart;
  std::string baseline = {};  ///< of speed-ups
};

/// Marker and style class of a source, the same in every chart.
Marker marker_of(Source source);
/// The size of a source's markers. Markers of sources that agree overlap: larger ones are drawn first, so that all
/// show.
double radius_of(Source source);

/// Completion time by size, one chart an algorithm, a line a source and one for the lower bound; common axes.
std::vector<Figure> time_figures(std::span<const ComparisonRow> rows, const std::vector<Source>& sources);

/// Difference from the reference in percent, one chart an algorithm; tolerances as strips.
std::vector<Figure> error_figures(std::span<const ComparisonRow> rows, const Comparison& comparison,
                                  const Experiment& experiment);

/// Time of the reference over the lower bound, all algorithms in one chart.
Figure bound_figure(std::span<const ComparisonRow> rows, Source reference);

/// Speed-up of the algorithms over one of them, all in one chart.
Figure speed_up_figure(std::span<const ComparisonRow> rows, Source reference, const std::string& base);

/// P-LogP's measured functions of the message size, one chart a class of links; none where nothing was measured.
std::vector<Figure> parameter_figures(const Network& network);

}  // namespace isthmus
