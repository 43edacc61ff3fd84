#include "validation/studies/sensitivity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "algorithms/collective/mpi_own.hpp"
#include "algorithms/errors.hpp"
#include "algorithms/network/link_names.hpp"
#include "algorithms/replay/replay.hpp"
#include "algorithms/text/counted.hpp"
#include "algorithms/text/printable.hpp"
#include "algorithms/tuning/select.hpp"
#include "algorithms/tuning/trials/link_load.hpp"
#include "validation/text/plan_text.hpp"
#include "validation/text/text_table.hpp"
#include "validation/text/units.hpp"
#include "validation/text/wrapped.hpp"

namespace isthmus {
namespace {

constexpr std::size_t max_chosen_anew = 3;
constexpr double worth_showing = 5e-4;  // of the time, as a saving

enum class Figure : std::uint8_t { none, bandwidth, latency, both };

double seconds_of(const PlacedNetwork& placed, const RequestedPoint& point) {
  const ProgramSource programs = source(point.plan, placed.topology(), point.problem);
  return replay(placed, point.problem.element_bytes, programs).seconds;
}

/// The network with the figure of these links better. A link with measured costs leaves its class, which is of its
/// present bandwidth.
PlacedNetwork improved(const PlacedNetwork& placed, std::span<const int> links, Figure figure, double change) {
  Network network = placed.network();
  for (const int number : links) {
    Link& link = network.links[number];
    if (figure != Figure::latency) link.link_class = -1;
    if (figure == Figure::bandwidth || figure == Figure::both) link.bandwidth_Bps *= 1 + change;
    if (figure == Figure::latency || figure == Figure::both) link.latency_s *= 1 - change;
  }
  return placed.with_links_of(std::move(network));
}

/// The links that messages cross, by the name that stands for them.
std::vector<LinkGain> links_in_use(const PlacedNetwork& placed, const RequestedPoint& point) {
  const Network& network = placed.network();
  std::vector<std::string> names(network.links.size());
  std::vector<bool> fatpipe_or_used(network.links.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    names[i] = name_of_both(network, network.links[i].name);
    fatpipe_or_used[i] = network.links[i].sharing == Sharing::fatpipe;
  }
  for (const Host& host : network.hosts)
    for (const LinkList* links : {&host.up, &host.down, &host.loopback})
      for (const int link : *links)
        names[link] = host.zones.empty() ? "links of hosts" : fmt::format("hosts of {}", host.zones.front().name);
  const ProgramSource programs = source(point.plan, placed.topology(), point.problem);
  for (const LinkLoad& load : link_loads(placed, programs, point.problem.element_bytes))
    fatpipe_or_used[load.link] = true;
  std::vector<LinkGain> gains;
  std::map<std::string, std::size_t> by_name;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!fatpipe_or_used[i]) continue;
    const auto [at, is_new] = by_name.emplace(names[i], gains.size());
    if (is_new) gains.push_back({names[i], {}, network.links[i].bandwidth_Bps, network.links[i].latency_s});
    LinkGain& gain = gains[at->second];
    gain.links.push_back(static_cast<int>(i));
    gain.bandwidth_Bps = std::min(gain.bandwidth_Bps, network.links[i].bandwidth_Bps);
    gain.latency_s = std::max(gain.latency_s, network.links[i].latency_s);
  }
  return gains;
}

double share(double saved_s, double of_s) { return of_s > 0 ? saved_s / of_s : 0; }

/// A saving in milliseconds, without noise of the arithmetic.
std::string saved_text(double saved_s, double of_s) {
  return std::abs(share(saved_s, of_s)) < 1e-9 ? "0" : format_milliseconds(saved_s);
}

std::string heading(const Sensitivity& sensitivity, const PlacedNetwork& placed,
                    std::span<const std::string> set_links) {
  const Problem& problem = sensitivity.point.problem;
  std::string text(name(problem.collective));
  if (carries_data(problem.collective)) text += fmt::format(" of {}", format_bytes(problem.bytes()));
  text += fmt::format(" on {}, {}", platform_text(placed.network().name, set_links), counted(placed.size(), "rank"));
  if (has_root(problem.collective)) text += fmt::format(", root {}", problem.root);
  return printable(fmt::format("{}: {} takes {}.", text, short_plan(request_text(sensitivity.point.plan)),
                               format_seconds(sensitivity.seconds)));
}

