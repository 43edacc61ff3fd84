// Partition of points into groups by the times between them, level by level, in the manner of ECO.
#pragma once

#include <functional>
#include <utility>
#include <vector>

namespace isthmus {

/// The time from one point to another in any unit, above 0; symmetric.
using Distance = std::function<double(int from, int to)>;

/// A tree of parts. Parts 0 ... points - 1 are the points themselves; the others are groups, whose children have lower
/// numbers; the last one holds all points.
struct Partition {
  int points = 0;
  std::vector<std::vector<int>> children;  ///< by part, ascending by their lowest points; empty for points

  int root() const { return static_cast<int>(children.size()) - 1; }
  bool is_point(int part) const { return part < points; }
  /// The points below a part, ascending.
  std::vector<int> points_of(int part) const;
};

/// One level: the subnets of two or more of the points 0 ... size - 1; other points are alone. The rule of ECO
/// (eco_subnets.hpp), made stricter so that levels can follow each other: the shortest distance of a subnet is that of
/// its points to any point, and a point whose pair was refused joins no point at a larger distance on this level.
/// Throws BadInput when a distance is not above 0.
std::vector<std::vector<int>> subnets(int size, const Distance& distance, double alike);

/// All levels, innermost first: the subnets of the points, then the subnets of these subnets (their distance is that of
/// their lowest points), and so on until one group is left.
///
/// For up to `max_in_full` points every distance is used. For more points the innermost level comes from samples: a
/// point asks for its distance to all points without group and to one point of each group. The points about as near as
/// the nearest form its group, unless a walk through them, in order and at random, finds two that are nearer to each
/// other; then the point is alone at this level, and the search continues with one of the two. This needs one distance
/// per pair of point and group instead of one per pair of points.
Partition partition(int points, const Distance& distance, double alike, int max_in_full);

/// By point: the parts that hold it, outermost first, itself last.
std::vector<std::vector<int>> parts_around(const Partition& groups);

/// The innermost group around two points, as the two of its parts that hold them. `one` and `other` are what is around
/// them.
std::pair<int, int> parts_between(const std::vector<int>& one, const std::vector<int>& other);

/// A tree of parts as one of `points`: `inner` has the points of each part.
Partition with_points(const Partition& tree, const std::vector<std::vector<int>>& inner, int points);

/// The same with other numbers, without groups that have no parts.
Partition without_empty_groups(const Partition& groups);

}  // namespace isthmus
