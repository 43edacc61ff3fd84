// Groups of what lies near each other, found from the times between them: the subnets of ECO, level by level.
#pragma once

#include <functional>
#include <span>
#include <vector>

namespace isthmus {

/// The time from one point to another in whatever unit, above 0; the same in both directions.
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

/// One level: which of 0 ... size - 1 are subnets of two and more, or alone. Lowekamp 1995 (ECO: efficient
/// collective operations for communication on heterogeneous networks), section 4.1: from the nearest pair on, two are
/// joined when the way between them is at most `alike` (there 1.2) times the shortest way of either, and of either
/// subnet. One that was turned down for being too far waits for its next level: it joins nobody who is farther still.
/// Throws BadInput when a distance is not above 0.
std::vector<std::vector<int>> subnets(int size, const Distance& distance, double alike);

/// All levels, innermost first: the subnets of the points, the subnets of these (the distance between two is that of
/// their lowest points), and so on until everything is one.
///
/// Up to `max_in_full` points every distance is asked for. Beyond, the innermost level comes from samples: a point
/// asks for its distance to all that have no group yet and to one of each group there is; those alike the nearest are
/// its group, unless a walk through them, in order and at random, finds two that are nearer. Then it is alone at this
/// level, and one of the two goes on. That is a distance for each pair of point and group rather than of points.
Partition partition(int points, const Distance& distance, double alike, int max_in_full);

}  // namespace isthmus
