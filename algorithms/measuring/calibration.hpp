// Calibration: derives the parameters of a network from measurements between pairs of ranks.
//
// Routes over links of equal cost form a class. One pair of each class is measured in full, some others in brief, as a
// check.
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

/// The request: what is to be measured.
struct MeasuringTask {
  struct Pair {
    int from = 0, to = 0;  ///< ranks
    bool in_full = true;   ///< else only 0 bytes and the largest size
  };
  std::vector<Pair> pairs;
  std::int64_t max_bytes = 1 << 20;
  int repetitions = 20;     ///< maximum per measurement; fewer if the interval is narrow enough earlier
  double accuracy = 0.005;  ///< half the interval over the median at which a measurement ends
  double bend = 0.02;  ///< relative distance from the line between the neighbours above which the curve bends at a size
  double noise = 0.25;  ///< half the interval over the median above which a measurement is refused
};

nlohmann::json to_json(const MeasuringTask& task);
/// Throws BadInput naming the key.
MeasuringTask measuring_task_from_json(const nlohmann::json& json);
nlohmann::json to_json(const MeasuredPair& pair);
MeasuredPair measured_pair_from_json(const nlohmann::json& json);

/// A class of routes with equal costs.
struct RouteClass {
  std::string
      name;  ///< `host`, the level that its hosts share (`site` ...), `wide area`; numbered if there are several
  std::vector<std::pair<int, int>> host_pairs;  ///< some of its pairs; the first is measured in full
};

/// The classes of the routes between the hosts that run ranks, from the innermost outwards, each with at most
/// `max_pairs` pairs that have few hosts in common. Throws BadInput when there are fewer than two such hosts.
std::vector<RouteClass> route_classes_of(const Network& network, int max_pairs);

/// The network with the measured functions as classes of its links. A link gets the class of the innermost routes that
/// cross it. The latencies of a class's links are scaled so that its routes have the measured latency; half of a round
/// trip is measured, so that the latencies of both directions differ as they do in `network`. `measured` has one entry
/// per class, of the pair measured in full. A gap that decreases with the size is replaced by its last
/// maximum. Throws Refused for a class without a link that only its routes cross.
Network calibrated(const Network& network, const std::vector<RouteClass>& classes,
                   const std::vector<MeasuredPair>& measured);

/// The deviation of a pair measured in brief from the pair measured in full: the larger of the relative differences of
/// L + g(0) and of L + g(m) for the largest size.
double disagreement(const MeasuredPair& in_full, const MeasuredPair& in_brief);

}  // namespace isthmus
