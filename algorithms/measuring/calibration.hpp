// Calibration: what was measured between pairs of ranks becomes the parameters of a network.
//
// Routes between hosts that cross links of equal cost are one class. One pair of each class is measured in full, some
// others in brief, to see whether they agree.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "algorithms/measuring/estimate.hpp"
#include "algorithms/network/network.hpp"

namespace isthmus {

struct MeasuredSize {
  std::int64_t bytes = 0;
  Estimate gap, send_overhead, receive_overhead;
};

/// P-LogP between two ranks, measured as Kielmann, Bal, Verstoep 2000 do: see measure_pairs().
struct MeasuredPair {
  int from = 0, to = 0;  ///< ranks
  Estimate latency;
  std::vector<MeasuredSize> sizes;  ///< ascending; the first has 0 bytes
};

/// What is to be measured.
struct MeasuringTask {
  struct Pair {
    int from = 0, to = 0;  ///< ranks
    bool in_full = true;   ///< else only 0 bytes and the largest size
  };
  std::vector<Pair> pairs;
  std::int64_t max_bytes = 1 << 20;
  int repetitions = 20;     ///< of each measurement, at most; fewer as soon as the interval is narrow enough
  double accuracy = 0.005;  ///< half the interval over the median, at which that is
  double bend = 0.02;       ///< by how much a size off the line between its neighbours shows that the curve bends there
  double noise = 0.25;      ///< half the interval over the median, from which on a measurement is of no use
};

nlohmann::json to_json(const MeasuringTask& task);
/// Throws BadInput naming the key.
MeasuringTask measuring_task_from_json(const nlohmann::json& json);
nlohmann::json to_json(const MeasuredPair& pair);
MeasuredPair measured_pair_from_json(const nlohmann::json& json);

/// Routes that cost the same.
struct RouteClass {
  std::string
      name;  ///< `host`, the level that its hosts share (`site` ...), `wide area`; numbered where there are more
  std::vector<std::pair<int, int>> host_pairs;  ///< some of them, the one to measure in full first
};

/// The classes of the routes between the hosts that run ranks, from the innermost outwards, each with at most
/// `max_pairs` pairs that have few hosts in common. Throws BadInput when there are fewer than two such hosts.
std::vector<RouteClass> route_classes_of(const Network& network, int max_pairs);

/// The network with the measured functions as classes of its links: a link has the class of the innermost routes that
/// cross it; the latencies of a class's links are scaled so that its routes have the measured one. `measured` is of the
/// pair in full of each class in turn. A gap that falls with the size is held at what it was. Throws Refused for a
/// class none of whose links is its own.
Network calibrated(const Network& network, const std::vector<RouteClass>& classes,
                   const std::vector<MeasuredPair>& measured);

/// How far a pair measured in brief lies from the one in full: the larger of the relative differences of L + g(0) and
/// of L + g(m) for the largest size.
double disagreement(const MeasuredPair& in_full, const MeasuredPair& in_brief);

}  // namespace isthmus
