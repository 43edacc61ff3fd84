#include <fmt/format.h>

#include "algorithms/errors.hpp"
#include "algorithms/json/json_text.hpp"
#include "algorithms/models/price.hpp"
#include "algorithms/network/network_json.hpp"
#include "platforms/link_settings.hpp"
#include "platforms/reader.hpp"
#include "platforms/wide_area/from_tables.hpp"
#include "platforms/wide_area/wide_area.hpp"
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

Network with_settings(const Network& network, const std::vector<std::string>& texts) {
  Network changed = network;
  std::vector<LinkSetting> settings;
  for (const std::string& text : texts) settings.push_back(parse_link_setting(text));
  set_links(changed, settings);
  return changed;
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
  const bool priced = has_prices(network);
  py::list rows;
  for (const Link& link : network.links) {
    py::dict row;
    row["link"] = link.name;
    row["bandwidth_Bps"] = link.bandwidth_Bps;
    row["latency_s"] = link.latency_s;
    row["sharing"] = link.sharing == Sharing::shared ? "shared" : "fatpipe";
    if (priced) row["price_per_GB"] = link.price_per_GB;
    rows.append(row);
  }
  return rows;
}

using Numbers = std::vector<double>;

/// The platform file of sites with a line for each ordered pair; matrices row by row, in the order of the sites.
std::string wide_area_xml(const std::string& name, const std::vector<SiteRow>& rows, const Numbers& latency_s,
                          const Numbers& bandwidth_Bps, const std::optional<Numbers>& price_per_GB,
                          double host_latency_s) {
  std::vector<std::string> sites;
  for (const SiteRow& row : rows) sites.push_back(row.site);
  SiteTables tables{{sites, latency_s}, {sites, bandwidth_Bps}, {}, rows};
  if (price_per_GB) tables.price = SiteTable{sites, *price_per_GB};
  SiteOptions options;
  options.host_latency_s = host_latency_s;
  WideArea area = wide_area_of(tables, options);
  area.name = name;
  return platform_xml(area);
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

/// Sites, crossings and lines of site_map(). The ends of a line are indices: sites first, then crossings.
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

}  // namespace

namespace {

PlacedNetwork checked(const Network& network, std::vector<int> host_of_rank) {
  for (const int host : host_of_rank)
    if (host < 0 || host >= static_cast<int>(network.hosts.size()) || network.hosts[host].gateway)
      throw BadInput(
          fmt::format("placement: host number {} runs no ranks; the number of a host that does would be right", host));
  return {network, {std::move(host_of_rank)}};
}

}  // namespace

Placed::Placed(const Network& network, std::vector<int> host_of_rank)
    : request{.platform_file = "", .placed = checked(network, std::move(host_of_rank))} {}

