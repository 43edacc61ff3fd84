#include "algorithms/network/network_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "algorithms/json/json_reader.hpp"
#include "algorithms/process/whole_file.hpp"
#include "algorithms/text/printable.hpp"

namespace isthmus {

using nlohmann::json;

namespace {

constexpr std::int64_t max_bytes = std::int64_t{1} << 62;
constexpr std::int64_t max_number = 2147483647;

std::vector<int> link_numbers(const JsonReader& list, std::size_t links) {
  if (links == 0 && !list.elements().empty()) list.at(0).fail("is a link number, and the network has no links");
  return list.integers(0, static_cast<std::int64_t>(links) - 1);
}

/// The numbers of a short list, as in [bytes, seconds]; all 0 or more.
template <std::size_t size>
std::array<double, size> numbers(const JsonReader& list, const char* expected) {
  const auto is_right = [](const json& n) { return n.is_number() && n.get<double>() >= 0 && n.get<double>() < 1e300; };
  const json& value = list.value();
  if (!value.is_array() || value.size() != size || !std::all_of(value.begin(), value.end(), is_right))
    list.refuse(fmt::format("{}, all 0 or more,", expected));
  return value.get<std::array<double, size>>();
}

SizeFunction size_function(const JsonReader& list) {
  const std::vector<JsonReader> values = list.elements();
  if (values.size() < 2) {
    list.fail(
        fmt::format("has {} point{}; at least 2 would be right, each [bytes, seconds], to tell how the cost grows",
                    values.size(), values.size() == 1 ? "" : "s"));
  }
  std::vector<SizeFunction::Point> points;
  for (const JsonReader& point : values) {
    const auto [bytes, seconds] = numbers<2>(point, "[bytes, seconds]");
    if (!points.empty() && bytes <= points.back().bytes)
      point.fail(fmt::format("{} B comes after {} B; sizes must ascend", bytes, points.back().bytes));
    if (!points.empty() && seconds < points.back().seconds) {
      point.fail(fmt::format("{} s for {} B is less than {} s for {} B; a longer message costs as much or more",
                             seconds, bytes, points.back().seconds, points.back().bytes));
    }
    points.push_back({bytes, seconds});
  }
  return SizeFunction(std::move(points));
}

std::vector<std::pair<int, double>> gap_factors_from(const JsonReader& list) {
  std::vector<std::pair<int, double>> factors;
  for (const JsonReader& pair : list.elements()) {
    if (!pair.value().is_array() || pair.value().size() != 2) pair.refuse("[destinations, factor]");
    const int least = factors.empty() ? 1 : factors.back().first + 1;
    factors.emplace_back(pair.at(0).integer(least, max_number), pair.at(1).number_above_0());
  }
  return factors;
}

std::vector<LinkStep> profile_from(const JsonReader& list) {
  std::vector<LinkStep> profile;
  for (const JsonReader& step : list.elements()) {
    const auto [at_s, bandwidth_Bps, latency_s] = numbers<3>(step, "[at_s, bandwidth_Bps, latency_s]");
    if (!profile.empty() && at_s <= profile.back().at_s)
      step.fail(fmt::format("{} s comes after {} s; instants must ascend", at_s, profile.back().at_s));
    profile.push_back({at_s, bandwidth_Bps, latency_s});
  }
  return profile;
}

LinkClass class_from(const JsonReader& value) {
  LinkClass one{value.at("name").text(),
                size_function(value.at("gap")),
                size_function(value.at("send_overhead")),
                size_function(value.at("receive_overhead")),
                {}};
  if (const auto factors = value.find("gap_factors")) one.gap_factors = gap_factors_from(*factors);
  return one;
}

/// No message may take less than a link's bandwidth lets it: bounds rely on that, and it is what units mixed up look
/// like.
void check_against_bandwidth(const LinkClass& one, const Link& link, const JsonReader& at) {
  double min_factor = 1;
  for (const auto& [destinations, factor] : one.gap_factors) min_factor = std::min(min_factor, factor);
  const double far_bytes = 2 * one.gap.points().back().bytes + 1;
  std::vector<double> sizes{far_bytes};
  for (const auto& [bytes, seconds] : one.gap.points()) sizes.push_back(bytes);
  for (const double bytes : sizes) {
    const double min_s = bytes / link.bandwidth_Bps;
    if (one.gap(bytes) * min_factor < min_s * (1 - 1e-6)) {
      at.fail(
          fmt::format("{} B cross a link of class {} in {} s, and its {} B/s allow no less than {} s; are the units "
                      "bytes and seconds?",
                      bytes, one.name, one.gap(bytes) * min_factor, link.bandwidth_Bps, min_s));
    }
  }
}

Link link_from(const JsonReader& value) {
  Link link;
  link.name = value.at("name").text();
  link.bandwidth_Bps = value.at("bandwidth_Bps").number_above_0();
  link.latency_s = value.at("latency_s").number_from(0);
  const std::string sharing = value.at("sharing").text();
  if (sharing != "shared" && sharing != "fatpipe") value.at("sharing").refuse("\"shared\" or \"fatpipe\"");
  link.sharing = sharing == "shared" ? Sharing::shared : Sharing::fatpipe;
  if (const auto price = value.find("price_per_GB")) link.price_per_GB = price->number_from(0);
  return link;
}

Host host_from(const JsonReader& value, std::size_t links) {
  Host host;
  host.name = value.at("name").text();
  host.speed_flops = value.at("speed_flops").number_from(0);
  host.cores = static_cast<int>(value.at("cores").integer(1, max_number));
  host.gateway = value.at("gateway").boolean();
  for (const JsonReader& zone : value.at("zones").elements())
    host.zones.push_back({zone.at("level").text(), zone.at("name").text()});
  host.endpoint = static_cast<int>(value.at("endpoint").integer(0, max_number));
  host.up = link_numbers(value.at("up"), links);
  host.down = link_numbers(value.at("down"), links);
  host.loopback = link_numbers(value.at("loopback"), links);
  return host;
}

Transport transport_from(const JsonReader& value) {
  Transport transport;
  transport.header_bytes = value.at("header_bytes").number_from(0);
  transport.eager_bytes = value.at("eager_bytes").integer(0, max_bytes);
  transport.buffered_bytes = value.at("buffered_bytes").integer(0, max_bytes);
  transport.send_overhead_s = value.at("send_overhead_s").number_from(0);
  transport.send_overhead_s_per_byte = value.at("send_overhead_s_per_byte").number_from(0);
  transport.receive_overhead_s = value.at("receive_overhead_s").number_from(0);
  transport.receive_overhead_s_per_byte = value.at("receive_overhead_s_per_byte").number_from(0);
  if (const auto frame = value.find("frame_bytes")) transport.frame_bytes = frame->number_from(0);
  if (const auto returned = value.find("acknowledgement_bytes"))
    transport.acknowledgement_bytes = returned->number_from(0);
  if (const auto reduction = value.find("reduction_s_per_byte"))
    transport.reduction_s_per_byte = reduction->number_from(0);
  return transport;
}

Network network_from(const JsonReader& value) {
  Network network;
  network.name = value.at("name").text();
  std::map<std::string, int> class_numbers;
  if (const auto classes = value.find("classes")) {
    for (const JsonReader& one : classes->elements()) {
      network.classes.push_back(class_from(one));
      const std::string& name = network.classes.back().name;
      if (!class_numbers.try_emplace(name, static_cast<int>(class_numbers.size())).second)
        one.at("name").fail(fmt::format("class {} is there twice; names must differ", excerpt(name)));
    }
  }
  for (const JsonReader& one : value.at("links").elements()) {
    const auto number = static_cast<int>(network.links.size());
    Link& link = network.links.emplace_back(link_from(one));
    if (const auto list = one.find("profile")) {
      std::vector<LinkStep> profile = profile_from(*list);
      if (!profile.empty()) network.profiles[number] = std::move(profile);
    }
    const auto of_link = one.find("class");
    if (!of_link) continue;
    const auto found = class_numbers.find(of_link->text());
    if (found == class_numbers.end()) of_link->refuse("the name of one of \"classes\"");
    link.link_class = found->second;
    check_against_bandwidth(network.classes[found->second], link, *of_link);
  }
  std::set<std::string> names;
  for (const JsonReader& one : value.at("hosts").elements(1, "a list with at least one host")) {
    network.hosts.push_back(host_from(one, network.links.size()));
    const std::string& name = network.hosts.back().name;
    if (!names.insert(name).second)
      one.at("name").fail(fmt::format("host {} is there twice; names must differ", excerpt(name)));
  }
  for (const JsonReader& one : value.at("trunks").elements()) {
    const auto from = static_cast<int>(one.at("from").integer(0, max_number));
    const auto to = static_cast<int>(one.at("to").integer(0, max_number));
    const bool is_new =
        network.trunks.try_emplace({from, to}, Trunk{link_numbers(one.at("links"), network.links.size())}).second;
    if (!is_new) one.fail(fmt::format("the trunk from endpoint {} to {} is there twice; one would be right", from, to));
  }
  network.transport = transport_from(value.at("transport"));
  return network;
}

json points_of(const SizeFunction& function) {
  json points = json::array();
  for (const auto& [bytes, seconds] : function.points()) points.push_back({bytes, seconds});
  return points;
}

json to_json(const LinkClass& one) {
  json value = {{"name", one.name},
                {"gap", points_of(one.gap)},
                {"send_overhead", points_of(one.send_overhead)},
                {"receive_overhead", points_of(one.receive_overhead)}};
  for (const auto& [destinations, factor] : one.gap_factors) value["gap_factors"].push_back({destinations, factor});
  return value;
}

}  // namespace

json to_json(const Network& network) {
  json links = json::array();
  for (std::size_t i = 0; i < network.links.size(); ++i) {
    const Link& link = network.links[i];
    links.push_back({{"name", link.name},
                     {"bandwidth_Bps", link.bandwidth_Bps},
                     {"latency_s", link.latency_s},
                     {"sharing", link.sharing == Sharing::shared ? "shared" : "fatpipe"}});
    if (link.price_per_GB > 0) links.back()["price_per_GB"] = link.price_per_GB;
    if (link.link_class >= 0) links.back()["class"] = network.classes[link.link_class].name;
    for (const LinkStep& step : network.profile_of(static_cast<int>(i))) {
      links.back()["profile"].push_back({step.at_s, step.bandwidth_Bps, step.latency_s});
    }
  }
  json hosts = json::array();
  for (const Host& host : network.hosts) {
    json zones = json::array();
    for (const ZoneStep& zone : host.zones) zones.push_back({{"level", zone.level}, {"name", zone.name}});
    hosts.push_back({{"name", host.name},
                     {"speed_flops", host.speed_flops},
                     {"cores", host.cores},
                     {"gateway", host.gateway},
                     {"zones", std::move(zones)},
                     {"endpoint", host.endpoint},
                     {"up", host.up},
                     {"down", host.down},
                     {"loopback", host.loopback}});
  }
  json trunks = json::array();
  for (const auto& [ends, trunk] : network.trunks) {
    if (!trunk.forwarders.empty()) continue;  // follows from the placement
    trunks.push_back({{"from", ends.first}, {"to", ends.second}, {"links", trunk.links}});
  }
  const Transport& transport = network.transport;
  json value = {{"name", network.name},
                {"links", std::move(links)},
                {"hosts", std::move(hosts)},
                {"trunks", std::move(trunks)},
                {"transport",
                 {{"header_bytes", transport.header_bytes},
                  {"eager_bytes", transport.eager_bytes},
                  {"buffered_bytes", transport.buffered_bytes},
                  {"send_overhead_s", transport.send_overhead_s},
                  {"send_overhead_s_per_byte", transport.send_overhead_s_per_byte},
                  {"receive_overhead_s", transport.receive_overhead_s},
                  {"receive_overhead_s_per_byte", transport.receive_overhead_s_per_byte}}}};
  if (transport.frame_bytes > 0) value["transport"]["frame_bytes"] = transport.frame_bytes;
  if (transport.acknowledgement_bytes > 0)
    value["transport"]["acknowledgement_bytes"] = transport.acknowledgement_bytes;
  if (transport.reduction_s_per_byte > 0) value["transport"]["reduction_s_per_byte"] = transport.reduction_s_per_byte;
  for (const LinkClass& one : network.classes) value["classes"].push_back(to_json(one));
  return value;
}

Network network_from_json(const json& value) { return network_from(JsonReader(value, "network")); }

std::vector<Note> warnings_about(const Network& network) {
  constexpr double long_s = 1, slow_Bps = 1000;
  std::vector<Note> late, slow, costly;
  const auto add = [&](std::vector<Note>& notes, const std::string& doubt, const char* meant) {
    add_note(notes, {Note::Kind::doubtful_network, fmt::format("{}: {}", network.name, doubt),
                     fmt::format("are {} meant?", meant)});
  };
  for (const Link& link : network.links) {
    if (link.latency_s >= long_s)
      add(late, fmt::format("link {} has a latency of {} s", link.name, link.latency_s), "milliseconds");
    if (link.bandwidth_Bps < slow_Bps)
      add(slow, fmt::format("link {} has a bandwidth of {} B/s", link.name, link.bandwidth_Bps), "megabytes");
  }
  for (const LinkClass& one : network.classes) {
    for (const SizeFunction* cost : {&one.gap, &one.send_overhead, &one.receive_overhead}) {
      if (cost->points().front().bytes > 1 || (*cost)(1) < long_s) continue;
      add(costly, fmt::format("class {} takes {} s for a byte", one.name, (*cost)(1)), "milliseconds or microseconds");
      break;
    }
  }
  for (const std::vector<Note>* others : {&slow, &costly}) late.insert(late.end(), others->begin(), others->end());
  return late;
}

void write_network(const Network& network, const std::string& file) {
  write_whole_file(file, to_json(network).dump(1, ' ', false, json::error_handler_t::replace) + "\n");
}

Network read_network(const std::string& file) {
  return network_from(JsonDocument::of_file(file, "a network JSON would be right").whole());
}

}  // namespace isthmus
