#include "validation/report/maps/network_picture.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "algorithms/text/counted.hpp"
#include "validation/report/maps/network_drawing.hpp"

namespace isthmus {
namespace {

Element square(double x, double y) {
  return Element("rect")
      .set("class", "gateway")
      .set("x", x - 5)
      .set("y", y - 5)
      .set("width", 10.0)
      .set("height", 10.0)
      .set("rx", 2.0);
}

Element draw_site(const DrawnSite& site) {
  Element group("g");
  const double top = site.y - site.height / 2;
  group.add(Element("rect")
                .set("class", "site")
                .set("x", site.x - site.width / 2)
                .set("y", top)
                .set("width", site.width)
                .set("height", site.height)
                .set("rx", 10.0));
  group.add(svg_text(site.x, top + 19, site.name, "middle", "site-name"));
  for (const DrawnHost& host : site.hosts)
    group.add(Element("g")
                  .set("class", "point")
                  .set("data-note", host.name + (host.is_gateway ? ", a gateway" : ""))
                  .add(Element("circle")
                           .set("class", host.is_gateway ? "host gateway" : "host")
                           .set("cx", host.x)
                           .set("cy", host.y)
                           .set("r", 6.0)));
  group.add(svg_text(site.x, top + site.height - 10, site.note, "middle", "small"));
  if (site.has_port) group.add(square(site.port_x, site.port_y));
  return group;
}

}  // namespace

NetworkPicture draw_network(const Network& network) {
  const NetworkDrawing drawing = network_drawing(network);
  NetworkPicture picture;
  picture.svg.set("style", fmt::format("max-width: {:.0f}px", std::min(760.0, 1.2 * drawing.width)));
  picture.svg.set("viewBox", fmt::format("0 0 {:.0f} {:.0f}", drawing.width, drawing.height))
      .set("class", "network")
      .set("role", "img");
  picture.svg.set("aria-label",
                  fmt::format("{}: {}, {}, {} between sites", network.name, counted(drawing.sites.size(), "site"),
                              counted(network.hosts.size(), "host"), counted(drawing.wires.size(), "link")));
  for (const DrawnWire& wire : drawing.wires) {
    Element group("g");
    if (!wire.note.empty()) group.set("class", "point").set("data-note", wire.note);
    picture.svg.add(group.add(svg_line(wire.from_x, wire.from_y, wire.to_x, wire.to_y, "wan")
                                  .set("style", fmt::format("stroke-width: {:.1f}px", wire.width))));
  }
  for (const DrawnPlace& at : drawing.crossings)
    picture.svg.add(Element("circle").set("class", "gateway").set("cx", at.x).set("cy", at.y).set("r", 6.0));
  for (const DrawnSite& site : drawing.sites) picture.svg.add(draw_site(site));
  for (const DrawnLabel& label : drawing.labels)
    picture.svg.add(Element("rect")
                        .set("class", "label-ground")
                        .set("x", label.x - label.width / 2)
                        .set("y", label.y - label.height / 2)
                        .set("width", label.width)
                        .set("height", label.height));
  for (const DrawnLabel& label : drawing.labels)
    for (std::size_t i = 0; i < label.lines.size(); ++i) {
      const double line = static_cast<double>(i) - (static_cast<double>(label.lines.size()) - 1) / 2;
      picture.svg.add(
          svg_text(label.x, label.y + 4 + line * label_line_height, label.lines[i], "middle", "small label-text"));
    }

  picture.caption = counted(drawing.sites.size(), "site") + ", " + counted(network.hosts.size(), "host") + ".";
  if (std::ranges::any_of(drawing.sites, &DrawnSite::has_port))
    picture.caption += " Small squares: where the links between sites enter.";
  if (!drawing.crossings.empty()) picture.caption += " Round dots: where links meet outside the sites.";
  for (const std::string& note : drawing.notes) picture.caption += " " + note;
  return picture;
}

}  // namespace isthmus
