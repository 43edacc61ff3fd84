#include "python/module/drawings.hpp"

#include "python/module/module.hpp"
#include "validation/report/maps/network_drawing.hpp"
#include "validation/report/maps/site_map.hpp"

namespace isthmus::python {

py::dict site_map_of(const Network& network) {
  const SiteMap map = site_map(network);
  py::list sites, crossings, lines;
  for (const MapSite& site : map.sites) {
    py::list hosts;
    for (const int host : site.hosts) hosts.append(network.hosts[host].name.str());
    sites.append(py::make_tuple(site.name, hosts));
  }
  for (const MapCrossing& crossing : map.crossings) crossings.append(py::make_tuple(crossing.sites, crossing.text));
  for (const SiteLine& line : map.lines) {
    py::dict row;
    row["from"] = line.from;
    row["to"] = line.to;
    row["text"] = line.text;
    const auto figure = [&](double value) {
      return line.has_figures ? py::object(py::float_(value)) : py::object(py::none());
    };
    row["latency_s"] = figure(line.latency_s);
    row["bandwidth_Bps"] = figure(line.bandwidth_Bps);
    row["back_latency_s"] = figure(line.back_latency_s);
    row["back_bandwidth_Bps"] = figure(line.back_bandwidth_Bps);
    lines.append(row);
  }
  py::dict result;
  result["sites"] = sites;
  result["crossings"] = crossings;
  result["lines"] = lines;
  return result;
}

py::dict drawing_of(const Network& network) {
  const NetworkDrawing drawing = network_drawing(network);
  py::list sites, crossings, wires, labels;
  for (const DrawnSite& site : drawing.sites) {
    py::dict row;
    row["name"] = site.name;
    row["note"] = site.note;
    row["x"] = site.x;
    row["y"] = site.y;
    row["width"] = site.width;
    row["height"] = site.height;
    py::list hosts;
    for (const DrawnHost& host : site.hosts) hosts.append(py::make_tuple(host.x, host.y, host.name, host.is_gateway));
    row["hosts"] = hosts;
    row["port"] = site.has_port ? py::object(py::make_tuple(site.port_x, site.port_y)) : py::object(py::none());
    sites.append(row);
  }
  for (const DrawnPlace& place : drawing.crossings) crossings.append(py::make_tuple(place.x, place.y));
  for (const DrawnWire& wire : drawing.wires)
    wires.append(py::make_tuple(wire.from_x, wire.from_y, wire.to_x, wire.to_y, wire.width));
  for (const DrawnLabel& label : drawing.labels) labels.append(py::make_tuple(label.x, label.y, label.lines));
  py::dict result;
  result["width"] = drawing.width;
  result["height"] = drawing.height;
  result["sites"] = sites;
  result["crossings"] = crossings;
  result["wires"] = wires;
  result["labels"] = labels;
  result["notes"] = drawing.notes;
  return result;
}

}  // namespace isthmus::python
