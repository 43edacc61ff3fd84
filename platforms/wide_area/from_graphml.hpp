// A wide area from a graph in GraphML, as the Internet Topology Zoo writes them.
#pragma once

#include <optional>
#include <string>

#include "platforms/wide_area/wide_area.hpp"

namespace isthmus {

/// `site` holds for every node. The others hold for edges without LinkSpeedRaw, or with an end without coordinates;
/// none: such an edge is refused.
struct GraphOptions {
  WideAreaSite site;
  std::optional<double> line_bandwidth_Bps, line_latency_s;
};

/// The great circle's distance in metres over a sphere of the earth's mean radius; degrees.
double distance_m(double latitude_a, double longitude_a, double latitude_b, double longitude_b);

/// Reads nodes (`label`, `Latitude`, `Longitude`) and edges (`LinkSpeedRaw`, bits per second). A node is a site, an
/// edge a line in either direction with the bandwidth of the edge and the latency of the distance at two thirds of the
/// speed of light. Parallel edges are one line of their bandwidths together. A message takes the route of the least
/// latency. Throws BadInput `FILE:LINE: what`: no GraphML, a node without a label or with that of another, an edge to
/// no node, no bandwidth or coordinates, nodes that cannot reach each other.
WideArea wide_area_of_graphml(const std::string& file, const GraphOptions& options);

}  // namespace isthmus
