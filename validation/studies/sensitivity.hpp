// isthmus sensitivity: what a little more bandwidth or less latency of each link saves a plan.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "validation/harness/request.hpp"
#include "validation/text/tables.hpp"

namespace isthmus {

/// What a change of a link saves, by replay of the same plan. Both directions of a split-duplex link count as one link,
/// and so do hosts' own links of one site.
struct LinkGain {
  std::string name;
  std::vector<int> links;  ///< in Network::links
  double bandwidth_Bps = 0, latency_s = 0;
  double bandwidth_saves_s = 0, latency_saves_s = 0;  ///< may be negative: messages then meet in another order
  std::optional<double> chosen_anew_saves_s = {};     ///< both changes, and the plan chosen for the changed network

  double max_s() const { return std::max(bandwidth_saves_s, latency_saves_s); }
};

struct Sensitivity {
  RequestedPoint point;
  double change = 0;  ///< 0.1: 10 % more bandwidth, 10 % less latency
  double seconds = 0;
  std::vector<LinkGain> gains;  ///< of the links that messages of the plan cross, what saves most first
};

/// `on_step` is called before each replay of a link with the number of steps done and in all. For the automatic choice
/// the links that save most are also tried with a plan of their own. Throws BadInput for a plan without a schedule.
Sensitivity find_sensitivity(const PlacedNetwork& placed, const RequestedPoint& point, double change,
                             const std::function<void(std::size_t, std::size_t)>& on_step = {});

/// A sentence and a table; CSV, a line a link; or a JSON object a link. If several are printed, only the first has the
/// CSV's header.
std::string format_sensitivity(const Sensitivity& sensitivity, const PlacedNetwork& placed, Format format, Look look,
                               bool is_first, std::span<const std::string> set_links);

}  // namespace isthmus
