#include <fmt/format.h>

#include "algorithms/errors.hpp"
#include "algorithms/json/json_text.hpp"
#include "algorithms/network/network_json.hpp"
#include "algorithms/topology/topology_file.hpp"
#include "platforms/reader.hpp"
#include "python/module/module.hpp"
#include "python/module/placed.hpp"
#include "validation/records/record.hpp"
#include "validation/report/network_picture.hpp"
#include "validation/report/site_map.hpp"
#include "validation/report/standalone.hpp"

namespace isthmus::python {
namespace {

Network network_from_text(const std::string& text) {
  return network_from_json(parse_json(text, "network", "what Network.to_json() gives would be right"));
}

int host_number(const Network& network, const std::string& name) {
  for (std::size_t i = 0; i < network.hosts.size(); ++i)
    if (network.hosts[i].name == name) return static_cast<int>(i);
  throw BadInput(fmt::format("no host `{}` in {}", name, network.name));
}

PlacementRule rule_named(const std::string& name) {
  if (name == "block") return PlacementRule::block;
  if (name == "cyclic") return PlacementRule::cyclic;
  throw BadInput(fmt::format("placement: `{}`; `block`, `cyclic` or a list of host names would be right", name));
}

py::dict route_of(const Network& network, const std::string& from, const std::string& to) {
  const Route route = network.route(host_number(network, from), host_number(network, to));
  py::list links;
  for (const int link : route.links) links.append(network.links[link].name);
  py::dict result;
  result["links"] = links;
  result["latency_s"] = route.latency_s;
  result["bandwidth_Bps"] = route.bandwidth_Bps;
  return result;
}

py::list links_of(const Network& network) {
  py::list rows;
  for (const Link& link : network.links) {
    py::dict row;
    row["link"] = link.name;
    row["bandwidth_Bps"] = link.bandwidth_Bps;
    row["latency_s"] = link.latency_s;
    row["sharing"] = link.sharing == Sharing::shared ? "shared" : "fatpipe";
    rows.append(row);
  }
  return rows;
}

py::list hosts_of(const Network& network) {
  py::list rows;
  for (const Host& host : network.hosts) {
    py::list zones;
    for (const ZoneStep& zone : host.zones) zones.append(zone.name);
    py::dict row;
    row["host"] = host.name;
    row["zones"] = zones;
    row["cores"] = host.cores;
    row["speed_flops"] = host.speed_flops;
    row["gateway"] = host.gateway;
    rows.append(row);
  }
  return rows;
}

/// Sites, crossings and lines as site_map() has them; the ends of a line are numbers, crossings from the sites' on.
py::dict site_map_of(const Network& network) {
  const SiteMap map = site_map(network);
  py::list sites, crossings, lines;
  for (const MapSite& site : map.sites) {
    py::list hosts;
    for (const int host : site.hosts) hosts.append(network.hosts[host].name);
    sites.append(py::make_tuple(site.name, hosts));
  }
  for (const MapCrossing& crossing : map.crossings) crossings.append(py::make_tuple(crossing.sites, crossing.text));
  for (const SiteLine& line : map.lines) {
    py::dict row;
    row["from"] = line.from;
    row["to"] = line.to;
    row["text"] = line.text;
    row["bandwidth_Bps"] = line.has_figures ? py::object(py::float_(line.bandwidth_Bps)) : py::object(py::none());
    lines.append(row);
  }
  py::dict result;
  result["sites"] = sites;
  result["crossings"] = crossings;
  result["lines"] = lines;
  return result;
}

py::list groups_of(const Topology& topology) {
  py::list rows;
  for (std::size_t number = 0; number < topology.groups().size(); ++number) {
    const Group& group = topology.group(static_cast<int>(number));
    py::dict row;
    row["group"] = static_cast<int>(number);
    row["name"] = group.name;
    row["level"] = group.level;
    row["parent"] = group.parent;
    row["ranks"] = group.ranks;
    rows.append(row);
  }
  return rows;
}

}  // namespace

Placed::Placed(const Network& network, std::vector<int> host_of_rank) : topology(Topology::flat(1)) {
  request.network = network;
  request.placement.host_of_rank = std::move(host_of_rank);
  if (request.placement.size() == 0) throw BadInput("placement: no rank; at least one would be right");
  for (const int host : request.placement.host_of_rank)
    if (host < 0 || host >= static_cast<int>(network.hosts.size()) || network.hosts[host].gateway)
      throw BadInput(fmt::format("placement: host number {} is none that runs ranks", host));
  topology = topology_of(request.network, request.placement);
  request.network_digest = digest(to_json(request.network).dump());
}

void register_networks(py::module_& module) {
  py::class_<Network, std::shared_ptr<Network>>(
      module, "Network", "Hosts, links and routes of a platform; no SimGrid is needed to use it.")
      .def_static("read", &read_platform, py::arg("file"), WithoutGil(),
                  "Reads SimGrid XML, or a network as JSON. Raises BadInput with file and line.")
      .def_static("from_json", &network_from_text, py::arg("text"), "The inverse of to_json(). Raises BadInput.")
      .def(
          "to_json", [](const Network& network) { return to_json(network).dump(); }, "Everything in it, as JSON text.")
      .def(
          "notes", [](const Network& network) { return shown(warnings_about(network)); },
          "What in it is allowed and hardly meant: a kind and a sentence each.")
      .def_readonly("name", &Network::name, "Of the platform file, without folder and ending.")
      .def("hosts", &hosts_of, "One dict a host: host, zones, cores, speed_flops, gateway.")
      .def("links", &links_of, "One dict a link: link, bandwidth_Bps, latency_s, sharing.")
      .def("site_map", &site_map_of,
           "Sites (name, hosts), crossings (sites, text) where links meet outside them, and the lines between these.")
      .def("route", &route_of, py::arg("from_host"), py::arg("to_host"),
           "Links in order, latency_s (their sum) and bandwidth_Bps (the least). Raises BadInput when there is none.")
      .def(
          "svg", [](const Network& network) { return standalone_svg(draw_network(network).svg); },
          "Sites, hosts and the links between sites, as an SVG file.")
      .def(
          "caption", [](const Network& network) { return draw_network(network).caption; },
          "What the picture leaves out.")
      .def("__len__", [](const Network& network) { return network.hosts.size(); })
      .def("__repr__", [](const Network& network) {
        return fmt::format("<isthmus.Network {}: {} hosts, {} links>", network.name, network.hosts.size(),
                           network.links.size());
      });

  py::class_<Topology>(module, "Topology",
                       "The tree of groups over the ranks: level 0 is everybody, level 1 the sites.")
      .def_static("flat", &Topology::flat, py::arg("size"), "One group of everybody.")
      .def_static("from_paths", &Topology::from_paths, py::arg("paths"),
                  "paths[rank] names the rank's groups from the sites inwards.")
      .def_static("read", &read_topology, py::arg("file"), "Reads JSON: {\"ranks\": [[\"siteA\", \"node1\"], ...]}.")
      .def_property_readonly("size", &Topology::size, "Number of ranks.")
      .def_property_readonly("levels", &Topology::levels, "The largest level of any group.")
      .def("groups", &groups_of, "One dict a group: group, name, level, parent, ranks.")
      .def("group_at", &Topology::group_at, py::arg("rank"), py::arg("level"), "The rank's group at a level.")
      .def("coordinator", &Topology::coordinator, py::arg("group"), py::arg("root"),
           "Who speaks for a group: the root where it is a member, else the lowest rank.")
      .def("__len__", &Topology::size)
      .def("__repr__", [](const Topology& topology) {
        return fmt::format("<isthmus.Topology: {} ranks, {} groups, {} levels>", topology.size(),
                           topology.groups().size(), topology.levels());
      });

  py::class_<Placed, std::shared_ptr<Placed>>(module, "Placed", "A network with its ranks in place.")
      .def(py::init([](const Network& network, const std::string& rule, int ranks_per_host, int ranks) {
             return std::make_shared<Placed>(network,
                                             place(network, rule_named(rule), ranks_per_host, ranks).host_of_rank);
           }),
           py::arg("network"), py::arg("placement"), py::arg("ranks_per_host"), py::arg("ranks"))
      .def(py::init([](const Network& network, const std::vector<std::string>& hosts) {
             std::vector<int> host_of_rank;
             for (const std::string& host : hosts) host_of_rank.push_back(host_number(network, host));
             return std::make_shared<Placed>(network, std::move(host_of_rank));
           }),
           py::arg("network"), py::arg("placement"))
      .def_property_readonly("size", [](const Placed& placed) { return placed.placement().size(); })
      .def_property_readonly("hosts",
                             [](const Placed& placed) {
                               std::vector<std::string> hosts;
                               for (const int host : placed.placement().host_of_rank)
                                 hosts.push_back(placed.network().hosts[host].name);
                               return hosts;
                             })
      .def_readonly("topology", &Placed::topology)
      .def_property_readonly("digest", [](const Placed& placed) { return placed.request.network_digest; });
}

}  // namespace isthmus::python
