// A measured cost as a piecewise linear function of the message size.
#pragma once

#include <vector>

namespace isthmus {

/// A function of the message size in bytes: constant before its first point, linear between its points, and beyond the
/// last with the slope of the last two (constant if there is only one).
/// Invariant: at least one point, sizes ascending, values not negative.
class SizeFunction {
 public:
  struct Point {
    double bytes;
    double seconds;
  };
  /// Throws BadInput naming the point that breaks the invariant.
  explicit SizeFunction(std::vector<Point> points);
  /// constant_s + per_byte_s * bytes
  static SizeFunction linear(double constant_s, double per_byte_s);
  /// The maximum of the two at every size. Its points are those of both functions and their intersections.
  static SizeFunction larger(const SizeFunction& a, const SizeFunction& b);

  double operator()(double bytes) const;
  const std::vector<Point>& points() const { return points_; }

 private:
  std::vector<Point> points_;
};

/// A function with its last value cached, for callers that mostly ask for the same size as before. The function must
/// outlive it.
class LastValueCache {
 public:
  LastValueCache() = default;
  explicit LastValueCache(const SizeFunction& function) : function_(&function) {}

  double operator()(double bytes) const {
    if (bytes != last_bytes_) {
      last_s_ = (*function_)(bytes);
      last_bytes_ = bytes;
    }
    return last_s_;
  }

 private:
  const SizeFunction* function_ = nullptr;
  mutable double last_bytes_ = -1, last_s_ = 0;
};

}  // namespace isthmus
