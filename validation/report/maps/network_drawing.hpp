// The picture of a network as boxes, dots, lines and texts at their places: the report writes it as SVG, Python draws
// it with matplotlib.
#pragma once

#include <string>
#include <vector>

#include "algorithms/network/network.hpp"

namespace isthmus {

struct DrawnHost {
  double x = 0, y = 0;
  std::string name;
  bool is_gateway = false;
};

/// A box around its middle. The port is where its links leave it.
struct DrawnSite {
  std::string name;
  std::string note;  ///< latency and bandwidth between two of its hosts, or their number
  double x = 0, y = 0, width = 0, height = 0;
  std::vector<DrawnHost> hosts = {};
  bool has_port = false;
  double port_x = 0, port_y = 0;
};

struct DrawnPlace {
  double x = 0, y = 0;
};

/// A link between sites; wider is faster.
struct DrawnWire {
  double from_x = 0, from_y = 0, to_x = 0, to_y = 0;
  double width = 0;
  std::string note;  ///< ends and figures; empty for a line without figures
};

/// Lines of text around their middle.
struct DrawnLabel {
  double x = 0, y = 0, width = 0, height = 0;
  std::vector<std::string> lines;
};

/// In units of a hundredth of an inch or so; y points down.
struct NetworkDrawing {
  double width = 0, height = 0;
  std::vector<DrawnSite> sites;
  std::vector<DrawnPlace> crossings;  ///< where links meet outside the sites
  std::vector<DrawnWire> wires;
  std::vector<DrawnLabel> labels;
  std::vector<std::string> notes;  ///< sentences on what the picture omits
};

inline constexpr double label_line_height = 14;

/// The sites and lines of site_map(); a platform without zones is one site. No label covers another, a site or a
/// crossing; those that have no room are left out, and the notes say so.
NetworkDrawing network_drawing(const Network& network);

}  // namespace isthmus
