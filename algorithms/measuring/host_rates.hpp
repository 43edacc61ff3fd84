// What hosts are able to send and receive, as far as measurements between pairs show it.
#pragma once

#include <map>
#include <utility>
#include <vector>

namespace isthmus {

class HostRates {
 public:
  /// Rates of messages from one host to another.
  HostRates(int hosts, const std::map<std::pair<int, int>, double>& rates_Bps);

  /// The highest rate that was measured from (to) the host; 0 if none was.
  double out_Bps(int host) const { return out_Bps_[host]; }
  double in_Bps(int host) const { return in_Bps_[host]; }
  /// The lower of both.
  double both_Bps(int host) const;
  /// What the own links of two hosts leave of a rate between others of their parts.
  double limited_Bps(double rate_Bps, int from, int to) const;
  /// The host that sends and receives at the highest rate; of those within 5 % of it the first. So a line is measured
  /// by a host whose own link is wider, where there is one.
  int quickest_of(const std::vector<int>& hosts) const;

 private:
  std::vector<double> out_Bps_, in_Bps_;
};

}  // namespace isthmus
