#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string_view>
#include <unordered_map>

#include "algorithms/errors.hpp"
#include "algorithms/json/json_text.hpp"
#include "algorithms/measuring/discovery.hpp"
#include "algorithms/models/price.hpp"
#include "algorithms/network/network_json.hpp"
#include "platforms/link_settings.hpp"
#include "platforms/reader.hpp"
#include "platforms/wide_area/cluster_mesh.hpp"
#include "platforms/wide_area/from_tables.hpp"
#include "platforms/wide_area/wide_area.hpp"
#include "python/module/drawings.hpp"
#include "python/module/module.hpp"
#include "python/module/placed.hpp"
#include "validation/records/record.hpp"
#include "validation/report/maps/network_picture.hpp"
#include "validation/report/residual_picture.hpp"
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

/// The same for many.
std::vector<int> host_numbers(const Network& network, const std::vector<std::string>& names) {
  std::unordered_map<std::string_view, int> number_of;
  number_of.reserve(network.hosts.size());
  for (std::size_t i = 0; i < network.hosts.size(); ++i)
    number_of.try_emplace(network.hosts[i].name, static_cast<int>(i));
  std::vector<int> numbers;
  for (const std::string& name : names) {
    const auto found = number_of.find(name);
    if (found == number_of.end()) throw BadInput(fmt::format("no host `{}` in {}", name, network.name));
    numbers.push_back(found->second);
  }
  return numbers;
}

PlacementRule rule_named(const std::string& name) {
  if (name == "block") return PlacementRule::block;
  if (name == "cyclic") return PlacementRule::cyclic;
  throw BadInput(fmt::format("placement: `{}`; `block`, `cyclic` or a list of host names would be right", name));
}

py::dict route_of(const Network& network, const std::string& from, const std::string& to) {
  const Route route = network.route(host_number(network, from), host_number(network, to));
  py::list links;
  for (const int link : route.links) links.append(network.links[link].name.str());
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
    row["link"] = link.name.str();
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
    row["host"] = host.name.str();
    row["zones"] = zones;
    row["cores"] = host.cores;
    row["speed_flops"] = host.speed_flops;
    row["gateway"] = host.gateway;
    rows.append(row);
  }
  return rows;
}

PlacedNetwork checked(std::shared_ptr<const Network> network, std::vector<int> host_of_rank) {
  for (const int host : host_of_rank)
    if (host < 0 || host >= static_cast<int>(network->hosts.size()) || network->hosts[host].gateway)
      throw BadInput(
          fmt::format("placement: host number {} runs no ranks; the number of a host that does would be right", host));
  return {std::move(network), {std::move(host_of_rank)}};
}

using NetworkClass = py::class_<Network, std::shared_ptr<Network>>;

/// Platforms of sites, made from tables.
void register_wide_area(py::module_& module) {
  py::class_<SiteRow>(module, "SiteRow")
      .def(py::init<std::string, std::optional<int>, std::optional<double>, std::optional<double>,
                    std::optional<double>>(),
           py::arg("site"), py::arg("hosts"), py::arg("host_bandwidth_Bps"), py::arg("exit_Bps"),
           py::arg("entrance_Bps"));
  module.def("wide_area_xml", &wide_area_xml, py::arg("name"), py::arg("rows"), py::arg("latency_s"),
             py::arg("bandwidth_Bps"), py::arg("price_per_GB"), py::arg("host_latency_s"),
             "The platform file of sites with a line for each ordered pair; matrices row by row.");
  module.def(
      "cluster_mesh",
      [](const std::string& name, const std::vector<int>& hosts, double host_latency_s, double host_bandwidth_Bps,
         double header_bytes, const Numbers& latency_s, const Numbers& bandwidth_Bps) {
        return mesh_of_clusters(
            ClusterMesh{name, hosts, host_latency_s, host_bandwidth_Bps, header_bytes, latency_s, bandwidth_Bps});
      },
      py::arg("name"), py::arg("hosts"), py::arg("host_latency_s"), py::arg("host_bandwidth_Bps"),
      py::arg("header_bytes"), py::arg("latency_s"), py::arg("bandwidth_Bps"),
      "The network of clusters of three hosts or more, every pair joined; matrices row by row.");
}

/// Networks from files and from text.
void define_reading(NetworkClass& type) {
  type.def_static(
          "read", [](const std::filesystem::path& file) { return read_platform(file.string()); }, py::arg("file"),
          WithoutGil(),
          R"(
          Reads SimGrid XML, or a network as JSON.

          Parameters
          ----------
          file : str or os.PathLike
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
          )");
}

