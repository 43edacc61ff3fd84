// A chart of lines over the message size: one panel, with its axes, markers and labels beside the lines.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "validation/report/markup.hpp"

namespace isthmus {

enum class Marker { circle, square, diamond, triangle, cross, star, hourglass };

/// The marker's shape around a point, with about this radius.
Element marker_element(Marker marker, double x, double y, double radius);

struct Datum {
  double bytes = 0;
  double value = 0;
  std::string note;          ///< what a tooltip says
  double half_interval = 0;  ///< of a median; 0: none is drawn
};

struct Series {
  std::string label;
  std::string css_class;          ///< gives colour and dashes
  std::optional<Marker> marker;   ///< none: a line alone
  double radius = 4.2;            ///< of the markers
  std::vector<Datum> data;        ///< by size ascending
  std::string source, algorithm;  ///< what the reader can filter by; may be empty
};

/// A strip between two values over a range of sizes: the tolerance.
struct Band {
  double min_bytes = 0, max_bytes = 0;
  double least = 0, greatest = 0;
};

enum class ValueAxis { duration, factor, percent };

struct Chart {
  std::string title;        ///< of the panel
  std::string description;  ///< for those who do not see it
  ValueAxis axis = ValueAxis::duration;
  std::string axis_label;
  std::vector<Series> series;
  std::vector<Band> bands;
  double min_bytes = 1, max_bytes = 1;  ///< of the axis, so that panels can share it
  double least = 0, greatest = 1;
};

/// How wide a label is at most, in the picture's units: as in DejaVu Sans, which is wider than most fonts.
double label_width(std::string_view text);

/// The smallest and largest value of all series, widened so that nothing lies on the frame. Panels that are compared
/// share one range.
void set_ranges(std::vector<Chart>& charts);

/// The panel as SVG: it can be focused, and its points carry notes (report.js).
Element draw(const Chart& chart);

}  // namespace isthmus