std::string verdict(const Sensitivity& sensitivity) {
  if (sensitivity.gains.empty() || sensitivity.gains.front().max_s() < worth_showing * sensitivity.seconds)
    return "No single link would shorten it.";
  const LinkGain& best = sensitivity.gains.front();
  const bool is_bandwidth = best.bandwidth_saves_s >= best.latency_saves_s;
  return fmt::format("{} pays most: {:.3g} % {} saves {} ({:.1f} %).", printable(best.name), 100 * sensitivity.change,
                     is_bandwidth ? "more bandwidth" : "less latency", format_seconds(best.max_s()),
                     100 * share(best.max_s(), sensitivity.seconds));
}

std::string table_of(const Sensitivity& sensitivity, const PlacedNetwork& placed, Look look,
                     std::span<const std::string> set_links) {
  constexpr std::size_t max_rows = 20;
  const std::string percent = fmt::format("{:.3g} %", 100 * sensitivity.change);
  const bool anew =
      std::ranges::any_of(sensitivity.gains, [](const LinkGain& of) { return of.chosen_anew_saves_s.has_value(); });
  std::vector<TextTable::Column> columns{{"link", "", Align::left},
                                         {"rate", ""},
                                         {"latency", "ms"},
                                         {"+" + percent + " rate", "saves ms"},
                                         {"-" + percent + " latency", "saves ms"},
                                         {"better", "%"}};
  if (anew) columns.push_back({"new plan", "saves ms"});
  TextTable table(columns);
  std::size_t shown = 0;
  for (const LinkGain& gain : sensitivity.gains) {
    if (gain.max_s() < worth_showing * sensitivity.seconds || shown == max_rows) break;
    ++shown;
    std::vector<TextTable::Cell> cells{gain.name,
                                       format_rate(gain.bandwidth_Bps),
                                       format_milliseconds(gain.latency_s),
                                       saved_text(gain.bandwidth_saves_s, sensitivity.seconds),
                                       saved_text(gain.latency_saves_s, sensitivity.seconds),
                                       fmt::format("{:.1f}", 100 * share(gain.max_s(), sensitivity.seconds))};
    if (anew)
      cells.emplace_back(gain.chosen_anew_saves_s ? saved_text(*gain.chosen_anew_saves_s, sensitivity.seconds)
                                                  : std::string());
    table.add(std::move(cells));
  }
  std::string text = wrapped("", heading(sensitivity, placed, set_links) + " " + verdict(sensitivity), look.width);
  if (shown > 0) text += "\n" + table.text(look.colour, look.width);
  if (shown > 0 && anew) text += "New plan: with both changes, and a plan made for them if that is quicker.\n";
  if (const std::size_t rest = sensitivity.gains.size() - shown; rest > 0)
    text += fmt::format("{} in use {} {}.\n", counted(rest, shown > 0 ? "more link" : "link"),
                        rest == 1 ? "saves" : "save", shown == max_rows ? "less" : "next to nothing");
  return text;
}

nlohmann::ordered_json gain_json(const Sensitivity& sensitivity, const LinkGain& gain, const PlacedNetwork& placed,
                                 std::span<const std::string> set_links) {
  const Problem& problem = sensitivity.point.problem;
  nlohmann::ordered_json record = {{"platform", placed.network().name},
                                   {"collective", name(problem.collective)},
                                   {"plan", request_text(sensitivity.point.plan)},
                                   {"bytes", problem.bytes()},
                                   {"ranks", placed.size()},
                                   {"root", problem.root},
                                   {"seconds", sensitivity.seconds},
                                   {"link", gain.name},
                                   {"links", nlohmann::ordered_json::array()},
                                   {"bandwidth_Bps", gain.bandwidth_Bps},
                                   {"latency_s", gain.latency_s},
                                   {"change", sensitivity.change},
                                   {"bandwidth_saves_s", gain.bandwidth_saves_s},
                                   {"latency_saves_s", gain.latency_saves_s},
                                   {"chosen_anew_saves_s", nullptr}};
  for (const int link : gain.links) record["links"].push_back(placed.network().links[link].name);
  if (gain.chosen_anew_saves_s) record["chosen_anew_saves_s"] = *gain.chosen_anew_saves_s;
  if (!set_links.empty()) record["set"] = std::vector<std::string>(set_links.begin(), set_links.end());
  return record;
}

