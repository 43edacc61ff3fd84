// P-LogP (Kielmann 2000, section 2.1): latency, overheads and gap as functions of the message size.
#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/models/network.hpp"

namespace isthmus {

/// A function of the message size in bytes, linear between its points, and beyond the last with the slope of the last two.
/// Invariant: at least one point, sizes ascending, values not negative.
class SizeFunction {
 public:
  struct Point {
    double bytes;
    double seconds;
  };
  explicit SizeFunction(std::vector<Point> points);
  /// constant_s + per_byte_s * bytes
  static SizeFunction linear(double constant_s, double per_byte_s);

  double operator()(double bytes) const;
  const std::vector<Point>& points() const { return points_; }

 private:
  std::vector<Point> points_;
};

/// One network layer: N = (L, os, or, g), sizes in bytes, times in seconds.
struct PLogP {
  double latency_s = 0;
  SizeFunction send_overhead, receive_overhead, gap;
};

/// The two layers of Kielmann 2000, section 2.1: between clusters and inside them.
struct TwoLayers {
  PLogP wan, lan;
  int clusters = 1;         ///< groups at level 1
  int cluster_size = 1;     ///< ranks of the largest
};

/// P-LogP of the route between two hosts: L = its latency, g(m) = (m + header) / bandwidth, overheads of the transport.
PLogP plogp_of(const Network& network, int from_host, int to_host);

/// The layers of a placed network: the slowest route between coordinators of level 1, and the slowest inside a group.
TwoLayers two_layers_of(const Network& network, const Placement& placement);

}  // namespace isthmus
