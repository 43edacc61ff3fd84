// The sites of a network and the links between them, as a map draws them: a line for each direct link, none for pairs
// of sites that reach each other through other sites.
#pragma once

#include <string>
#include <vector>

#include "algorithms/network/network.hpp"

namespace isthmus {

struct MapSite {
  std::string name;
  std::vector<int> hosts;
};

/// A line from a site to another site or to a crossing. Crossings are numbered after the sites.
struct SiteLine {
  int from = 0, to = 0;
  bool has_figures = false;  ///< false if the site has no link of its own to the crossing
  double latency_s = 0;
  double bandwidth_Bps = 0;
  double back_latency_s = 0;
  double back_bandwidth_Bps = 0;
  std::string text;  ///< `10 ms, 1 MB/s`; both directions where they differ
};

/// A place where links meet outside of sites: a router without hosts, or a link that several routes share.
struct MapCrossing {
  std::vector<int> sites;
  std::string text;  ///< figures of the links that all its pairs of sites share; may be empty
};

/// The most that all lines of a site together carry, where an exit or entrance that they share is slower than their
/// sum; infinite where none is.
struct SiteLimit {
  int site = 0;
  double out_Bps = 0, in_Bps = 0;
  bool is_one_link = false;  ///< for both directions together
};

struct SiteMap {
  std::vector<MapSite> sites;
  std::vector<MapCrossing> crossings;
  std::vector<SiteLine> lines;
  std::vector<SiteLimit> limits;  ///< of the sites whose exits and entrances no line shows
};

/// Sites are the outermost zones. A route between two sites is that of their first hosts, without links of one host.
SiteMap site_map(const Network& network);

}  // namespace isthmus
