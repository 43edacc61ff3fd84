#include "algorithms/models/kielmann.hpp"

#include <algorithm>
#include <bit>

#include "algorithms/topology/tree.hpp"

namespace isthmus {
namespace {

// The values of s, r, g, or of one layer at one size.
struct Costs {
  double send_s, receive_s, gap_s, receive_overhead_s;

  TreeCost tree(int degree, int height) const {
    if (height == 0) return {};
    return {std::max(gap_s, receive_overhead_s + degree * send_s), height * ((degree - 1) * send_s + receive_s)};
  }
};

Costs costs_of(const PLogP& layer, double bytes) {
  const double gap_s = layer.gap(bytes);
  return {gap_s, layer.latency_s + gap_s, gap_s, layer.receive_overhead(bytes)};
}

Costs wide_area_costs_of(const TwoLayers& layers, double bytes) {
  Costs costs = costs_of(layers.wan, bytes);
  costs.send_s = std::max(layers.lan.gap(bytes), layers.wan.send_overhead(bytes));
  return costs;
}

std::int64_t segments_of(std::int64_t bytes, std::int64_t segment_bytes) {
  return segment_bytes <= 0 ? 1 : (bytes + segment_bytes - 1) / segment_bytes;
}

}  // namespace

TreeCost flat_tree_cost(const PLogP& layer, int size, double segment_bytes) {
  if (size <= 1) return {};
  const Costs costs = costs_of(layer, segment_bytes);
  return {std::max(costs.gap_s, (size - 1) * costs.send_s), (size - 2) * costs.send_s + costs.receive_s};
}

TreeCost tree_cost(const PLogP& layer, int degree, int height, double segment_bytes) {
  return costs_of(layer, segment_bytes).tree(degree, height);
}

TreeCost tree_cost_of_size(const PLogP& layer, int size, int degree, double segment_bytes) {
  return tree_cost(layer, degree, min_height(size, degree), segment_bytes);
}

double sequential_seconds(const TwoLayers& layers, std::int64_t bytes, LayerPlan wan, LayerPlan lan) {
  if (bytes <= 0) return 0;
  const auto segment = [&](LayerPlan plan) { return plan.segment_bytes <= 0 ? bytes : plan.segment_bytes; };
  const auto size = [&](LayerPlan plan) { return static_cast<double>(std::min(bytes, segment(plan))); };
  const TreeCost wan_cost =
      wide_area_costs_of(layers, size(wan)).tree(wan.degree, min_height(layers.clusters, wan.degree));
  const TreeCost lan_cost = tree_cost_of_size(layers.lan, layers.cluster_size, lan.degree, size(lan));
  return wan_cost.seconds(segments_of(bytes, segment(wan))) + lan_cost.seconds(segments_of(bytes, segment(lan)));
}

double magpie_seconds(const TwoLayers& layers, std::int64_t bytes, std::int64_t buffered_bytes) {
  if (bytes <= 0) return 0;
  const auto size = static_cast<double>(bytes);
  const Costs wan = wide_area_costs_of(layers, size);
  const Costs lan = costs_of(layers.lan, size);
  const int height = std::bit_width(static_cast<unsigned>(layers.cluster_size - 1));
  const bool acknowledged = bytes > buffered_bytes;
  double seconds = 0;
  if (layers.clusters > 1) {
    seconds += acknowledged ? (layers.clusters - 1) * (wan.receive_s + layers.wan.latency_s)
                            : (layers.clusters - 2) * wan.send_s + wan.receive_s;
  }
  if (acknowledged) {
    seconds += height * (lan.receive_s + layers.lan.latency_s);
  } else {
    seconds += height * lan.receive_s;
  }
  return seconds;
}

double pipelined_seconds(const TwoLayers& layers, std::int64_t bytes, std::int64_t segment_bytes, int wan_degree,
                         int lan_degree) {
  if (bytes <= 0) return 0;
  const std::int64_t segment = segment_bytes <= 0 ? bytes : std::min(bytes, segment_bytes);
  const auto size = static_cast<double>(segment);
  const Costs wan = wide_area_costs_of(layers, size);
  const Costs lan = costs_of(layers.lan, size);
  const int wan_height = min_height(layers.clusters, wan_degree);
  const int lan_height = min_height(layers.cluster_size, lan_degree);

  double gap_s = 0;
  if (wan_height > 0) {
    const double lan_forwarding_s = lan_height > 0 ? lan_degree * lan.send_s : 0;
    gap_s = std::max(wan.gap_s, wan.receive_overhead_s + wan_degree * wan.send_s + lan_forwarding_s);
  } else if (lan_height > 0) {
    gap_s = lan.tree(lan_degree, lan_height).gap_s;
  }
  const TreeCost whole{gap_s, wan.tree(wan_degree, wan_height).latency_s + lan.tree(lan_degree, lan_height).latency_s};
  return whole.seconds(segments_of(bytes, segment));
}

}  // namespace isthmus
