#include "algorithms/network/link_cut.hpp"

#include <algorithm>
#include <utility>

#include "algorithms/network/network.hpp"

namespace isthmus {

double LinkCut::seconds(double bytes) const {
  std::vector<std::pair<double, double>> nearest;  // (latency, bandwidth)
  nearest.reserve(pieces.size());
  for (const Piece& piece : pieces) nearest.emplace_back(piece.latency_s, piece.price * piece.bandwidth_Bps);
  std::sort(nearest.begin(), nearest.end());
  double all_Bps = 0, on_the_way = 0, seconds = infinite;
  for (const auto& [latency_s, bandwidth_Bps] : nearest) {
    if (latency_s >= seconds) break;
    if (bandwidth_Bps == infinite) return latency_s;
    all_Bps += bandwidth_Bps;
    on_the_way += bandwidth_Bps * latency_s;
    if (all_Bps > 0) seconds = (bytes + on_the_way) / all_Bps;
  }
  return seconds;
}

}  // namespace isthmus
