// Search for the parameters of a plan, by model.
#pragma once

#include "algorithms/collective/algorithm.hpp"
#include "algorithms/models/plogp.hpp"
#include "algorithms/network/placed_network.hpp"

namespace isthmus {

/// The result of the search of Kielmann 2000 (sections 3.1, 3.2) for the pipelined two-layer broadcast.
struct KielmannChoice {
  std::int64_t segment_bytes = 0;  ///< a multiple of the element; the last segment may be shorter
  std::int64_t segments = 1;
  int wan_degree = 1;
  int lan_degree = 1;
  double seconds = 0;            ///< predicted by the closed form
  double min_seconds = 0;        ///< minimum of all evaluated plans; `seconds` is up to 1 % more (thrift.hpp)
  std::int64_t evaluations = 0;  ///< of the closed form
};

/// Parameters that the search may not change; 0: free.
struct KielmannFixed {
  std::int64_t segment_bytes = 0;
  int wan_degree = 0;
  int lan_degree = 0;
};

/// The paper's heuristic: segment sizes M/2^i, then hill climbing over the number of segments with the look-ahead -5,
/// -1, +1, +5; of the degrees only those that lower the tree's height, on the WAN from g_w/s_w upwards, on the LAN up
/// to the limit by gamma'. Of plans that take equally long the one with the fewest messages is taken (thrift.hpp). No
/// message or one rank: 0 seconds, one segment.
KielmannChoice search_kielmann(const TwoLayers& layers, std::int64_t bytes, std::int64_t element_bytes,
                               const KielmannFixed& fixed = {});

/// The best of all segment sizes and degrees, as a reference for the heuristic. Slow: O(sqrt(count) * clusters *
/// cluster_size). Two numbers of segments whose longest segments have the same elements make the same plan, so that
/// only the O(sqrt(count)) different sizes ceil(count / k) are evaluated; nothing else is left out.
KielmannChoice search_kielmann_exhaustively(const TwoLayers& layers, std::int64_t bytes, std::int64_t element_bytes,
                                            const KielmannFixed& fixed = {});

/// Whether an algorithm has degrees without a default, which have to be chosen: kielmann.
inline bool has_degrees_to_choose(const Algorithm& algorithm) { return takes(algorithm, "wan-degree"); }
/// Whether a search can choose a parameter of it; no model tells what is gained by handing a level to the MPI.
inline bool has_parameters_to_choose(const Algorithm& algorithm) {
  return !algorithm.parameters.empty() && algorithm.parameters != "inside";
}

/// Sets the parameters that depend on the network: degrees that are 0 and have no default, a packing that is missing,
/// patterns of subnets that are missing, and with `segment_open` the segment of the first two as well: by the closed
/// form or by synthesis. choose_parameters() (select.hpp) chooses all open parameters.
Plan fill_required_parameters(const Plan& plan, const PlacedNetwork& placed, const Problem& problem, bool segment_open);

}  // namespace isthmus
