// Measurements on a known network, for tests of discovery.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "algorithms/measuring/discovery.hpp"
#include "algorithms/measuring/growing_rate.hpp"
#include "tests/support/networks.hpp"

namespace isthmus::tests {

/// What streams get at once where they share links fairly: all grow alike until a link is full, then those on it stop.
inline std::vector<double> fair_rates_Bps(const Network& network, const std::vector<ProbeStream>& streams) {
  std::vector<std::vector<int>> links;
  std::vector<double> left_Bps;
  for (const Link& link : network.links) left_Bps.push_back(link.bandwidth_Bps);
  for (const ProbeStream& stream : streams) links.push_back(network.route(stream.from, stream.to).links);
  std::vector<double> rates_Bps(streams.size());
  std::vector<bool> is_done(streams.size());
  for (std::size_t done = 0; done < streams.size();) {
    double step_Bps = std::numeric_limits<double>::infinity();
    std::vector<int> growing(left_Bps.size());
    for (std::size_t i = 0; i < streams.size(); ++i)
      if (!is_done[i])
        for (const int link : links[i]) ++growing[link];
    for (std::size_t link = 0; link < left_Bps.size(); ++link)
      if (growing[link] > 0) step_Bps = std::min(step_Bps, left_Bps[link] / growing[link]);
    for (std::size_t link = 0; link < left_Bps.size(); ++link) left_Bps[link] -= step_Bps * growing[link];
    for (std::size_t i = 0; i < streams.size(); ++i) {
      if (is_done[i]) continue;
      rates_Bps[i] += step_Bps;
      for (const int link : links[i])
        is_done[i] = is_done[i] || left_Bps[link] < 1e-6 * network.links[link].bandwidth_Bps;
      if (is_done[i]) ++done;
    }
  }
  for (std::size_t i = 0; i < streams.size(); ++i)
    rates_Bps[i] /= 1 + network.transport.header_bytes / static_cast<double>(streams[i].bytes);
  return rates_Bps;
}

/// What streams get at once where each link is one queue, without any control of congestion: of a full link each stream
/// gets a part in proportion to what comes of it over the links before. Routes meet links in one order.
inline std::vector<double> queued_rates_Bps(const Network& network, const std::vector<ProbeStream>& streams) {
  constexpr double at_once_Bps = 1e12;
  std::vector<std::vector<int>> links;
  for (const ProbeStream& stream : streams) links.push_back(network.route(stream.from, stream.to).links);
  std::vector<double> share(network.links.size(), 1);
  const auto rate_Bps = [&](std::size_t stream, int up_to) {
    double rate = at_once_Bps;
    for (const int link : links[stream]) {
      if (link == up_to) return rate;
      rate = std::min(rate * share[link], network.links[link].bandwidth_Bps);
    }
    return rate;
  };
  for (std::size_t pass = 0; pass < network.links.size(); ++pass) {
    std::vector<double> next(network.links.size(), 1);
    for (std::size_t link = 0; link < next.size(); ++link) {
      double wanted_Bps = 0;
      for (std::size_t i = 0; i < streams.size(); ++i)
        if (std::ranges::count(links[i], static_cast<int>(link)) > 0) wanted_Bps += rate_Bps(i, static_cast<int>(link));
      if (wanted_Bps > network.links[link].bandwidth_Bps) next[link] = network.links[link].bandwidth_Bps / wanted_Bps;
    }
    if (next == share) break;
    share = next;
  }
  std::vector<double> rates_Bps;
  for (std::size_t i = 0; i < streams.size(); ++i)
    rates_Bps.push_back(rate_Bps(i, -1) / (1 + network.transport.header_bytes / static_cast<double>(streams[i].bytes)));
  return rates_Bps;
}

/// Exact measurements: messages have headers, and streams share links fairly.
inline PairProber prober_on(const Network& network) {
  const double header_bytes = network.transport.header_bytes;
  const auto one_way_s = [&network, header_bytes](int from, int to, double bytes) {
    const Route route = network.route(from, to);
    return route.latency_s + (bytes + header_bytes) / route.bandwidth_Bps;
  };
  return {[=](const std::vector<std::pair<int, int>>& pairs, std::int64_t bytes, int) {
            std::vector<RoundTrip> trips;
            for (const auto& [from, to] : pairs) {
              const double there_s = one_way_s(from, to, static_cast<double>(bytes)), back_s = one_way_s(to, from, 0);
              trips.push_back({there_s + back_s, 0, (back_s - there_s) / 2});
            }
            return trips;
          },
          [=](const std::vector<std::pair<int, int>>& pairs, std::int64_t max_bytes, int repetitions) {
            std::vector<double> rates_Bps;
            for (const auto& [from, to] : pairs) {
              const auto trip_s = [&, there = from, back = to](std::int64_t bytes) {
                return one_way_s(there, back, static_cast<double>(bytes)) + one_way_s(back, there, 0);
              };
              rates_Bps.push_back(growing_rate_Bps(trip_s, max_bytes, repetitions));
            }
            return rates_Bps;
          },
          [&network](const std::vector<ProbeStream>& streams, double) { return fair_rates_Bps(network, streams); }};
}

inline std::vector<DiscoveredHost> hosts_of(const Network& network) {
  std::vector<DiscoveredHost> hosts;
  for (const Host& host : network.hosts) hosts.push_back({host.name, 1});
  return hosts;
}

inline std::vector<std::vector<int>> groups_of(const Network& network) {
  std::vector<std::vector<int>> groups;
  const Topology topology = topology_of(network, place_ranks(network, PlacementRule::block, 1));
  for (const Group& group : topology.groups()) groups.push_back(group.ranks);
  return groups;
}

inline void expect_same_routes(const Network& found, const Network& known) {
  for (int from = 0; from < static_cast<int>(known.hosts.size()); ++from) {
    for (int to = 0; to < static_cast<int>(known.hosts.size()); ++to) {
      if (from == to) continue;
      const Route there = known.route(from, to), here = found.route(from, to);
      EXPECT_NEAR(here.latency_s, there.latency_s, 1e-9) << from << ' ' << to;
      EXPECT_NEAR(here.bandwidth_Bps / there.bandwidth_Bps, 1, 1e-6) << from << ' ' << to;
    }
  }
}

}  // namespace isthmus::tests
