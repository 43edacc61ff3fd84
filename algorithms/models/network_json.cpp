#include "algorithms/models/network_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include "algorithms/errors.hpp"
#include "algorithms/models/json_position.hpp"

namespace isthmus {

using nlohmann::json;

namespace {

// What is wrong at a JSON pointer; the callers add the file and line where they have them.
struct Problem {
  std::string pointer;
  std::string what;
};

[[noreturn]] void fail(const std::string& pointer, const std::string& what) { throw Problem{pointer, what}; }

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
  if (!value.is_string()) fail(at + '/' + key, fmt::format("{} where a text is needed", value.dump()));
  return value.get<std::string>();
}

double number(const json& object, const std::string& at, const char* key) {
  const json& value = member(object, at, key);
  if (!value.is_number() || !std::isfinite(value.get<double>())) {
    fail(at + '/' + key, fmt::format("{} where a number is needed", value.dump()));
  }
  return value.get<double>();
}

double not_negative(const json& object, const std::string& at, const char* key) {
  const double value = number(object, at, key);
  if (value < 0) fail(at + '/' + key, fmt::format("{} is negative; 0 or more is needed", value));
  return value;
}

std::int64_t integer(const json& value, const std::string& at, std::int64_t least, std::int64_t most) {
  if (!value.is_number_integer()) fail(at, fmt::format("{} where an integer is needed", value.dump()));
  const bool too_large = value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(most);
  if (too_large || value.get<std::int64_t>() < least || value.get<std::int64_t>() > most) {
    fail(at, fmt::format("{} is out of range; {} to {} is right", value.dump(), least, most));
  }
  return value.get<std::int64_t>();
}

std::int64_t integer(const json& object, const std::string& at, const char* key, std::int64_t least,
                     std::int64_t most) {
  return integer(member(object, at, key), at + '/' + key, least, most);
}

constexpr std::int64_t kMostBytes = std::int64_t{1} << 62;
constexpr std::int64_t kMostNumber = 2147483647;

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
    fail(at + "/sharing", fmt::format("\"{}\" is unknown; shared or fatpipe is right", sharing));
  }
  link.sharing = sharing == "shared" ? Sharing::shared : Sharing::fatpipe;
  return link;
}

Host host_from(const json& value, const std::string& at, std::size_t links) {
  Host host;
  host.name = text(value, at, "name");
  host.speed_flops = not_negative(value, at, "speed_flops");
  host.cores = static_cast<int>(integer(value, at, "cores", 1, kMostNumber));
  const json& gateway = member(value, at, "gateway");
  if (!gateway.is_boolean()) fail(at + "/gateway", fmt::format("{} where true or false is needed", gateway.dump()));
  host.gateway = gateway.get<bool>();
  const json& zones = array(value, at, "zones");
  for (std::size_t i = 0; i < zones.size(); ++i) {
    const std::string zone = fmt::format("{}/zones/{}", at, i);
    host.zones.push_back({text(zones[i], zone, "level"), text(zones[i], zone, "name")});
  }
  host.endpoint = static_cast<int>(integer(value, at, "endpoint", 0, kMostNumber));
  host.up = link_numbers(value, at, "up", links);
  host.down = link_numbers(value, at, "down", links);
  host.loopback = link_numbers(value, at, "loopback", links);
  return host;
}

Transport transport_from(const json& value, const std::string& at) {
  Transport transport;
  transport.header_bytes = not_negative(value, at, "header_bytes");
  transport.eager_bytes = integer(value, at, "eager_bytes", 0, kMostBytes);
  transport.buffered_bytes = integer(value, at, "buffered_bytes", 0, kMostBytes);
  transport.send_overhead_s = not_negative(value, at, "send_overhead_s");
  transport.send_overhead_s_per_byte = not_negative(value, at, "send_overhead_s_per_byte");
  transport.receive_overhead_s = not_negative(value, at, "receive_overhead_s");
  transport.receive_overhead_s_per_byte = not_negative(value, at, "receive_overhead_s_per_byte");
  return transport;
}

Network parse(const json& value) {
  Network network;
  network.name = text(value, "", "name");
  const json& links = array(value, "", "links");
  for (std::size_t i = 0; i < links.size(); ++i)
    network.links.push_back(link_from(links[i], fmt::format("/links/{}", i)));
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
    const int from = static_cast<int>(integer(trunks[i], at, "from", 0, kMostNumber));
    const int to = static_cast<int>(integer(trunks[i], at, "to", 0, kMostNumber));
    const bool is_new =
        network.trunks.try_emplace({from, to}, Trunk{link_numbers(trunks[i], at, "links", links.size())}).second;
    if (!is_new) fail(at, fmt::format("the trunk from endpoint {} to {} is there twice; one is right", from, to));
  }
  network.transport = transport_from(member(value, "", "transport"), "/transport");
  return network;
}

}  // namespace

json to_json(const Network& network) {
  json links = json::array();
  for (const Link& link : network.links) {
    links.push_back({{"name", link.name},
                     {"bandwidth_Bps", link.bandwidth_Bps},
                     {"latency_s", link.latency_s},
                     {"sharing", link.sharing == Sharing::shared ? "shared" : "fatpipe"}});
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
  return {{"name", network.name},
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
}

Network network_from_json(const json& value) {
  try {
    return parse(value);
  } catch (const Problem& problem) {
    throw BadInput(fmt::format("network {}: {}", problem.pointer.empty() ? "/" : problem.pointer, problem.what));
  }
}

void write_network(const Network& network, const std::string& file) {
  std::ofstream out(file);
  out << to_json(network).dump(1, ' ', false, json::error_handler_t::replace) << '\n';
  out.close();
  if (!out) throw BadInput(fmt::format("{}: cannot be written: {}", file, std::strerror(errno)));
}

Network read_network(const std::string& file) {
  std::string content;
  try {
    std::ifstream in(file);
    in.exceptions(std::ios::failbit | std::ios::badbit);
    content.assign(std::istreambuf_iterator<char>(in), {});
  } catch (const std::ios_base::failure&) {
    throw BadInput(fmt::format("{}: cannot be read: {}; a network JSON is needed", file, std::strerror(errno)));
  }
  json value;
  try {
    value = json::parse(content);
  } catch (const json::parse_error& error) {
    const std::size_t end = std::min(error.byte > 0 ? error.byte - 1 : 0, content.size());
    const auto line = 1 + std::count(content.begin(), content.begin() + static_cast<std::ptrdiff_t>(end), '\n');
    throw BadInput(fmt::format("{}:{}: this is not JSON; a network JSON is needed", file, line));
  }
  try {
    return parse(value);
  } catch (const Problem& problem) {
    throw BadInput(fmt::format("{}:{}: {}: {}", file, line_of_json_pointer(content, problem.pointer),
                               problem.pointer.empty() ? "/" : problem.pointer, problem.what));
  }
}

}  // namespace isthmus
