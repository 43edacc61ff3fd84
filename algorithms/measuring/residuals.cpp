#include "algorithms/measuring/residuals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "algorithms/measuring/growing_rate.hpp"
#include "algorithms/measuring/load/fair_rates.hpp"
#include "algorithms/measuring/load/loaded_rates.hpp"

namespace isthmus {
namespace {

void add_notes_on_lines(Discovered& found, const Measurements& measured) {
  constexpr double far_less = 0.5;
  const auto add = [&](const std::string& text) {
    found.notes.push_back({Note::Kind::unsettled, "discovery: " + text, "", 1});
  };
  const auto name = [&](int host) { return found.network.hosts[host].name; };
  int silent = 0, lossy = 0, slow = 0;
  std::int64_t sent = 0, lost = 0;
  std::pair<int, int> of_silent, of_slow;
  double least = 1;
  for (const auto& [pair, line] : measured.lines) {
    if (line.rate_Bps == 0) {
      if (silent++ == 0) of_silent = pair;
      continue;
    }
    sent += line.sent;
    lost += line.lost;
    if (line.lost > 0) ++lossy;
    const auto message = measured.messages_Bps.find(pair);
    if (message == measured.messages_Bps.end()) continue;
    const double share = message->second / measured.rates_Bps.at(pair);
    if (share < far_less) ++slow;
    if (share < least) least = share, of_slow = pair;
  }
  const std::size_t lines = measured.lines.size();
  if (silent > 0)
    add(fmt::format("no datagrams came through on {} of {} lines ({} to {}); their rates are those of single messages",
                    silent, lines, name(of_silent.first), name(of_silent.second)));
  if (lossy > 0)
    add(fmt::format("{:.2g} % of the frames were lost, on {} of {} lines",
                    100 * static_cast<double>(lost) / static_cast<double>(sent), lossy, lines));
  if (slow > 0)
    add(
        fmt::format("on {} of {} lines one message gets less than half of what the line carries ({} to {}: {:.3g} of "
                    "{:.3g} MB/s); several streams for a connection would be right",
                    slow, lines, name(of_slow.first), name(of_slow.second), measured.messages_Bps.at(of_slow) / 1e6,
                    measured.rates_Bps.at(of_slow) / 1e6));
}

/// Rates at which the longest message takes as long as an empty one, within what two trips differ by.
void add_note_on_rates(Discovered& found, const Measurements& measured) {
  constexpr double rounding = 1.01;
  int untold = 0;
  std::pair<int, int> first;
  for (const auto& [pair, rate_Bps] : measured.rates_Bps) {
    const auto way = measured.ways_s.find(std::minmax(pair.first, pair.second));
    const auto line = measured.lines.find(pair);
    if (way == measured.ways_s.end() || (line != measured.lines.end() && line->second.rate_Bps > 0)) continue;
    const double message_s = static_cast<double>(measured.long_bytes) / rate_Bps;
    if (message_s <= rounding * same_trip * 2 * way->second && untold++ == 0) first = pair;
  }
  if (untold == 0) return;
  const auto name = [&](int host) { return found.network.hosts[host].name; };
  found.notes.push_back(
      {Note::Kind::unsettled,
       fmt::format(
           "discovery: messages of {} B take as long as empty ones on {} of {} routes ({} to {}), and do not tell "
           "their rates, which may be higher than found; longer messages (--max-bytes) would be right",
           measured.long_bytes, untold, measured.rates_Bps.size(), name(first.first), name(first.second)),
       "", 1});
}

MeasuredLoad load_beside(const LoadTest& test, const Network& network) {
  const std::vector<double> found = fair_rates_Bps(network, test.streams);
  MeasuredLoad load{static_cast<int>(test.streams.size()), 0, 0, sum_of(test.rates_Bps), sum_of(found)};
  double furthest_Bps = -1;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double off_Bps = std::abs(found[i] - test.rates_Bps[i]);
    if (off_Bps > furthest_Bps) furthest_Bps = off_Bps, std::tie(load.from, load.to) = test.streams[i];
  }
  return load;
}

}  // namespace

PairProber keeping_loads(const PairProber& prober, std::vector<LoadTest>& loads) {
  PairProber keeping = prober;
  keeping.streams_Bps = [&prober, &loads](const std::vector<ProbeStream>& streams, double window_s) {
    std::vector<double> rates = prober.streams_Bps(streams, window_s);
    if (streams.size() < 2 || sum_of(rates) <= 0) return rates;  // where nothing came in time, nothing is measured
    LoadTest& test = loads.emplace_back();
    for (std::size_t i = 0; i < streams.size(); ++i) {
      const double header_bytes = streams[i].rate_Bps > 0 ? 0 : tcp_over_ethernet().header_bytes;
      test.streams.emplace_back(streams[i].from, streams[i].to);
      test.rates_Bps.push_back(rates[i] * (1 + header_bytes / static_cast<double>(streams[i].bytes)));
    }
    return rates;
  };
  return keeping;
}

void add_residuals(Discovered& found, const Measurements& measured) {
  const Network& network = found.network;
  std::map<std::pair<int, int>, MeasuredRoute> routes;
  const auto header = network.transport.header_bytes;
  const auto empty_s = [&](const Route& route) {
    return route.latency_s + std::max(network.transport.send_overhead_s, header / route.bandwidth_Bps);
  };
  const auto add = [&](std::pair<int, int> pair) -> MeasuredRoute& {
    MeasuredRoute& route = routes[pair];
    route.from = pair.first;
    route.to = pair.second;
    const auto way = measured.ways_s.find(std::minmax(pair.first, pair.second));
    if (way != measured.ways_s.end()) route.empty_s = way->second;
    const Route there = network.route(pair.first, pair.second), back = network.route(pair.second, pair.first);
    route.found_empty_s = (empty_s(there) + empty_s(back)) / 2;
    return route;
  };
  for (const auto& [pair, way] : measured.ways_s) add(pair);
  for (const auto& [pair, rate] : measured.rates_Bps) {
    MeasuredRoute& route = add(pair);
    route.rate_Bps = rate;
    route.found_rate_Bps = network.route(pair.first, pair.second).bandwidth_Bps;
    if (const auto message = measured.messages_Bps.find(pair); message != measured.messages_Bps.end())
      route.message_Bps = message->second;
    if (const auto line = measured.lines.find(pair); line != measured.lines.end() && line->second.rate_Bps > 0)
      route.lost = static_cast<double>(line->second.lost) / line->second.sent;
  }
  for (const LoadTest& test : measured.loads) found.loads.push_back(load_beside(test, network));
  int off = 0, worst_from = 0, worst_to = 0;
  double worst = 0;
  for (const auto& [pair, route] : routes) {
    found.routes.push_back(route);
    if (route.empty_s <= 0) continue;
    const double deviation = std::abs(route.found_empty_s / route.empty_s - 1);
    if (deviation > 0.1) ++off;
    if (deviation > worst) worst = deviation, worst_from = pair.first, worst_to = pair.second;
  }
  if (off > 0) {
    found.notes.push_back({Note::Kind::unsettled,
                           fmt::format("{} of {} routes differ by more than 10 % from their measured latency; {} to "
                                       "{} by {:.0f} %",
                                       off, found.routes.size(), network.hosts[worst_from].name,
                                       network.hosts[worst_to].name, 100 * worst),
                           "", 1});
  }
  add_note_on_rates(found, measured);
  add_notes_on_lines(found, measured);
}

}  // namespace isthmus