void register_networks(py::module_& module) {
  py::class_<SiteRow>(module, "SiteRow")
      .def(py::init<std::string, std::optional<int>, std::optional<double>, std::optional<double>,
                    std::optional<double>>(),
           py::arg("site"), py::arg("hosts"), py::arg("host_bandwidth_Bps"), py::arg("exit_Bps"),
           py::arg("entrance_Bps"));
  module.def("wide_area_xml", &wide_area_xml, py::arg("name"), py::arg("rows"), py::arg("latency_s"),
             py::arg("bandwidth_Bps"), py::arg("price_per_GB"), py::arg("host_latency_s"),
             "The platform file of sites with a line for each ordered pair; matrices row by row.");
  py::class_<Network, std::shared_ptr<Network>>(module, "Network", R"(
          Hosts, links and routes of a platform; no SimGrid is needed to use it.

          Examples
          --------
          >>> isthmus.Network.read("platforms/kielmann2000/das-4x4.xml")
          <isthmus.Network das-4x4: 16 hosts, 44 links>
          )")
      .def_static("read", &read_platform, py::arg("file"), WithoutGil(),
                  R"(
          Reads SimGrid XML, or a network as JSON.

          Parameters
          ----------
          file : str
              The path of the file.

          Returns
          -------
          Network
              What is in it.

          Raises
          ------
          BadInput
              When the file is no platform, with its line.

          Examples
          --------
          >>> len(isthmus.Network.read("platforms/kielmann2000/das-4x4.xml"))
          16
          )")
      .def_static("from_json", &network_from_text, py::arg("text"), R"(
          Makes a network from the text of to_json().

          Parameters
          ----------
          text : str
              The JSON.

          Returns
          -------
          Network
              The same network.

          Raises
          ------
          BadInput
              When the text is no network, with the place in it.

          Examples
          --------
          >>> isthmus.Network.from_json(das.network.to_json())
          <isthmus.Network das-4x4: 16 hosts, 44 links>
          )")
      .def(
          "to_json", [](const Network& network) { return to_json(network).dump(); }, R"(
          Writes everything that is in it.

          Returns
          -------
          str
              The JSON.

          Examples
          --------
          >>> import json
          >>> json.loads(das.network.to_json())["name"]
          'das-4x4'
          )")
      .def("with_settings", &with_settings, py::arg("settings"), R"(
          Changes links as the option --set of the commands does.

          Parameters
          ----------
          settings : list of str
              As ``w12.bandwidth=x2``, ``wan-*.latency=50ms``; applied one after the other.

          Returns
          -------
          Network
              A new network of the same name.

          Raises
          ------
          BadInput
              For a link that does not exist, or a value that is none.

          Examples
          --------
          >>> faster = das.network.with_settings(["wan-*.bandwidth=x2"])
          >>> max(link["bandwidth_Bps"] for link in faster.links() if link["link"].startswith("wan"))
          2000000.0
          )")
      .def(
          "notes", [](const Network& network) { return shown(warnings_about(network)); }, R"(
          Lists warnings: figures that are allowed but probably not meant.

          Returns
          -------
          list of tuple of (str, str)
              A kind and a sentence each.

          Examples
          --------
          >>> das.network.notes()
          []
          )")
      .def_readonly("name", &Network::name, "The name of the platform file, without folder and ending.")
      .def("hosts", &hosts_of, R"(
          Lists the hosts, gateways included.

          Returns
          -------
          list of dict
              One a host: host, zones (from the outside inwards), cores, speed_flops, gateway.

          Examples
          --------
          >>> das.network.hosts()[0]
          {'host': 'c0-0', 'zones': ['c0'], 'cores': 1, 'speed_flops': 1000000000.0, 'gateway': False}
          )")
      .def("links", &links_of, R"(
          Lists the links.

          Returns
          -------
          list of dict
              One a link: link, bandwidth_Bps, latency_s, sharing ("shared" or "fatpipe"); price_per_GB too where the
              platform has prices.

          Examples
          --------
          >>> [link["latency_s"] for link in das.network.links() if link["link"] == "wan-c0-c1_UP"]
          [0.01]
          )")
      .def("site_map", &site_map_of,
           R"(
          Gives the sites and lines of a map of the network.

          Returns
          -------
          dict
              Of sites: pairs of a name and host names; crossings: pairs of names of sites and a text, where links meet outside
              them; lines: dicts of from, to (numbers of sites, those of crossings come after), text, bandwidth_Bps.

          Examples
          --------
          >>> {what: len(drawn) for what, drawn in das.network.site_map().items()}
          {'sites': 4, 'crossings': 0, 'lines': 6}
          )")
      .def("route", &route_of, py::arg("from_host"), py::arg("to_host"),
           R"(
          Gives the route between two hosts.

          Parameters
          ----------
          from_host, to_host : str
              The names of the hosts.

          Returns
          -------
          dict
              The keys links (their names in order), latency_s (the sum) and bandwidth_Bps (the smallest).

          Raises
          ------
          BadInput
              When there is no such host, or no route.

          Examples
          --------
          >>> das.network.route("c0-0", "c1-0")["links"]
          ['c0_link_0_UP', 'wan-c0-c1_UP', 'c1_link_0_DOWN']
          )")
      .def(
          "svg", [](const Network& network) { return standalone_svg(draw_network(network).svg); },
          R"(
          Draws sites, hosts and the links between sites.

          Returns
          -------
          str
              The text of an SVG file.

          Examples
          --------
          >>> das.network.svg().startswith("<svg")
          True
          )")
      .def(
          "caption", [](const Network& network) { return draw_network(network).caption; },
          R"(
          Says what the picture leaves out.

          Returns
          -------
          str
              The caption of svg(), as HTML.

          Examples
          --------
          >>> caption = das.network.caption()
          )")
      .def("__len__", [](const Network& network) { return network.hosts.size(); })
      .def("__repr__", [](const Network& network) {
        return fmt::format("<isthmus.Network {}: {} hosts, {} links>", network.name, network.hosts.size(),
                           network.links.size());
      });

  py::class_<Placed, std::shared_ptr<Placed>>(module, "Placed", "A network with its ranks in place.")
      .def(py::init([](const Network& network, const std::string& rule, int ranks_per_host, int ranks) {
             return std::make_shared<Placed>(
                 network, place_ranks(network, rule_named(rule), ranks_per_host, ranks).host_of_rank);
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
      .def_property_readonly("topology", &Placed::topology, py::return_value_policy::reference_internal)
      .def_property_readonly("digest", [](const Placed& placed) { return placed.request.placed.digest(); });
}

}  // namespace isthmus::python
