#include "algorithms/network/size_function.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "algorithms/errors.hpp"

namespace isthmus {

SizeFunction::SizeFunction(std::vector<Point> points) : points_(std::move(points)) {
  if (points_.empty()) throw BadInput("function of the message size: no points; at least one would be right");
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const Point& point = points_[i];
    if (!(point.bytes >= 0) || !(point.seconds >= 0) || !std::isfinite(point.bytes) || !std::isfinite(point.seconds)) {
      throw BadInput(fmt::format("function of the message size: point {} ({} B, {} s) must not be negative", i,
                                 point.bytes, point.seconds));
    }
    if (i > 0 && point.bytes <= points_[i - 1].bytes) {
      throw BadInput(fmt::format("function of the message size: point {} ({} B) must lie beyond the one before ({} B)",
                                 i, point.bytes, points_[i - 1].bytes));
    }
  }
}

SizeFunction SizeFunction::linear(double constant_s, double per_byte_s) {
  // The second point is at a large size, so that the slope is exact to the last digits even beside a large constant.
  constexpr double far_bytes = 1LL << 40;
  return SizeFunction({{0, constant_s}, {far_bytes, constant_s + per_byte_s * far_bytes}});
}

double SizeFunction::operator()(double bytes) const {
  if (points_.size() == 1 || bytes <= points_.front().bytes) return points_.front().seconds;
  auto right = std::upper_bound(points_.begin(), points_.end(), bytes,
                                [](double value, const Point& point) { return value < point.bytes; });
  if (right == points_.end()) --right;
  const Point& a = *(right - 1);
  const Point& b = *right;
  const double value = a.seconds + (bytes - a.bytes) * ((b.seconds - a.seconds) / (b.bytes - a.bytes));
  return std::max(value, 0.0);  // a decreasing last piece ends at zero
}

SizeFunction SizeFunction::larger(const SizeFunction& a, const SizeFunction& b) {
  std::vector<double> sizes;
  for (const Point& point : a.points()) sizes.push_back(point.bytes);
  for (const Point& point : b.points()) sizes.push_back(point.bytes);
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  // Beyond the last size both are linear: one more point gives their slopes and whether they cross beyond it.
  const double last = sizes.back();
  const double far = std::max(2 * last, 1.0);
  sizes.push_back(far);
  const double slope_a = (a(far) - a(last)) / (far - last), slope_b = (b(far) - b(last)) / (far - last);
  const double crossing = last + (b(last) - a(last)) / (slope_a - slope_b);
  if (crossing > far && std::isfinite(crossing)) {
    sizes.push_back(crossing);
    sizes.push_back(2 * crossing);
  }
  std::vector<Point> points;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (i > 0) {
      const double left = a(sizes[i - 1]) - b(sizes[i - 1]), right = a(sizes[i]) - b(sizes[i]);
      if (left * right < 0) {
        const double meeting = sizes[i - 1] + (sizes[i] - sizes[i - 1]) * (left / (left - right));
        if (meeting > sizes[i - 1] && meeting < sizes[i]) points.push_back({meeting, a(meeting)});
      }
    }
    points.push_back({sizes[i], std::max(a(sizes[i]), b(sizes[i]))});
  }
  return SizeFunction(std::move(points));
}

}  // namespace isthmus
