#include "algorithms/network/network_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "algorithms/errors.hpp"
#include "algorithms/json/json_position.hpp"
#include "algorithms/json/json_text.hpp"
#include "algorithms/process/whole_file.hpp"
#include "algorithms/text/printable.hpp"

namespace isthmus {

using nlohmann::json;

namespace {

// What is wrong at a JSON pointer; the callers add the file and line where they have them.
struct Misfit {
  std::string pointer;
  std::string what;
};

[[noreturn]] void fail(const std::string& pointer, const std::string& what) { throw Misfit{pointer, what}; }

const json& member(const json& object, const std::string& at, const char* key) {
  if (!object.is_object()) fail(at, fmt::format("{} where an object is needed", object.type_name()));
  const auto found = object.find(key);
  if (found == object.end()) fail(at, fmt::format("no \"{}\"; it is needed", key));
  return *found;
}

const json& array(const json& object, const std::string& at, const char* key) {
  const json& value = member(object, at, key);
  if (!value.is_array()) fail(at + '/' + key, fmt::format("{} where an array is needed", value.type_name()));
  return value;
}

std::string text(const json& object, const std::string& at, const char* key) {
  const json& value = member(object, at, key);
  if (!value.is_string()) fail(at + '/' + key, fmt::format("{} where a text is needed", excerpt_of(value)));
  return value.get<std::string>();
}

double number(const json& object, const std::string& at, const char* key) {
  const json& value = member(object, at, key);
  if (!value.is_number() || !std::isfinite(value.get<double>())) {
    fail(at + '/' + key, fmt::format("{} where a number is needed", excerpt_of(value)));
  }
  return value.get<double>();
}

double not_negative(const json& object, const std::string& at, const char* key) {
  const double value = number(object, at, key);
  if (value < 0) fail(at + '/' + key, fmt::format("{} is negative; 0 or more is needed", value));
  return value;
}

std::int64_t integer(const json& value, const std::string& at, std::int64_t least, std::int64_t most) {
  if (!value.is_number_integer()) fail(at, fmt::format("{} where an integer is needed", excerpt_of(value)));
  const bool too_large = value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(most);
  if (too_large || value.get<std::int64_t>() < least || value.get<std::int64_t>() > most) {
    fail(at, fmt::format("{} is out of range; {} to {} is right", excerpt_of(value), least, most));
  }
  return value.get<std::int64_t>();
}

std::int64_t integer(const json& object, const std::string& at, const char* key, std::int64_t least,
                     std::int64_t most) {
  return integer(member(object, at, key), at + '/' + key, least, most);
}

constexpr std::int64_t max_bytes = std::int64_t{1} << 62;
constexpr std::int64_t max_number = 2147483647;

std::vector<int> link_numbers(const json& object, const std::string& at, const char* key, std::size_t links) {
  const json& values = array(object, at, key);
  std::vector<int> numbers;
  numbers.reserve(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string here = fmt::format("{}/{}/{}", at, key, i);
    if (links == 0) fail(here, "a link number, and the network has no links");
    numbers.push_back(static_cast<int>(integer(values[i], here, 0, static_cast<std::int64_t>(links) - 1)));
  }
  return numbers;
}

SizeFunction size_function(const json& object, const std::string& at, const char* key) {
  const json& values = array(object, at, key);
  const std::string here = at + '/' + key;
  if (values.size() < 2) {
    fail(here, fmt::format("{} point{}; at least 2 are needed, each [bytes, seconds], to tell how the cost grows",
                           values.size(), values.size() == 1 ? "" : "s"));
  }
  std::vector<SizeFunction::Point> points;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const json& pair = values[i];
    const std::string point = fmt::format("{}/{}", here, i);
    if (!pair.is_array() || pair.size() != 2 || !pair[0].is_number() || !pair[1].is_number()) {
      fail(point, fmt::format("{} where [bytes, seconds] is needed", excerpt_of(pair)));
    }
    points.push_back({pair[0].get<double>(), pair[1].get<double>()});
    const auto [bytes, seconds] = points.back();
    if (!std::isfinite(bytes) || !std::isfinite(seconds) || bytes < 0 || seconds < 0) {
      fail(point, fmt::format("{} is negative; 0 or more is needed", excerpt_of(pair)));
    }
    if (i == 0) continue;
    if (bytes <= points[i - 1].bytes) {
      fail(point, fmt::format("{} B comes after {} B; sizes must ascend", bytes, points[i - 1].bytes));
    }
    if (seconds < points[i - 1].seconds) {
      fail(point, fmt::format("{} s for {} B is less than {} s for {} B; a longer message costs as much or more",
                              seconds, bytes, points[i - 1].seconds, points[i - 1].bytes));
    }
  }
  return SizeFunction(std::move(points));
}

std::vector<std::pair<int, double>> gap_factors_from(const json& value, const std::string& at) {
  std::vector<std::pair<int, double>> factors;
  if (!value.contains("gap_factors")) return factors;
  const json& values = array(value, at, "gap_factors");
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string here = fmt::format("{}/gap_factors/{}", at, i);
    const json& pair = values[i];
    if (!pair.is_array() || pair.size() != 2 || !pair[1].is_number()) {
      fail(here, fmt::format("{} where [destinations, factor] is needed", excerpt_of(pair)));
    }
    const int least = factors.empty() ? 1 : factors.back().first + 1;
    const auto destinations = static_cast<int>(integer(pair[0], here + "/0", least, max_number));
    const double factor = pair[1].get<double>();
    if (!std::isfinite(factor) || factor <= 0)
      fail(here, fmt::format("{} is no factor; more than 0 is needed", factor));
    factors.emplace_back(destinations, factor);
  }
  return factors;
}

