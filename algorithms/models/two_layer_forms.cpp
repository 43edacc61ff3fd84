#include "algorithms/models/two_layer_forms.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "algorithms/models/kielmann.hpp"

namespace isthmus {
namespace {

int height_of(const TwoLayers& layers) { return std::bit_width(static_cast<unsigned>(layers.cluster_size - 1)); }

/// s_w
double send_s(const TwoLayers& layers, double bytes) {
  return std::max(layers.lan.gap(bytes), layers.wan.send_overhead(bytes));
}

/// max(g, or + c m), with the gap of one layer and the overhead of another.
double take_in_s(const PLogP& gaps, const PLogP& layer, double bytes, double computation_s_per_byte) {
  return std::max(gaps.gap(bytes), layer.receive_overhead(bytes) + computation_s_per_byte * bytes);
}

struct Segmented {
  Segmented(double all_bytes, std::int64_t segment_bytes)
      : bytes(segment_bytes > 0 ? std::min(all_bytes, static_cast<double>(segment_bytes)) : all_bytes),
        count(std::ceil(all_bytes / bytes)) {}

  double bytes, count;
};

/// sum over i < H of L_l + g_l(2^i M), where a subtree has at most as many blocks as there are ranks.
double halving_seconds(const TwoLayers& layers, double block_bytes) {
  double seconds = 0;
  for (int step = 0; step < height_of(layers); ++step) {
    const int subtree = std::min(1 << step, layers.cluster_size - (1 << step));
    seconds += layers.lan.receive_time_s(subtree * block_bytes);
  }
  return seconds;
}

/// lambda_w of m bytes from the root to each other cluster, and from each other cluster to the root.
double spreading_s(const TwoLayers& layers, double bytes) {
  if (layers.clusters == 1) return 0;
  return (layers.clusters - 2) * send_s(layers, bytes) + layers.wan.receive_time_s(bytes);
}

double gathering_s(const TwoLayers& layers, double bytes, double computation_s_per_byte = 0) {
  if (layers.clusters == 1) return 0;
  const double taking_in_s = (layers.clusters - 1) * take_in_s(layers.lan, layers.wan, bytes, computation_s_per_byte);
  return layers.wan.latency_s + std::max(layers.wan.gap(bytes), taking_in_s);
}

/// Scatter and gather: `one_s` is the time that a message to or from another cluster takes at the root, `between_s`
/// lambda_w.
double moving_seconds(const TwoLayers& layers, std::int64_t block_bytes, std::int64_t segment_bytes, auto one_s,
                      auto between_s) {
  if (block_bytes <= 0) return 0;
  const Segmented segments(static_cast<double>(block_bytes) * layers.cluster_size, segment_bytes);
  if (segments.count == 1) {
    return between_s(segments.bytes) + halving_seconds(layers, static_cast<double>(block_bytes));
  }
  const int height = height_of(layers);
  const double root_s = (layers.clusters - 1) * one_s(segments.bytes) + height * layers.lan.gap(segments.bytes);
  const double gap_s = layers.clusters > 1 ? std::max(layers.wan.gap(segments.bytes), root_s) : root_s;
  return (segments.count - 1) * gap_s + between_s(segments.bytes) + height * layers.lan.receive_time_s(segments.bytes);
}

}  // namespace

double reduce_seconds(const TwoLayers& layers, std::int64_t bytes, std::int64_t segment_bytes,
                      double computation_s_per_byte) {
  if (bytes <= 0) return 0;
  const Segmented segments(static_cast<double>(bytes), segment_bytes);
  const int height = height_of(layers), others = layers.clusters - 1;
  const double inside_s = take_in_s(layers.lan, layers.lan, segments.bytes, computation_s_per_byte);
  const double between_s = take_in_s(layers.lan, layers.wan, segments.bytes, computation_s_per_byte);
  double gap_s = height * inside_s;
  if (others > 0) gap_s = std::max(layers.wan.gap(segments.bytes), gap_s + others * between_s);
  return (segments.count - 1) * gap_s + height * (layers.lan.latency_s + inside_s) +
         gathering_s(layers, segments.bytes, computation_s_per_byte);
}

double barrier_seconds(const TwoLayers& layers, std::int64_t token_bytes) {
  const auto bytes = static_cast<double>(token_bytes);
  double seconds = 2 * height_of(layers) * layers.lan.receive_time_s(bytes);
  if (layers.clusters > 1) seconds += (layers.clusters - 2) * send_s(layers, bytes) + gathering_s(layers, bytes);
  return seconds;
}

double scatter_seconds(const TwoLayers& layers, std::int64_t block_bytes, std::int64_t segment_bytes) {
  return moving_seconds(
      layers, block_bytes, segment_bytes, [&](double bytes) { return send_s(layers, bytes); },
      [&](double bytes) { return spreading_s(layers, bytes); });
}

double gather_seconds(const TwoLayers& layers, std::int64_t block_bytes, std::int64_t segment_bytes) {
  return moving_seconds(
      layers, block_bytes, segment_bytes, [&](double bytes) { return take_in_s(layers.lan, layers.wan, bytes, 0); },
      [&](double bytes) { return gathering_s(layers, bytes); });
}

bool has_two_layer_form(const Plan& plan, const Problem& problem, int clusters) {
  switch (plan.algorithm->two_layer_form) {
    case TwoLayerForm::none:
      return false;
    case TwoLayerForm::pipelined:
      return true;
    case TwoLayerForm::unpipelined:
      return plan.parameters.segment_bytes == 0;
    case TwoLayerForm::default_levels:
      break;
  }
  // For a single cluster the multilevel barrier is another algorithm (recursive doubling).
  return plan.parameters.levels.empty() && plan.parameters.merged <= 1 && problem.commutative &&
         (problem.collective != Collective::barrier || clusters > 1);
}

std::optional<double> two_layer_seconds(const TwoLayers& layers, const Transport& transport, const Plan& plan,
                                        const Problem& problem, double computation_s_per_byte) {
  if (!has_two_layer_form(plan, problem, layers.clusters)) return std::nullopt;
  const Parameters& parameters = plan.parameters;
  const std::int64_t bytes = problem.bytes();
  switch (problem.collective) {
    case Collective::reduce:
      return reduce_seconds(layers, bytes, parameters.segment_bytes, computation_s_per_byte);
    case Collective::barrier:
      return barrier_seconds(layers, problem.element_bytes);
    case Collective::scatter:
      return scatter_seconds(layers, bytes, parameters.segment_bytes);
    case Collective::gather:
      return gather_seconds(layers, bytes, parameters.segment_bytes);
    default:
      break;
  }
  if (plan.algorithm->two_layer_form == TwoLayerForm::unpipelined)
    return magpie_seconds(layers, bytes, transport.buffered_bytes);
  return pipelined_seconds(layers, bytes, parameters.segment_bytes, parameters.wan_degree, parameters.lan_degree);
}

}  // namespace isthmus
