#include "algorithms/models/tcp_throughput.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "algorithms/errors.hpp"

namespace isthmus {
namespace {

/// Bytes per second of a connection on a link of any bandwidth.
double unbounded_Bps(const TcpPath& path) {
  if (path.round_trip_s <= 0) return std::numeric_limits<double>::infinity();
  const double by_loss = loss_limited_window(path) * path.frame_bytes;
  const double bytes = path.window_bytes > 0 ? std::min(by_loss, path.window_bytes) : by_loss;
  return bytes / path.round_trip_s;
}

/// The link of a route that loses most frames.
int lossiest(const Trunk& trunk, const std::vector<Impairment>& impairments) {
  return *std::ranges::max_element(trunk.links, {}, [&](int link) { return impairments[link].loss; });
}

}  // namespace

double loss_limited_window(const TcpPath& path) {
  if (path.loss <= 0) return std::numeric_limits<double>::infinity();
  const double reno = std::sqrt(1.5 / path.loss);
  if (path.congestion_control == CongestionControl::reno) return reno;
  constexpr double c = 0.4, beta = 0.7;
  const double cubic =
      std::pow(c * (3 + beta) / (4 * (1 - beta)), 0.25) * std::pow(path.round_trip_s / path.loss, 0.75);
  return std::max(reno, cubic);
}

double tcp_throughput_Bps(const TcpPath& path) { return std::min(path.bandwidth_Bps, unbounded_Bps(path)); }

int streams_to_fill(const TcpPath& path, double share) {
  const double needed = std::ceil(share * path.bandwidth_Bps / unbounded_Bps(path));
  return static_cast<int>(std::clamp(needed, 1.0, static_cast<double>(max_streams)));
}

int streams_to_fill(const Network& network, const Conditions& conditions) {
  const std::string& control = conditions.tcp.congestion_control;
  if (!control.empty() && control != "reno" && control != "cubic") return 1;
  const std::vector<Impairment> impairments = impairments_of(network, conditions);
  const auto latency_s = [&](const Trunk& trunk) {
    double sum = 0;
    for (const int link : trunk.links) sum += network.links[link].latency_s;
    return sum;
  };
  int most = 1;
  for (const auto& [ends, trunk] : network.trunks) {
    const auto back = network.trunks.find({ends.second, ends.first});
    TcpPath path;
    path.round_trip_s = latency_s(trunk) + latency_s(back == network.trunks.end() ? trunk : back->second);
    path.bandwidth_Bps = std::numeric_limits<double>::infinity();
    double arrives = 1;
    for (const int link : trunk.links) {
      path.bandwidth_Bps = std::min(path.bandwidth_Bps, network.links[link].bandwidth_Bps);
      arrives *= 1 - impairments[link].loss;
    }
    path.loss = 1 - arrives;
    if (trunk.links.empty() || !trunk.forwarders.empty()) continue;
    constexpr double most_loss = 0.1;
    if (path.loss > most_loss)
      throw BadInput(
          fmt::format("conditions: tcp: streams `auto`: {:.3g} % of the frames over link {} are lost, and how "
                      "many connections fill a link is known up to {:.3g} %; a number would be right",
                      100 * path.loss, network.links[lossiest(trunk, impairments)].name, 100 * most_loss));
    const std::int64_t send = conditions.tcp.send_buffer_bytes, receive = conditions.tcp.receive_buffer_bytes;
    path.window_bytes =
        static_cast<double>(send > 0 && receive > 0 ? std::min(send, receive) : std::max(send, receive));
    if (control == "reno") path.congestion_control = CongestionControl::reno;
    most = std::max(most, streams_to_fill(path));
  }
  return most;
}

}  // namespace isthmus
