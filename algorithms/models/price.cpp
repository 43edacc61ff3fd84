#include "algorithms/models/price.hpp"

#include <algorithm>

namespace isthmus {

bool has_prices(const Network& network) {
  return std::any_of(network.links.begin(), network.links.end(),
                     [](const Link& link) { return link.price_per_GB > 0; });
}

double price_of(const PlacedNetwork& placed, const Census& counted) {
  constexpr double bytes_per_GB = 1e9;
  const Network& network = placed.network();
  double sum = 0;
  for (const PairCensus& pair : counted.pairs) {
    const int from = placed.host_of(pair.source), to = placed.host_of(pair.destination);
    if (from == to) continue;
    double price_per_GB = 0;
    for (const int link : network.route(from, to).links) price_per_GB += network.links[link].price_per_GB;
    sum += static_cast<double>(pair.traffic.bytes) * price_per_GB;
  }
  return sum / bytes_per_GB;
}

}  // namespace isthmus