constexpr const char* sensitivity_csv_heads =
    "platform,collective,plan,bytes,ranks,root,seconds,link,bandwidth_Bps,latency_s,change,bandwidth_saves_s,"
    "latency_saves_s,chosen_anew_saves_s\n";

std::string csv_of(const Sensitivity& sensitivity, const PlacedNetwork& placed) {
  const Problem& problem = sensitivity.point.problem;
  std::string text;
  for (const LinkGain& gain : sensitivity.gains)
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", csv_field(placed.network().name),
                        name(problem.collective), csv_field(request_text(sensitivity.point.plan)), problem.bytes(),
                        placed.size(), problem.root, sensitivity.seconds, csv_field(gain.name), gain.bandwidth_Bps,
                        gain.latency_s, sensitivity.change, gain.bandwidth_saves_s, gain.latency_saves_s,
                        gain.chosen_anew_saves_s ? fmt::format("{}", *gain.chosen_anew_saves_s) : "");
  return text;
}

}  // namespace

Sensitivity find_sensitivity(const PlacedNetwork& placed, const RequestedPoint& point, double change,
                             const std::function<void(std::size_t, std::size_t)>& on_step) {
  if (is_mpi_own(point.plan))
    throw BadInput(fmt::format("{}/{}: {}", name(point.problem.collective), to_string(point.plan), no_schedule));
  Sensitivity sensitivity{point, change, seconds_of(placed, point), links_in_use(placed, point)};
  std::vector<LinkGain>& gains = sensitivity.gains;
  for (std::size_t i = 0; i < gains.size(); ++i) {
    if (on_step) on_step(i, gains.size());
    const auto seconds_with = [&](Figure figure) {
      return seconds_of(improved(placed, gains[i].links, figure, change), point);
    };
    const bool measured =
        std::ranges::any_of(gains[i].links, [&](int link) { return placed.network().links[link].link_class >= 0; });
    const double before_s = measured ? seconds_with(Figure::none) : sensitivity.seconds;
    gains[i].bandwidth_saves_s = before_s - seconds_with(Figure::bandwidth);
    gains[i].latency_saves_s = sensitivity.seconds - seconds_with(Figure::latency);
  }
  std::ranges::stable_sort(gains, [](const LinkGain& a, const LinkGain& b) { return a.max_s() > b.max_s(); });
  if (point.requested == "auto")
    for (std::size_t i = 0; i < gains.size() && i < max_chosen_anew; ++i) {
      const PlacedNetwork both = improved(placed, gains[i].links, Figure::both, change);
      const double seconds = std::min(choose(both, point.problem).seconds, seconds_of(both, point));
      gains[i].chosen_anew_saves_s = sensitivity.seconds - seconds;
    }
  return sensitivity;
}

std::string format_sensitivity(const Sensitivity& sensitivity, const PlacedNetwork& placed, Format format, Look look,
                               bool is_first, std::span<const std::string> set_links) {
  if (format == Format::table)
    return fmt::format("{}{}", is_first ? "" : "\n", table_of(sensitivity, placed, look, set_links));
  if (format == Format::csv) return (is_first ? sensitivity_csv_heads : "") + csv_of(sensitivity, placed);
  std::string text;
  for (const LinkGain& gain : sensitivity.gains)
    text +=
        gain_json(sensitivity, gain, placed, set_links).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) +
        "\n";
  return text;
}

}  // namespace isthmus
