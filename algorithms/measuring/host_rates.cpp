#include "algorithms/measuring/host_rates.hpp"

#include <algorithm>
#include <cstddef>

namespace isthmus {

HostRates::HostRates(int hosts, const std::map<std::pair<int, int>, double>& rates_Bps)
    : out_Bps_(static_cast<std::size_t>(hosts)), in_Bps_(static_cast<std::size_t>(hosts)) {
  for (const auto& [pair, rate] : rates_Bps) {
    out_Bps_[pair.first] = std::max(out_Bps_[pair.first], rate);
    in_Bps_[pair.second] = std::max(in_Bps_[pair.second], rate);
  }
}

double HostRates::both_Bps(int host) const { return std::min(out_Bps_[host], in_Bps_[host]); }

double HostRates::limited_Bps(double rate_Bps, int from, int to) const {
  for (const double own_Bps : {out_Bps_[from], in_Bps_[to]})
    if (own_Bps > 0) rate_Bps = std::min(rate_Bps, own_Bps);
  return rate_Bps;
}

int HostRates::quickest_of(const std::vector<int>& hosts) const {
  constexpr double as_quick = 0.95;
  double highest_Bps = 0;
  for (const int host : hosts) highest_Bps = std::max(highest_Bps, both_Bps(host));
  return *std::ranges::find_if(hosts, [&](int host) { return both_Bps(host) >= as_quick * highest_Bps; });
}

}  // namespace isthmus
