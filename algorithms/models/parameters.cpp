#include "algorithms/models/parameters.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace isthmus {

std::string_view name(Model model) {
  constexpr std::array<std::string_view, 4> names = {"hockney", "logp", "loggp", "plogp"};
  return names[static_cast<std::size_t>(model)];
}

Hockney hockney_of(const PLogP& layer) {
  const double empty_s = layer.gap(0);
  std::vector<SizeFunction::Point> transfer;
  for (const auto& [bytes, seconds] : layer.gap.points()) transfer.push_back({bytes, std::max(0.0, seconds - empty_s)});
  return {layer.latency_s + empty_s, SizeFunction(std::move(transfer))};
}

LogGP loggp_of(const PLogP& layer) {
  const double overheads_s = layer.send_overhead(1) + layer.receive_overhead(1);
  const std::vector<SizeFunction::Point>& gaps = layer.gap.points();
  double slope = 0;
  if (gaps.size() > 1) {
    const SizeFunction::Point &last = gaps.back(), &before = gaps[gaps.size() - 2];
    slope = std::max(0.0, (last.seconds - before.seconds) / (last.bytes - before.bytes));
  }
  return {std::max(0.0, layer.latency_s + layer.gap(1) - overheads_s), overheads_s / 2, layer.gap(1), slope};
}

ModelParameters parameters_of(const PLogP& layer, double computation_s_per_byte) {
  return {layer, hockney_of(layer), loggp_of(layer), computation_s_per_byte};
}

}  // namespace isthmus
