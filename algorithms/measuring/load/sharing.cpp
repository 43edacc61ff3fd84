#include "algorithms/measuring/load/sharing.hpp"

#include <algorithm>

namespace isthmus {
namespace {

constexpr double hindered_below = 0.97;  // share of what a stream gets alone, below which it can gain
constexpr double gained_share = 0.5;     // of what streams could gain from one on the same link

/// Whether the others gain when this stream does not send.
bool gives_way(std::size_t stream, const std::vector<double>& alone_Bps, const std::vector<double>& loaded_Bps,
               const std::vector<double>& without_Bps) {
  double gained_Bps = 0, lacking_Bps = 0;
  for (std::size_t i = 0; i < alone_Bps.size(); ++i) {
    if (i == stream || loaded_Bps[i] >= hindered_below * alone_Bps[i]) continue;
    const double lacks_Bps = alone_Bps[i] - loaded_Bps[i];
    lacking_Bps += lacks_Bps;
    gained_Bps += std::clamp(without_Bps[i < stream ? i : i - 1] - loaded_Bps[i], 0.0, lacks_Bps);
  }
  return gained_Bps > gained_share * std::min(lacking_Bps, loaded_Bps[stream]);
}

struct Carried {
  std::size_t streams = 0;
  double together_Bps = 0, quickest_alone_Bps = 0;

  bool fill_a_link() const { return together_Bps >= shares_below * quickest_alone_Bps; }
};

Carried carried_by(const std::vector<bool>& streams, const std::vector<double>& alone_Bps,
                   const std::vector<double>& loaded_Bps) {
  Carried carried;
  for (std::size_t i = 0; i < streams.size(); ++i) {
    if (!streams[i]) continue;
    ++carried.streams;
    carried.together_Bps += loaded_Bps[i];
    carried.quickest_alone_Bps = std::max(carried.quickest_alone_Bps, alone_Bps[i]);
  }
  return carried;
}

}  // namespace

std::vector<bool> sharing_streams(const std::vector<double>& alone_Bps, const std::vector<double>& loaded_Bps,
                                  const std::function<std::vector<double>(std::size_t left_out)>& without) {
  const std::size_t count = alone_Bps.size();
  const std::vector<bool> none(count, false), all(count, true);
  std::vector<bool> slower, on_it;
  for (std::size_t i = 0; i < count; ++i) slower.push_back(loaded_Bps[i] < shares_below * alone_Bps[i]);
  if (std::ranges::count(slower, true) == 0) return none;
  for (std::size_t i = 0; i < count; ++i) {
    // Of two, one is slower because of the other.
    on_it.push_back(slower[i] || count == 2 || gives_way(i, alone_Bps, loaded_Bps, without(i)));
  }
  const Carried found = carried_by(on_it, alone_Bps, loaded_Bps), by_all = carried_by(all, alone_Bps, loaded_Bps);
  if (found.streams >= 2 && found.fill_a_link()) return on_it;
  return by_all.fill_a_link() && by_all.together_Bps * shares_below <= by_all.quickest_alone_Bps ? all : none;
}

}  // namespace isthmus
