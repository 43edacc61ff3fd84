// A job: points to time, run by the same code in simulated ranks (SMPI) and in the ranks of a real MPI.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "algorithms/collective/algorithm.hpp"
#include "algorithms/network/network.hpp"

namespace isthmus {

struct Point {
  Problem problem;
  Plan plan;
};

/// The input, output and scratch of all ranks together; without the scratch of an MPI's own algorithm.
double data_bytes(const Point& point, const Topology& topology);

struct Job {
  Network network;
  Placement placement;
  std::vector<Point> points;
  int repetitions = 1;
  /// Above 0: `repetitions` is the maximum, and a point ends when half the confidence interval of the median
  /// (median_of()), relative to the median, is at most this value; at least few_repetitions are made.
  double confidence = 0;
  int warm_up = 0;  ///< repetitions before those that count
};

/// An interval from fewer repetitions is not reliable.
inline constexpr int few_repetitions = 5;

/// Times are from the common start of the repetition, in seconds.
struct Repetition {
  double seconds = 0;                ///< to the last rank's end
  std::vector<double> rank_start_s;  ///< by rank: when it started its part
  std::vector<double> rank_end_s;    ///< by rank: when it was done

  double late_s() const;  ///< how late the last rank started
};

struct PointResult {
  std::vector<Repetition> repetitions;
  bool correct = false;  ///< every rank checked every byte of its result
};

nlohmann::json to_json(const Job& job);
/// A job from outside: everything is checked, including the plans against the topology of the placement. Throws
/// BadInput naming the JSON path, the value and what would be right.
Job job_from_json(const nlohmann::json& json);
nlohmann::json to_json(const PointResult& result);
/// Ignores members that it does not know, such as the number of the point. Throws BadInput.
PointResult point_result_from_json(const nlohmann::json& json);

}  // namespace isthmus