/// The network as text, and with other links.
void define_copies(NetworkClass& type) {
  type.def(
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
          )");
}

/// What is in it.
void define_lists(NetworkClass& type) {
  type.def_readonly("name", &Network::name, "The name of the platform file, without folder and ending.")
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
          )");
}

/// Maps, as positions and texts.
void define_maps(NetworkClass& type) {
  type.def("site_map", &site_map_of,
           R"(
          Gives the sites and lines of a map of the network.

          Returns
          -------
          dict
              Of sites: pairs of a name and host names; crossings: pairs of names of sites and a text, where links meet outside
              them; lines: dicts of from, to (numbers of sites, those of crossings come after), text, and each way
              latency_s, bandwidth_Bps, back_latency_s, back_bandwidth_Bps (None without a link of its own).

          Examples
          --------
          >>> {what: len(drawn) for what, drawn in das.network.site_map().items()}
          {'sites': 4, 'crossings': 0, 'lines': 6}
          )")
      .def("drawing", &drawing_of, R"(
          Gives the picture of svg() as boxes, dots, lines and texts.

          Returns
          -------
          dict
              Its width and height; sites (dicts of name, note, x and y of the middle, width, height, hosts as tuples
              of x, y, name and whether it is a gateway, port as x and y or None); crossings (x, y); wires (the ends,
              then the width of the line); labels (x, y, a list of lines); notes (sentences). The y axis points down.

          Examples
          --------
          >>> len(das.network.drawing()["wires"])
          6
          )");
}

/// Maps, as SVG.
void define_pictures(NetworkClass& type) {
  type.def(
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
          "residuals_svg",
          [](const Network& network, const std::string& routes) {
            nlohmann::json found = to_json(network);
            found["discovery"]["routes"] =
                parse_json(routes, "routes", "rows of discover_with_routes() would be right");
            return standalone_svg(draw_discovery(discovered_from_json(found)));
          },
          py::arg("routes"), R"(
          Draws how far the network is from what was measured; see isthmus.residuals_svg().

          Parameters
          ----------
          routes : str
              The measured routes, as JSON.

          Returns
          -------
          str
              The text of an SVG file.

          Examples
          --------
          >>> das.network.residuals_svg("[]").startswith("<svg")
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
          )");
}

/// What len() and repr() give.
void define_protocols(NetworkClass& type) {
  type.def("__len__", [](const Network& network) { return network.hosts.size(); })
      .def("__repr__", [](const Network& network) {
        return fmt::format("<isthmus.Network {}: {} hosts, {} links>", network.name, network.hosts.size(),
                           network.links.size());
      });
}

void register_placed(py::module_& module) {
  py::class_<Placed, std::shared_ptr<Placed>>(module, "Placed", "A network with its ranks in place.")
      .def(py::init([](const std::shared_ptr<Network>& network, const std::string& rule, int ranks_per_host, int ranks,
                       std::vector<std::string> set_links) {
             return std::make_shared<Placed>(
                 network, place_ranks(*network, rule_named(rule), ranks_per_host, ranks).host_of_rank,
                 std::move(set_links));
           }),
           py::arg("network"), py::arg("placement"), py::arg("ranks_per_host"), py::arg("ranks"), py::arg("set_links"))
      .def(py::init([](const std::shared_ptr<Network>& network, const std::vector<std::string>& hosts,
                       std::vector<std::string> set_links) {
             const std::vector<int> host_of_rank = host_numbers(*network, hosts);
             return std::make_shared<Placed>(network, host_of_rank, std::move(set_links));
           }),
           py::arg("network"), py::arg("placement"), py::arg("set_links"))
      .def_property_readonly("network", &Placed::network, py::return_value_policy::reference_internal)
      .def_property_readonly("set_links", [](const Placed& placed) { return placed.request.set_links; })
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

}  // namespace

Placed::Placed(std::shared_ptr<const Network> network, std::vector<int> host_of_rank,
               std::vector<std::string> set_links)
    : request{.platform_file = "",
              .placed = checked(std::move(network), std::move(host_of_rank)),
              .set_links = std::move(set_links)} {}

void register_networks(py::module_& module) {
  register_wide_area(module);
  NetworkClass type(module, "Network", R"(
          Hosts, links and routes of a platform; no SimGrid is needed to use it.

          Examples
          --------
          >>> isthmus.Network.read("platforms/kielmann2000/das-4x4.xml")
          <isthmus.Network das-4x4: 16 hosts, 44 links>
          )");
  define_reading(type);
  define_copies(type);
  define_lists(type);
  define_maps(type);
  define_pictures(type);
  define_protocols(type);
  register_placed(module);
}

}  // namespace isthmus::python
