// What streams get where they share links fairly.
#pragma once

#include <utility>
#include <vector>

#include "algorithms/network/network.hpp"

namespace isthmus {

/// All grow alike until a link is full, or one has its limit. `links_of`: the links of each stream, as places in
/// `links_Bps`.
std::vector<double> fair_rates_Bps(const std::vector<double>& links_Bps, const std::vector<std::vector<int>>& links_of,
                                   const std::vector<double>& limits_Bps);

/// The same of streams between hosts. Links that streams do not share limit each alone.
std::vector<double> fair_rates_Bps(const Network& network, const std::vector<std::pair<int, int>>& streams);

}  // namespace isthmus
