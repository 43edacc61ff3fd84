// Places for the labels of lines, so that none covers another or a box.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace isthmus {

/// A rectangle around its middle.
struct LabelBox {
  double x = 0, y = 0, width = 0, height = 0;

  bool overlaps(const LabelBox& other) const;
};

class LabelPlaces {
 public:
  /// Labels lie inside the picture, which begins at 0, 0.
  LabelPlaces(double width, double height) : width_(width), height_(height) {}

  void keep_free(const LabelBox& box) { taken_.push_back(box); }
  /// A line that labels should not lie on, other than their own.
  void add_line(double from_x, double from_y, double to_x, double to_y);

  /// The free place nearest to the middle of a line, on it or close beside it, where the fewest other lines pass; none
  /// if there is no room. The place is then taken.
  std::optional<LabelBox> place(double from_x, double from_y, double to_x, double to_y,
                                const std::vector<std::string>& lines);

 private:
  struct Line {
    double from_x, from_y, to_x, to_y;
  };

  double cost(const LabelBox& box, const Line& own) const;

  double width_, height_;
  std::vector<LabelBox> taken_;
  std::vector<Line> lines_;
};

}  // namespace isthmus
