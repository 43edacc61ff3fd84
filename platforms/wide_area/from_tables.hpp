// A wide area from tables: latencies, bandwidths and prices between sites, and what is known of each site.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platforms/wide_area/site_table.hpp"
#include "platforms/wide_area/wide_area.hpp"

namespace isthmus {

/// A bandwidth of a site: none, a rate, or the largest one that the table has from or to the site.
struct SiteRate {
  enum class Kind { none, largest, given };
  Kind kind = Kind::none;
  double bandwidth_Bps = 0;
};

/// `none`, `largest`, or a rate like `10Gbps`. Throws BadInput that begins with the name of the option.
SiteRate parse_site_rate(const std::string& option, const std::string& text);

/// What holds for every site whose row of the table of sites does not say otherwise.
struct SiteOptions {
  int hosts = 4;
  SiteRate host_bandwidth{SiteRate::Kind::given, 1.25e9};
  double host_latency_s = 25e-6;
  SiteRate exit, entrance;
  /// The bandwidths between sites, and `largest`, are those of one host: lines, exits and entrances have them times the
  /// number of hosts of the smaller end.
  bool rates_per_host = false;
  int zones = 1;
  double zone_bandwidth_Bps = 1.25e9, zone_latency_s = 250e-6;
};

inline constexpr int max_hosts = 1 << 20;  ///< of one site

/// One row of a table of sites; empty: as the options say.
struct SiteRow {
  std::string site;
  std::optional<int> hosts;
  std::optional<double> host_bandwidth_Bps, exit_Bps, entrance_Bps;
};

/// Reads `site,hosts,host_Gbps,exit_MBps,entrance_MBps`: columns in any order, all but `site` may be absent, cells may
/// be empty. Throws BadInput with line and column.
std::vector<SiteRow> read_site_rows(const std::string& file);

struct SiteTables {
  SiteTable latency, bandwidth;
  std::optional<SiteTable> price;
  std::vector<SiteRow> rows;
};

/// One line and one route for each ordered pair of sites, in the order of the table of latencies. Throws BadInput
/// naming a site that is not in all tables.
WideArea wide_area_of(const SiteTables& tables, const SiteOptions& options);

/// What the options assume, in sentences; those about rates only if these come from tables.
std::vector<std::string> assumptions(const SiteOptions& options, bool of_tables);

}  // namespace isthmus
