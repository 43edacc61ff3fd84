#include "validation/report/maps/label_places.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "validation/report/maps/network_drawing.hpp"

namespace isthmus {
namespace {

constexpr double label_letter_width = 6.1;
constexpr double crossed_line_cost = 0.35, off_line_cost = 1.5;  // in shares of a line's length

}  // namespace

bool LabelBox::overlaps(const LabelBox& other) const {
  return std::abs(x - other.x) < (width + other.width) / 2 && std::abs(y - other.y) < (height + other.height) / 2;
}

void LabelPlaces::add_line(double from_x, double from_y, double to_x, double to_y) {
  lines_.push_back({from_x, from_y, to_x, to_y});
}

double LabelPlaces::cost(const LabelBox& box, const Line& own) const {
  double sum = 0;
  for (const Line& line : lines_) {
    if (line.from_x == own.from_x && line.from_y == own.from_y && line.to_x == own.to_x && line.to_y == own.to_y)
      continue;
    constexpr int steps = 40;
    for (int i = 0; i <= steps; ++i) {
      const double share = static_cast<double>(i) / steps;
      const LabelBox point{line.from_x + share * (line.to_x - line.from_x),
                           line.from_y + share * (line.to_y - line.from_y), 0, 0};
      if (!box.overlaps(point)) continue;
      sum += crossed_line_cost;
      break;
    }
  }
  return sum;
}

std::optional<LabelBox> LabelPlaces::place(double from_x, double from_y, double to_x, double to_y,
                                           const std::vector<std::string>& lines) {
  std::size_t longest = 0;
  for (const std::string& line : lines) longest = std::max(longest, line.size());
  LabelBox box{0, 0, label_letter_width * static_cast<double>(longest) + 4,
               label_line_height * static_cast<double>(lines.size()) + 2};
  const double length = std::hypot(to_x - from_x, to_y - from_y);
  const double across_x = length > 0 ? -(to_y - from_y) / length : 0,
               across_y = length > 0 ? (to_x - from_x) / length : 1;
  std::optional<LabelBox> best;
  double least = std::numeric_limits<double>::infinity();
  for (int step = 0; step <= 30; ++step)
    for (const double aside : {0.0, 14.0, -14.0, 28.0, -28.0, 44.0, -44.0}) {
      const double away = 0.01 * ((step + 1) / 2) * 2.6 * (step % 2 == 0 ? 1 : -1);
      box.x = from_x + (0.5 + away) * (to_x - from_x) + aside * across_x;
      box.y = from_y + (0.5 + away) * (to_y - from_y) + aside * across_y;
      const bool is_inside = box.x >= box.width / 2 && box.x + box.width / 2 <= width_ && box.y >= box.height / 2 &&
                             box.y + box.height / 2 <= height_;
      if (!is_inside || std::ranges::any_of(taken_, [&](const LabelBox& other) { return box.overlaps(other); }))
        continue;
      const double total = std::abs(away) + (aside != 0 ? off_line_cost : 0) + std::abs(aside) / 60 +
                           cost(box, {from_x, from_y, to_x, to_y});
      if (total >= least) continue;
      least = total;
      best = box;
    }
  if (best) taken_.push_back(*best);
  return best;
}

}  // namespace isthmus
