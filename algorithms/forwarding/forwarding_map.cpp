#include "algorithms/forwarding/forwarding_map.hpp"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "algorithms/errors.hpp"
#include "algorithms/forwarding/relay_paths.hpp"
#include "algorithms/json/json_reader.hpp"
#include "algorithms/network/forwarded_routes.hpp"
#include "algorithms/text/digest.hpp"

namespace isthmus {
namespace {

constexpr std::uint16_t usual_port = 27117;  // Linux gives ports from 32768 on to connections

std::uint32_t address_of(const JsonReader& json) {
  in_addr address{};
  if (inet_pton(AF_INET, json.name().c_str(), &address) != 1) json.refuse("an IPv4 address such as 10.0.0.1");
  return ntohl(address.s_addr);
}

std::vector<std::uint32_t> addresses_by_name(const std::string& name) {
  addrinfo hints{};
  hints.ai_family = AF_INET;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  std::vector<std::uint32_t> addresses;
  if (getaddrinfo(name.c_str(), nullptr, &hints, &found) != 0) return addresses;
  for (const addrinfo* each = found; each != nullptr; each = each->ai_next) {
    const auto* const address = reinterpret_cast<const sockaddr_in*>(each->ai_addr);
    addresses.push_back(ntohl(address->sin_addr.s_addr));
  }
  freeaddrinfo(found);
  return addresses;
}

void read_host(const JsonReader& json, ForwardingHost& host) {
  json.expect_keys({"addresses", "port", "program_ports", "eager_bytes"});
  host.eager_bytes = json.integer_or("eager_bytes", host.eager_bytes, 0, std::int64_t{1} << 30U);
  for (const JsonReader& each : json.elements_or_none("addresses")) host.addresses.push_back(address_of(each));
  host.port = static_cast<std::uint16_t>(json.integer_or("port", host.port, 1, 65535));
  if (const auto ports = json.find("program_ports")) {
    const std::vector<int> range = ports->integers(1, 65535);
    if (range.size() != 2 || range[0] > range[1]) ports->refuse("the first and the last port");
    host.first_program_port = static_cast<std::uint16_t>(range[0]);
    host.last_program_port = static_cast<std::uint16_t>(range[1]);
  }
}

void read_setting(const JsonReader& json, ForwardingMap& map, Digest& keys) {
  json.expect_keys({"port", "key", "segment_bytes", "window_bytes", "gateway_bytes", "timeout_s", "start_s",
                    "eager_bytes", "hosts"});
  ForwardingLimits& limits = map.limits;
  const auto bytes = [&](const char* key, std::size_t otherwise, std::int64_t least, std::int64_t most) {
    return static_cast<std::size_t>(json.integer_or(key, static_cast<std::int64_t>(otherwise), least, most));
  };
  limits.segment_bytes = bytes("segment_bytes", limits.segment_bytes, 256, std::int64_t{16} << 20U);
  limits.window_bytes = bytes("window_bytes", limits.window_bytes, 4096, std::int64_t{1} << 40U);
  limits.gateway_bytes = bytes("gateway_bytes", limits.gateway_bytes, 4096, std::int64_t{1} << 40U);
  limits.timeout_s = json.number_or("timeout_s", limits.timeout_s, 0.1, 1e6);
  limits.start_s = json.number_or("start_s", limits.start_s, 0.1, 1e6);
  keys.add(json.name_or("key", ""));
  const auto port = static_cast<std::uint16_t>(json.integer_or("port", usual_port, 1, 65535));
  const std::int64_t eager_bytes = json.integer_or("eager_bytes", -1, 0, std::int64_t{1} << 30U);
  for (ForwardingHost& host : map.hosts) {
    host.port = port;
    host.eager_bytes = eager_bytes;
  }
  const auto hosts = json.find("hosts");
  if (!hosts) return;
  if (!hosts->value().is_object()) hosts->refuse("an object of hosts");
  for (const auto& [name, value] : hosts->value().items()) {
    const JsonReader entry = hosts->at(name);
    const int number = map.number_of(name);
    if (number < 0) entry.fail("is no host of the network");
    read_host(entry, map.hosts[static_cast<std::size_t>(number)]);
  }
}

void check_everybody_is_reached(const ForwardingMap& map) {
  const RelayPaths paths(map.neighbours);
  const std::vector<int> hops = paths.hops_from(0);
  const auto missing = std::find(hops.begin(), hops.end(), -1);
  if (missing == hops.end()) return;
  throw BadInput("host " + map.hosts[static_cast<std::size_t>(missing - hops.begin())].name +
                 " cannot be reached from host " + map.hosts.front().name +
                 ", not even through others; a host with routes to both would be right");
}

}  // namespace

bool ForwardingMap::has_route(int from, int to) const {
  const std::vector<int>& near = neighbours[static_cast<std::size_t>(from)];
  return from == to || std::binary_search(near.begin(), near.end(), to);
}

std::size_t ForwardingMap::share_bytes() const {
  return std::max<std::size_t>(limits.gateway_bytes / std::max<std::size_t>(hosts.size(), 2), 1);
}

int ForwardingMap::number_of(const std::string& host) const {
  for (const std::string& name : {host, host.substr(0, host.find('.'))})
    for (std::size_t number = 0; number < hosts.size(); ++number)
      if (hosts[number].name == name) return static_cast<int>(number);
  return -1;
}

int ForwardingMap::host_at(std::uint32_t address, std::uint16_t port) const {
  for (std::size_t number = 0; number < hosts.size(); ++number) {
    const ForwardingHost& host = hosts[number];
    if (port >= host.first_program_port && port <= host.last_program_port &&
        std::find(host.addresses.begin(), host.addresses.end(), address) != host.addresses.end())
      return static_cast<int>(number);
  }
  return -1;
}

// Breadth first: the ways have the fewest hops.
std::int64_t eager_bytes_of(const ForwardingMap& map, const Network& network, int host) {
  if (const std::int64_t given = map.hosts[static_cast<std::size_t>(host)].eager_bytes; given >= 0) return given;
  struct Way {
    double round_trip_s = -1, rate_Bps = std::numeric_limits<double>::infinity();
  };
  std::vector<Way> ways(map.hosts.size());
  ways[static_cast<std::size_t>(host)].round_trip_s = 0;
  std::vector<int> reached = {host};
  double most = 0;
  for (std::size_t next = 0; next < reached.size(); ++next) {
    const int from = reached[next];
    const Way before = ways[static_cast<std::size_t>(from)];
    for (const int to : map.neighbours[static_cast<std::size_t>(from)]) {
      Way& way = ways[static_cast<std::size_t>(to)];
      if (way.round_trip_s >= 0) continue;
      const Route there = network.route(from, to);
      way = {before.round_trip_s + there.latency_s + network.route(to, from).latency_s,
             std::min(before.rate_Bps, there.bandwidth_Bps)};
      reached.push_back(to);
      if (!map.has_route(host, to) && std::isfinite(way.rate_Bps))
        most = std::max(most, way.round_trip_s * way.rate_Bps);
    }
  }
  return std::clamp<std::int64_t>(std::llround(std::min(most, 1e15)), usual_eager_bytes, most_eager_bytes);
}

ForwardingMap forwarding_map(const Network& network, const std::string& setting) {
  ForwardingMap map;
  Digest keys;
  keys.add(network.name);
  map.limits.segment_bytes = static_cast<std::size_t>(forwarded_piece_bytes(network));
  const int count = static_cast<int>(network.hosts.size());
  for (int host = 0; host < count; ++host) {
    map.hosts.push_back({network.hosts[static_cast<std::size_t>(host)].name, {}, usual_port});
    std::vector<int>& near = map.neighbours.emplace_back();
    for (int other = 0; other < count; ++other)
      if (other != host && network.has_route(host, other) && network.has_route(other, host)) near.push_back(other);
  }
  if (setting != "1") {
    const JsonDocument document = JsonDocument::of_file(setting, "1, or a JSON file with addresses, would be right");
    read_setting(document.whole(), map, keys);
  }
  map.key = keys.value();
  for (ForwardingHost& host : map.hosts)
    if (host.addresses.empty()) host.addresses = addresses_by_name(host.name);
  check_everybody_is_reached(map);
  return map;
}

}  // namespace isthmus
