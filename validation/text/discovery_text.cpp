#include "validation/text/discovery_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "algorithms/measuring/estimate.hpp"
#include "algorithms/measuring/residuals.hpp"
#include "validation/text/tables.hpp"
#include "validation/text/text_table.hpp"
#include "validation/text/units.hpp"

namespace isthmus {
namespace {

constexpr double alarming = 0.1;
constexpr std::size_t max_rows = 60;

/// How far the network is from tests of several streams at once: the sums of their rates, by the greater of both, since
/// streams that wait for each other may bring nothing while they are measured.
std::string loads_line(const Discovered& discovered) {
  if (discovered.loads.empty()) return "";
  std::vector<double> off;
  const MeasuredLoad* worst = &discovered.loads.front();
  const auto off_by = [](const MeasuredLoad& load) {
    return std::abs(load.found_rate_Bps - load.rate_Bps) / std::max(load.found_rate_Bps, load.rate_Bps);
  };
  for (const MeasuredLoad& load : discovered.loads) {
    off.push_back(off_by(load));
    if (off_by(load) > off_by(*worst)) worst = &load;
  }
  const auto name = [&](int host) { return discovered.network.hosts[host].name; };
  return fmt::format(
      "{} tests of several at once: it is off by {:.2g} % in the median, {:.3g} % at most ({} streams, "
      "{} to {} the furthest off)\n",
      off.size(), 100 * median(off), 100 * off_by(*worst), worst->streams, name(worst->from), name(worst->to));
}

}  // namespace

std::string discovery_table(const Discovered& discovered, const Look& look) {
  const Network& network = discovered.network;
  const auto outermost = [&](int host) {
    const auto& zones = network.hosts[host].zones;
    return zones.empty() ? network.hosts[host].name.str() : zones.front().name;
  };
  TextTable table({{"from", "", Align::left},
                   {"to", "", Align::left},
                   {"empty message", "ms"},
                   {"network", "%"},
                   {"rate", "MB/s"},
                   {"network", "%"}});
  // Where several pairs of hosts of two groups were measured, each row names the hosts.
  const auto is_shown = [&](const MeasuredRoute& route) {
    return route.rate_Bps > 0 && outermost(route.from) != outermost(route.to);
  };
  std::map<std::pair<std::string, std::string>, int> pairs;
  for (const MeasuredRoute& route : discovered.routes)
    if (is_shown(route)) ++pairs[{outermost(route.from), outermost(route.to)}];
  const auto name = [&](const MeasuredRoute& route, int host) {
    return pairs.at({outermost(route.from), outermost(route.to)}) > 1 ? network.hosts[host].name.str()
                                                                      : outermost(host);
  };
  std::size_t rows = 0, omitted = 0;
  double worst_s = 0, worst_Bps = 0;
  for (const MeasuredRoute& route : discovered.routes) {
    const double off_s = residual(route.found_empty_s, route.empty_s),
                 off_Bps = residual(route.found_rate_Bps, route.rate_Bps);
    worst_s = std::max(worst_s, std::abs(off_s));
    worst_Bps = std::max(worst_Bps, std::abs(off_Bps));
    if (!is_shown(route)) continue;
    if (rows == max_rows) {
      ++omitted;
      continue;
    }
    ++rows;
    table.add({name(route, route.from),
               name(route, route.to),
               format_milliseconds(route.empty_s),
               {format_percent(off_s), std::abs(off_s) > alarming},
               fmt::format("{:.4g}", route.rate_Bps / 1e6),
               {format_percent(off_Bps), std::abs(off_Bps) > alarming}});
  }
  std::string text =
      rows > 0 ? "measured between groups, and how far the network is from it:\n" + table.text(look.colour, look.width)
               : "";
  if (table.has_alarming()) text += fmt::format("* off by more than {:g} %\n", 100 * alarming);
  if (omitted > 0) text += fmt::format("and {} more\n", omitted);
  text += fmt::format(
      "{} routes measured one at a time: the network is off by {} % at most in latency (mean of "
      "both directions), {} % in rate\n",
      discovered.routes.size(), format_off(worst_s), format_off(worst_Bps));
  return text + loads_line(discovered);
}

std::string discovery_csv(const Discovered& discovered) {
  std::string text = "from,to,empty_s,found_empty_s,rate_Bps,found_rate_Bps,message_Bps,lost,streams\n";
  const auto name = [&](int host) { return csv_field(discovered.network.hosts[host].name); };
  for (const MeasuredRoute& route : discovered.routes) {
    text += fmt::format("{},{},{},{},", name(route.from), name(route.to), route.empty_s, route.found_empty_s);
    text += route.rate_Bps > 0 ? fmt::format("{},{},", route.rate_Bps, route.found_rate_Bps) : ",,";
    text += route.message_Bps > 0 ? fmt::format("{},{},1\n", route.message_Bps, route.lost)
                                  : fmt::format(",{},1\n", route.lost);
  }
  for (const MeasuredLoad& load : discovered.loads)
    text += fmt::format("{},{},,,{},{},,,{}\n", name(load.from), name(load.to), load.rate_Bps, load.found_rate_Bps,
                        load.streams);
  return text;
}

}  // namespace isthmus
