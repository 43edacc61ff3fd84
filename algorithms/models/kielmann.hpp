// Closed forms of Kielmann 2000 for broadcast, on one layer and on two, under P-LogP.
//
// Symbols: M message and m segment in bytes, k = ceil(M / m) segments, P members of the layer, L latency, g(m) gap,
// os(m), or(m) overheads, d degree and h height of the tree, all times in seconds. On one layer a send occupies the
// sender for s(m) = g(m) and the message has been received at r(m) = L + g(m) (section 2.1). Across the wide area
// s_w(m) = max(g_l(m), os_w(m)) and r_w(m) = L_w + g_w(m).
#pragma once

#include <cstdint>

#include "algorithms/models/plogp.hpp"

namespace isthmus {

/// The cost of a broadcast tree for segments of one size: T = (k - 1) gamma + lambda (section 3.1).
struct TreeCost {
  double gap_s = 0;      ///< gamma: between the sending of two consecutive segments
  double latency_s = 0;  ///< lambda: from the root's start until all members have the first segment

  double seconds(std::int64_t segments) const { return static_cast<double>(segments - 1) * gap_s + latency_s; }
};

/// The flat tree, exact (section 3.1): gamma = max(g(m), (P-1) s(m)), lambda = (P-2) s(m) + r(m).
TreeCost flat_tree_cost(const PLogP& layer, int size, double segment_bytes);

/// Any tree of degree d and height h, upper bounds (section 3.1):
/// gamma <= max(g(m), or(m) + d s(m)), lambda <= h ((d-1) s(m) + r(m)).
TreeCost tree_cost(const PLogP& layer, int degree, int height, double segment_bytes);

/// The tree of degree d and least height for `size` members: tree_cost() with that height; one member costs nothing.
TreeCost tree_cost_of_size(const PLogP& layer, int size, int degree, double segment_bytes);

/// Two layers in sequence (section 3.2): T = T_w + T_l = (k_w - 1) gamma_w + lambda_w + (k_l - 1) gamma_l + lambda_l,
/// each layer with a segment size and a degree of its own. Here s_w is as above.
struct LayerPlan {
  std::int64_t segment_bytes = 0;  ///< 0: unsegmented
  int degree = 1;
};
double sequential_seconds(const TwoLayers& layers, std::int64_t bytes, LayerPlan wan, LayerPlan lan);

/// The original MagPIe: a flat tree over the coordinators with blocking sends, then binomial inside each cluster, whole
/// messages. A blocking send takes b(M) = s(M) up to `buffered_bytes` and r(M) + L (until the acknowledgement is back)
/// beyond. With C clusters and H = ceil(log2(cluster size)):
///   buffered:     T = (C-2) s_w + r_w + H r_l
///   acknowledged: T = (C-1) (r_w + L_w) + H (r_l + L_l), including the wait for the last acknowledgement
/// Without a layer its terms vanish. Exact if each cluster has 2^H ranks and the root is the first of its cluster.
double magpie_seconds(const TwoLayers& layers, std::int64_t bytes, std::int64_t buffered_bytes);

/// Two layers pipelined (section 3.2): T = (k-1) gamma + lambda_w + lambda_l with the coordinators' double forwarding,
/// gamma = max(g_w(m), or_w(m) + d_w s_w(m) + d_l s_l(m)), lambda_x = h_x ((d_x - 1) s_x + r_x), and both heights the
/// least for the degree. With one cluster the wide-area terms vanish and gamma = max(g_l, or_l + d_l s_l); with
/// clusters of one rank the LAN terms vanish. All segments are taken to be as long as the longest. 0 bytes or one rank:
/// 0 seconds.
double pipelined_seconds(const TwoLayers& layers, std::int64_t bytes, std::int64_t segment_bytes, int wan_degree,
                         int lan_degree);

}  // namespace isthmus
