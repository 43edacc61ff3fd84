#include "algorithms/models/plogp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>

#include "algorithms/errors.hpp"

namespace isthmus {

SizeFunction::SizeFunction(std::vector<Point> points) : points_(std::move(points)) {
  if (points_.empty()) throw BadInput("function of the message size: no points; at least one is needed");
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const Point& point = points_[i];
    if (!(point.bytes >= 0) || !(point.seconds >= 0) || !std::isfinite(point.bytes) || !std::isfinite(point.seconds)) {
      throw BadInput(fmt::format("function of the message size: point {} ({} B, {} s) must not be negative", i,
                                 point.bytes, point.seconds));
    }
    if (i > 0 && point.bytes <= points_[i - 1].bytes) {
      throw BadInput(fmt::format("function of the message size: point {} ({} B) must lie beyond the one before ({} B)",
                                 i, point.bytes, points_[i - 1].bytes));
    }
  }
}

SizeFunction SizeFunction::linear(double constant_s, double per_byte_s) {
  // The second point lies far out, so that the slope is exact to the last digits even beside a large constant.
  constexpr double far_bytes = 1LL << 40;
  return SizeFunction({{0, constant_s}, {far_bytes, constant_s + per_byte_s * far_bytes}});
}

double SizeFunction::operator()(double bytes) const {
  if (points_.size() == 1 || bytes <= points_.front().bytes) return points_.front().seconds;
  auto right = std::upper_bound(points_.begin(), points_.end(), bytes,
                                [](double value, const Point& point) { return value < point.bytes; });
  if (right == points_.end()) --right;
  const Point& a = *(right - 1);
  const Point& b = *right;
  const double value = a.seconds + (bytes - a.bytes) * ((b.seconds - a.seconds) / (b.bytes - a.bytes));
  return std::max(value, 0.0);  // a falling last piece ends at zero
}

SizeFunction SizeFunction::larger(const SizeFunction& a, const SizeFunction& b) {
  std::vector<double> sizes;
  for (const Point& point : a.points()) sizes.push_back(point.bytes);
  for (const Point& point : b.points()) sizes.push_back(point.bytes);
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  // Beyond the last size both are straight: one further point shows their slopes, and whether they cross beyond it.
  const double last = sizes.back();
  const double far = std::max(2 * last, 1.0);
  sizes.push_back(far);
  const double slope_a = (a(far) - a(last)) / (far - last), slope_b = (b(far) - b(last)) / (far - last);
  const double crossing = last + (b(last) - a(last)) / (slope_a - slope_b);
  if (crossing > far && std::isfinite(crossing)) {
    sizes.push_back(crossing);
    sizes.push_back(2 * crossing);
  }
  std::vector<Point> points;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (i > 0) {
      const double left = a(sizes[i - 1]) - b(sizes[i - 1]), right = a(sizes[i]) - b(sizes[i]);
      if (left * right < 0) {
        const double meeting = sizes[i - 1] + (sizes[i] - sizes[i - 1]) * (left / (left - right));
        if (meeting > sizes[i - 1] && meeting < sizes[i]) points.push_back({meeting, a(meeting)});
      }
    }
    points.push_back({sizes[i], std::max(a(sizes[i]), b(sizes[i]))});
  }
  return SizeFunction(std::move(points));
}

namespace {

PLogP layer_of(const Route& route, const Transport& transport) {
  PLogP layer{route.latency_s, SizeFunction::linear(transport.send_overhead_s, transport.send_overhead_s_per_byte),
              SizeFunction::linear(transport.receive_overhead_s, transport.receive_overhead_s_per_byte),
              SizeFunction::linear(transport.header_bytes / route.bandwidth_Bps, 1 / route.bandwidth_Bps)};
  const bool has_overheads = transport.send_overhead_s > 0 || transport.send_overhead_s_per_byte > 0 ||
                             transport.receive_overhead_s > 0 || transport.receive_overhead_s_per_byte > 0;
  if (has_overheads) {
    layer.gap = SizeFunction::larger(layer.gap, SizeFunction::larger(layer.send_overhead, layer.receive_overhead));
  }
  return layer;
}

PLogP costless() { return {0, SizeFunction({{0, 0}}), SizeFunction({{0, 0}}), SizeFunction({{0, 0}})}; }

// The layer that a coordinator's own links make: those that it uses whomever it sends to.
PLogP own_links_of(const Network& network, int from_host, std::span<const int> to_hosts) {
  std::vector<int> own = network.route(from_host, to_hosts.front()).links;
  for (int to_host : to_hosts) {
    const std::vector<int> links = network.route(from_host, to_host).links;
    std::erase_if(own, [&](int link) { return std::find(links.begin(), links.end(), link) == links.end(); });
  }
  Route route{{}, 0, std::numeric_limits<double>::infinity()};
  for (int link : own) {
    route.latency_s += network.links[link].latency_s;
    route.bandwidth_Bps = std::min(route.bandwidth_Bps, network.links[link].bandwidth_Bps);
  }
  return layer_of(route, network.transport);
}

// Keeps the slower of the layer so far and the route between two hosts.
void slower(std::optional<PLogP>& layer, const Network& network, int from_host, int to_host) {
  constexpr double probe_bytes = 1 << 20;
  PLogP other = plogp_of(network, from_host, to_host);
  if (!layer || other.receive_time_s(probe_bytes) > layer->receive_time_s(probe_bytes)) layer = std::move(other);
}

}  // namespace

PLogP plogp_of(const Network& network, int from_host, int to_host) {
  return layer_of(network.route(from_host, to_host), network.transport);
}

TwoLayers two_layers_of(const Network& network, const Placement& placement) {
  const Topology topology = topology_of(network, placement);
  const Group& everybody = topology.group(0);
  const std::span<const int> coordinators = everybody.children.empty() ? std::span<const int>{} : topology.members(0);
  const std::vector<int>& host = placement.host_of_rank;

  std::optional<PLogP> wan, lan;
  for (int from : coordinators) {
    for (int to : coordinators) {
      if (from != to) slower(wan, network, host[from], host[to]);
    }
  }
  int cluster_size = 1;
  const auto look_inside = [&](const Group& group) {
    cluster_size = std::max(cluster_size, static_cast<int>(group.ranks.size()));
    // Hosts of one group mostly differ little: the routes of its first member tell the layer, in linear time.
    const int first = group.ranks.front();
    for (int rank : group.ranks) {
      if (host[rank] == host[first] && rank != group.ranks.back()) continue;
      if (rank == first) continue;
      slower(lan, network, host[first], host[rank]);
      slower(lan, network, host[rank], host[first]);
    }
  };
  if (everybody.children.empty()) {
    look_inside(everybody);
  } else {
    for (int child : everybody.children) look_inside(topology.group(child));
  }
  // Clusters of one rank have no LAN, but what they send still passes the host's own links: g_l bounds s_w.
  if (!lan && wan) {
    std::vector<int> others;
    for (int rank : coordinators) {
      if (host[rank] != host[coordinators.front()]) others.push_back(host[rank]);
    }
    if (!others.empty()) lan = own_links_of(network, host[coordinators.front()], others);
  }
  TwoLayers layers{wan.value_or(costless()), lan.value_or(costless()),
                   std::max(1, static_cast<int>(coordinators.size())), cluster_size};
  return layers;
}

}  // namespace isthmus
