// A network as JSON. Many hosts, links or trunks that differ in numbers alone are one entry.
#include <iterator>
#include <nlohmann/json.hpp>

#include "algorithms/network/forwarded_routes.hpp"
#include "algorithms/network/name_range.hpp"
#include "algorithms/network/network_json.hpp"
#include "algorithms/network/network_runs.hpp"

namespace isthmus {

using nlohmann::json;

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

json figures_of(const Network& network, const Link& link) {
  json value = {{"bandwidth_Bps", link.bandwidth_Bps},
                {"latency_s", link.latency_s},
                {"sharing", link.sharing == Sharing::shared ? "shared" : "fatpipe"}};
  if (link.price_per_GB > 0) value["price_per_GB"] = link.price_per_GB;
  if (link.link_class >= 0) value["class"] = network.classes[link.link_class].name;
  return value;
}

json links_of(const Network& network) {
  json links = json::array();
  for (std::size_t i = 0; i < network.links.size();) {
    json& value = links.emplace_back(figures_of(network, network.links[i]));
    if (const auto run = link_run(network, i)) {
      for (const NameRange& names : run->names) value["names"].push_back(names.text());
      i += static_cast<std::size_t>(run->count());
      continue;
    }
    value["name"] = network.links[i].name;
    for (const LinkStep& step : network.profile_of(static_cast<int>(i)))
      value["profile"].push_back({step.at_s, step.bandwidth_Bps, step.latency_s});
    ++i;
  }
  return links;
}

json stepped(const std::vector<int>& links, const std::vector<int>& steps) {
  json list = json::array();
  for (std::size_t i = 0; i < links.size(); ++i) list.push_back({{"first", links[i]}, {"step", steps[i]}});
  return list;
}

json hosts_of(const Network& network) {
  json hosts = json::array();
  for (std::size_t i = 0; i < network.hosts.size();) {
    const Host& host = network.hosts[i];
    json zones = json::array();
    for (const ZoneStep& zone : host.zones) zones.push_back({{"level", zone.level}, {"name", zone.name}});
    json& value = hosts.emplace_back(json{{"speed_flops", host.speed_flops},
                                          {"cores", host.cores},
                                          {"gateway", host.gateway},
                                          {"zones", std::move(zones)},
                                          {"endpoint", host.endpoint}});
    if (const auto run = host_run(network, i)) {
      value["names"] = run->names.text();
      value["up"] = stepped(host.up, run->up_steps);
      value["down"] = stepped(host.down, run->down_steps);
      value["loopback"] = stepped(host.loopback, run->loopback_steps);
      i += static_cast<std::size_t>(run->names.count());
      continue;
    }
    value["name"] = host.name;
    value["up"] = host.up;
    value["down"] = host.down;
    value["loopback"] = host.loopback;
    ++i;
  }
  return hosts;
}

json trunks_of(const Network& network) {
  json trunks = json::array();
  for (auto at = network.trunks.begin(); at != network.trunks.end();) {
    const auto& [ends, trunk] = *at;
    if (const auto run = trunk_run(network, at)) {
      const std::int64_t last = run->to + run->count - 1;
      trunks.push_back({{"from", run->from}, {"to", {run->to, last}}, {"links", stepped(trunk.links, run->steps)}});
      std::advance(at, run->count);
      continue;
    }
    trunks.push_back({{"from", ends.first}, {"to", ends.second}, {"links", trunk.links}});
    ++at;
  }
  return trunks;
}

}  // namespace

json to_json(const Network& network) {
  // Forwarded routes follow from the placement.
  if (has_forwarded_routes(network)) return to_json(without_forwarded_routes(network));
  const Transport& transport = network.transport;
  json value = {{"name", network.name},
                {"links", links_of(network)},
                {"hosts", hosts_of(network)},
                {"trunks", trunks_of(network)},
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

}  // namespace isthmus
