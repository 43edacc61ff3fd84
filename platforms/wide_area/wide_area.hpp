// A wide area: sites, the lines between them, and the SimGrid platform that describes both.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace isthmus {

/// One site. `exit_Bps` and `entrance_Bps` limit what leaves and enters it, over all lines together; none: no limit.
/// With `zones` of 2 or more the hosts are those of each zone, and a full-duplex link joins each zone to the site's
/// gateway.
struct WideAreaSite {
  std::string name;
  int hosts = 4;
  double host_bandwidth_Bps = 1.25e9;  ///< of the link of each host, each way
  double host_latency_s = 25e-6;
  std::optional<double> exit_Bps, entrance_Bps;
  int zones = 1;
  double zone_bandwidth_Bps = 0;
  double zone_latency_s = 0;
};

/// A line from one site to another, in this direction only. Messages occupy it in turn.
struct WideAreaLine {
  int from = 0, to = 0;
  double bandwidth_Bps = 0;
  double latency_s = 0;
  std::optional<double> price_per_GB;  ///< of 1e9 bytes, in whatever currency the source uses
};

/// What a message crosses between two sites: numbers of lines, in order.
struct SiteRoute {
  int from = 0, to = 0;
  std::vector<int> lines;
};

struct WideArea {
  std::string name;
  std::vector<std::string> remarks;  ///< sources and assumptions, for the comment at the top of the file
  std::vector<WideAreaSite> sites;
  std::vector<WideAreaLine> lines;
  std::vector<SiteRoute> routes;  ///< of each ordered pair of sites
};

/// What may stand in the name of a zone, host or link, in options, patterns and names of files: of ASCII letters,
/// digits, `.`, `_` and `-`, beyond it all of UTF-8 but controls and blanks. Other characters become `-`, one for
/// several in a row and the hyphens beside them: the comment, which has the names that were changed, cannot hold `--`.
std::string element_name(const std::string& text);

/// The platform file. Its comment has the remarks, and the sites whose names element_name() changed. Throws BadInput
/// naming the sites if two elements would have the same name.
std::string platform_xml(const WideArea& area);

}  // namespace isthmus