std::vector<LinkStep> profile_from(const json& value, const std::string& at) {
  std::vector<LinkStep> profile;
  const json& values = array(value, at, "profile");
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string here = fmt::format("{}/profile/{}", at, i);
    const json& step = values[i];
    const auto is_right = [](const json& n) { return n.is_number() && n.get<double>() >= 0 && n.get<double>() < 1e15; };
    if (!step.is_array() || step.size() != 3 || !std::all_of(step.begin(), step.end(), is_right)) {
      fail(here, fmt::format("{} where [at_s, bandwidth_Bps, latency_s] is needed, all 0 or more", excerpt_of(step)));
    }
    profile.push_back({step[0].get<double>(), step[1].get<double>(), step[2].get<double>()});
    if (i > 0 && profile[i].at_s <= profile[i - 1].at_s) {
      fail(here, fmt::format("{} s comes after {} s; instants must ascend", profile[i].at_s, profile[i - 1].at_s));
    }
  }
  return profile;
}

LinkClass class_from(const json& value, const std::string& at) {
  return {text(value, at, "name"), size_function(value, at, "gap"), size_function(value, at, "send_overhead"),
          size_function(value, at, "receive_overhead"), gap_factors_from(value, at)};
}

/// No message may take less than a link's bandwidth lets it: bounds rely on that, and it is what units mixed up look
/// like.
void check_against_bandwidth(const LinkClass& one, const Link& link, const std::string& at) {
  double min_factor = 1;
  for (const auto& [destinations, factor] : one.gap_factors) min_factor = std::min(min_factor, factor);
  const double far_bytes = 2 * one.gap.points().back().bytes + 1;
  std::vector<double> sizes{far_bytes};
  for (const auto& [bytes, seconds] : one.gap.points()) sizes.push_back(bytes);
  for (const double bytes : sizes) {
    const double min_s = bytes / link.bandwidth_Bps;
    if (one.gap(bytes) * min_factor < min_s * (1 - 1e-6)) {
      fail(at,
           fmt::format("{} B cross a link of class {} in {} s, and its {} B/s allow no less than {} s; are the units "
                       "bytes and seconds?",
                       bytes, one.name, one.gap(bytes) * min_factor, link.bandwidth_Bps, min_s));
    }
  }
}

Link link_from(const json& value, const std::string& at) {
  Link link;
  link.name = text(value, at, "name");
  link.bandwidth_Bps = number(value, at, "bandwidth_Bps");
  if (link.bandwidth_Bps <= 0) {
    fail(at + "/bandwidth_Bps", fmt::format("{} is no bandwidth; more than 0 is needed", link.bandwidth_Bps));
  }
  link.latency_s = not_negative(value, at, "latency_s");
  const std::string sharing = text(value, at, "sharing");
  if (sharing != "shared" && sharing != "fatpipe") {
    fail(at + "/sharing", fmt::format("\"{}\" is unknown; shared or fatpipe is right", excerpt(sharing)));
  }
  link.sharing = sharing == "shared" ? Sharing::shared : Sharing::fatpipe;
  return link;
}

Host host_from(const json& value, const std::string& at, std::size_t links) {
  Host host;
  host.name = text(value, at, "name");
  host.speed_flops = not_negative(value, at, "speed_flops");
  host.cores = static_cast<int>(integer(value, at, "cores", 1, max_number));
  const json& gateway = member(value, at, "gateway");
  if (!gateway.is_boolean())
    fail(at + "/gateway", fmt::format("{} where true or false is needed", excerpt_of(gateway)));
  host.gateway = gateway.get<bool>();
  const json& zones = array(value, at, "zones");
  for (std::size_t i = 0; i < zones.size(); ++i) {
    const std::string zone = fmt::format("{}/zones/{}", at, i);
    host.zones.push_back({text(zones[i], zone, "level"), text(zones[i], zone, "name")});
  }
  host.endpoint = static_cast<int>(integer(value, at, "endpoint", 0, max_number));
  host.up = link_numbers(value, at, "up", links);
  host.down = link_numbers(value, at, "down", links);
  host.loopback = link_numbers(value, at, "loopback", links);
  return host;
}

