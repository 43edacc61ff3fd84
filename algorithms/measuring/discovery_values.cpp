// The values of discovery as text and JSON.
#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "algorithms/errors.hpp"
#include "algorithms/json/json_reader.hpp"
#include "algorithms/measuring/discovery.hpp"
#include "algorithms/measuring/eco_subnets.hpp"
#include "algorithms/network/network_json.hpp"
#include "algorithms/text/parse_number.hpp"
#include "algorithms/text/printable.hpp"

namespace isthmus {

using nlohmann::json;

void set_rule(DiscoverySettings& settings, std::string_view rule) {
  constexpr std::string_view levels = "levels", eco = "eco:";
  settings.eco_threshold = 0;
  if (rule == levels) return;
  if (rule == eco.substr(0, eco.size() - 1)) {
    settings.eco_threshold = eco_threshold;
    return;
  }
  const std::string_view number = rule.starts_with(eco) ? rule.substr(eco.size()) : std::string_view();
  const std::optional<double> threshold = parse_number<double>(number);
  if (!threshold || !(*threshold >= 1) || *threshold > 1000)
    throw BadInput(fmt::format("rule {}: levels, eco, or eco:THRESHOLD with a factor from 1 to 1000 would be right",
                               excerpt(rule)));
  settings.eco_threshold = *threshold;
}

json to_json(const DiscoverySettings& settings) {
  return {{"alike", settings.alike},
          {"eco_threshold", settings.eco_threshold},
          {"most_in_full", settings.max_in_full},
          {"repetitions", settings.repetitions},
          {"long_repetitions", settings.long_repetitions},
          {"long_bytes", settings.long_bytes},
          {"max_passes", settings.max_passes},
          {"in_rounds", settings.in_rounds},
          {"datagrams", settings.datagrams},
          {"under_load", settings.under_load},
          {"answer_s", settings.answer_s},
          {"budget_s", settings.budget_s},
          {"without_silent", settings.without_silent},
          {"common_clock", settings.common_clock}};
}

DiscoverySettings discovery_settings_from_json(const json& value) {
  const JsonReader reader(value, "discovery");
  const auto integer = [&](const char* key, std::int64_t least, std::int64_t most) {
    return reader.at(key).integer(least, most);
  };
  DiscoverySettings settings;
  settings.alike = reader.at("alike").number_from(1, 1000);
  settings.eco_threshold = reader.at("eco_threshold").number_from(0, 1000);
  settings.max_in_full = static_cast<int>(integer("most_in_full", 2, 1000000));
  settings.repetitions = static_cast<int>(integer("repetitions", 1, 10000));
  settings.long_repetitions = static_cast<int>(integer("long_repetitions", 1, 10000));
  settings.long_bytes = integer("long_bytes", 2, 1 << 30);
  settings.max_passes = static_cast<int>(integer("max_passes", 1, 1000));
  settings.in_rounds = reader.at("in_rounds").boolean();
  settings.datagrams = reader.at("datagrams").boolean();
  settings.under_load = reader.at("under_load").boolean();
  settings.answer_s = reader.at("answer_s").number_from(0, 1e6);
  settings.budget_s = reader.at("budget_s").number_from(0, 1e9);
  settings.without_silent = reader.at("without_silent").boolean();
  settings.common_clock = reader.at("common_clock").boolean();
  return settings;
}

json to_json(const Discovered& discovered) {
  json result = to_json(discovered.network);
  json& more = result["discovery"];
  more["routes"] = json::array();
  const auto name = [&](int host) { return discovered.network.hosts.at(host).name; };
  for (const MeasuredRoute& route : discovered.routes) {
    json& one = more["routes"].emplace_back();
    one = {{"from", name(route.from)},
           {"to", name(route.to)},
           {"empty_s", route.empty_s},
           {"found_empty_s", route.found_empty_s}};
    if (route.rate_Bps > 0) one["rate_Bps"] = route.rate_Bps, one["found_rate_Bps"] = route.found_rate_Bps;
    if (route.message_Bps > 0) one["message_Bps"] = route.message_Bps;
    if (route.lost > 0) one["lost"] = route.lost;
  }
  more["loads"] = json::array();
  for (const MeasuredLoad& load : discovered.loads)
    more["loads"].push_back({{"streams", load.streams},
                             {"from", name(load.from)},
                             {"to", name(load.to)},
                             {"rate_Bps", load.rate_Bps},
                             {"found_rate_Bps", load.found_rate_Bps}});
  more["seconds"] = discovered.seconds;
  if (!discovered.silent.empty()) more["silent"] = discovered.silent;
  more["notes"] = json::array();
  for (const Note& note : discovered.notes) more["notes"].push_back(note.text);
  return result;
}

Discovered discovered_from_json(const json& value) {
  Discovered discovered{network_from_json(value), {}, {}, 0, {}, {}};
  std::map<std::string, int> numbers;
  for (const Host& host : discovered.network.hosts) numbers.emplace(host.name, static_cast<int>(numbers.size()));
  const JsonReader more = JsonReader(value, "network").at("discovery");
  const auto host = [&](const JsonReader& one, const char* key) {
    const auto at = numbers.find(one.at(key).name());
    if (at == numbers.end()) one.at(key).refuse("a host of the network");
    return at->second;
  };
  for (const JsonReader& one : more.elements_or_none("routes")) {
    const double any_rate = 1e300;
    discovered.routes.push_back({host(one, "from"), host(one, "to"), one.at("empty_s").number_from(0),
                                 one.at("found_empty_s").number_from(0), one.number_or("rate_Bps", 0, 0, any_rate),
                                 one.number_or("found_rate_Bps", 0, 0, any_rate),
                                 one.number_or("message_Bps", 0, 0, any_rate), one.number_or("lost", 0, 0, 1)});
  }
  for (const JsonReader& one : more.elements_or_none("loads"))
    discovered.loads.push_back({static_cast<int>(one.at("streams").integer(2, 1000000)), host(one, "from"),
                                host(one, "to"), one.at("rate_Bps").number_from(0),
                                one.at("found_rate_Bps").number_from(0)});
  discovered.seconds = more.number_or("seconds", 0, 0, 1e300);
  for (const JsonReader& one : more.elements_or_none("silent")) discovered.silent.push_back(one.text());
  for (const JsonReader& one : more.elements_or_none("notes"))
    discovered.notes.push_back({Note::Kind::unsettled, one.text(), "", 1});
  return discovered;
}

}  // namespace isthmus
