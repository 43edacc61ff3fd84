// The sites of a network and the links between them, as a map draws them: a line for each link that there is, and none
// for what is reached through other sites.
#pragma once

#include <string>
#include <vector>

#include "algorithms/network/network.hpp"

namespace isthmus {

struct MapSite {
  std::string name;
  std::vector<int> hosts;
};

/// A line from a site to another, or to a crossing: a number from the number of sites on.
struct SiteLine {
  int from = 0, to = 0;
  bool has_figures = false;  ///< false where a site has no link to the crossing that is its own
  double latency_s = 0;
  double bandwidth_Bps = 0;
  std::string text;  ///< `10 ms, 1 MB/s`; both directions where they differ
};

/// Where links meet that no site owns: a router without hosts, or a link that all share.
struct MapCrossing {
  std::vector<int> sites;
  std::string text;  ///< of the links that all its pairs of sites share; may be empty
};

struct SiteMap {
  std::vector<MapSite> sites;
  std::vector<MapCrossing> crossings;
  std::vector<SiteLine> lines;
};

/// Sites are the outermost zones. Routes are those between their first hosts, without the links that are a host's own.
SiteMap site_map(const Network& network);

}  // namespace isthmus