Transport transport_from(const json& value, const std::string& at) {
  Transport transport;
  transport.header_bytes = not_negative(value, at, "header_bytes");
  transport.eager_bytes = integer(value, at, "eager_bytes", 0, max_bytes);
  transport.buffered_bytes = integer(value, at, "buffered_bytes", 0, max_bytes);
  transport.send_overhead_s = not_negative(value, at, "send_overhead_s");
  transport.send_overhead_s_per_byte = not_negative(value, at, "send_overhead_s_per_byte");
  transport.receive_overhead_s = not_negative(value, at, "receive_overhead_s");
  transport.receive_overhead_s_per_byte = not_negative(value, at, "receive_overhead_s_per_byte");
  if (value.contains("frame_bytes")) transport.frame_bytes = not_negative(value, at, "frame_bytes");
  if (value.contains("reduction_s_per_byte")) {
    transport.reduction_s_per_byte = not_negative(value, at, "reduction_s_per_byte");
  }
  return transport;
}

Network parse(const json& value) {
  Network network;
  network.name = text(value, "", "name");
  std::map<std::string, int> class_numbers;
  if (value.contains("classes")) {
    const json& classes = array(value, "", "classes");
    for (std::size_t i = 0; i < classes.size(); ++i) {
      const std::string at = fmt::format("/classes/{}", i);
      network.classes.push_back(class_from(classes[i], at));
      const std::string& name = network.classes.back().name;
      if (!class_numbers.try_emplace(name, static_cast<int>(i)).second) {
        fail(at + "/name", fmt::format("class {} is there twice; names must differ", excerpt(name)));
      }
    }
  }
  const json& links = array(value, "", "links");
  for (std::size_t i = 0; i < links.size(); ++i) {
    const std::string at = fmt::format("/links/{}", i);
    Link& link = network.links.emplace_back(link_from(links[i], at));
    if (links[i].contains("profile")) {
      std::vector<LinkStep> profile = profile_from(links[i], at);
      if (!profile.empty()) network.profiles[static_cast<int>(i)] = std::move(profile);
    }
    if (!links[i].contains("class")) continue;
    const std::string of_link = text(links[i], at, "class");
    const auto found = class_numbers.find(of_link);
    if (found == class_numbers.end()) {
      fail(at + "/class", fmt::format("there is no class \"{}\"; it is needed in \"classes\"", excerpt(of_link)));
    }
    link.link_class = found->second;
    check_against_bandwidth(network.classes[found->second], link, at + "/class");
  }
  const json& hosts = array(value, "", "hosts");
  std::set<std::string> names;
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    const std::string at = fmt::format("/hosts/{}", i);
    network.hosts.push_back(host_from(hosts[i], at, links.size()));
    const std::string& name = network.hosts.back().name;
    if (!names.insert(name).second) fail(at + "/name", fmt::format("host {} is there twice; names must differ", name));
  }
  if (hosts.empty()) fail("/hosts", "no host; at least one is needed");
  const json& trunks = array(value, "", "trunks");
  for (std::size_t i = 0; i < trunks.size(); ++i) {
    const std::string at = fmt::format("/trunks/{}", i);
    const int from = static_cast<int>(integer(trunks[i], at, "from", 0, max_number));
    const int to = static_cast<int>(integer(trunks[i], at, "to", 0, max_number));
    const bool is_new =
        network.trunks.try_emplace({from, to}, Trunk{link_numbers(trunks[i], at, "links", links.size())}).second;
    if (!is_new) fail(at, fmt::format("the trunk from endpoint {} to {} is there twice; one is right", from, to));
  }
  network.transport = transport_from(member(value, "", "transport"), "/transport");
  return network;
}

}  // namespace

namespace {

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
  if (transport.reduction_s_per_byte > 0) value["transport"]["reduction_s_per_byte"] = transport.reduction_s_per_byte;
  for (const LinkClass& one : network.classes) value["classes"].push_back(to_json(one));
  return value;
}

Network network_from_json(const json& value) {
  try {
    return parse(value);
  } catch (const Misfit& problem) {
    throw BadInput(fmt::format("network {}: {}", problem.pointer.empty() ? "/" : problem.pointer, problem.what));
  }
}

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
  constexpr const char* needed = "a network JSON is needed";
  const std::string content = read_whole_file(file, needed);
  const json value = parse_json(content, file, needed);
  try {
    return parse(value);
  } catch (const Misfit& problem) {
    throw BadInput(fmt::format("{}:{}: {}: {}", file, line_of_json_pointer(content, problem.pointer),
                               problem.pointer.empty() ? "/" : problem.pointer, problem.what));
  }
}

}  // namespace isthmus
