#include "platforms/wide_area/from_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "algorithms/errors.hpp"
#include "algorithms/text/counted.hpp"
#include "algorithms/text/printable.hpp"

namespace isthmus {
namespace {

using Numbers = std::map<std::string, std::size_t>;

Numbers numbers_of(const SiteTable& table) {
  Numbers numbers;
  for (std::size_t i = 0; i < table.size(); ++i) numbers.emplace(table.sites[i], i);
  return numbers;
}

/// The number in `table` of each site of `latency`. Both must have the same sites.
std::vector<std::size_t> places_in(const SiteTable& table, const SiteTable& latency, std::string_view what) {
  const Numbers here = numbers_of(table), there = numbers_of(latency);
  std::vector<std::size_t> places;
  for (const std::string& site : latency.sites) {
    const auto found = here.find(site);
    if (found == here.end()) {
      throw BadInput(fmt::format("site {} has latencies and no {}; the same sites in all tables would be right",
                                 excerpt(site), what));
    }
    places.push_back(found->second);
  }
  for (const std::string& site : table.sites) {
    if (there.find(site) == there.end()) {
      throw BadInput(fmt::format("site {} has {} and no latencies; the same sites in all tables would be right",
                                 excerpt(site), what));
    }
  }
  return places;
}

class TableArea {
 public:
  TableArea(const SiteTables& tables, const SiteOptions& options)
      : tables_(tables), options_(options), places_(places_in(tables.bandwidth, tables.latency, "bandwidths")) {}

  WideArea make() {
    const std::size_t n = tables_.latency.size();
    for (std::size_t i = 0; i < n; ++i) add_site(i);
    std::vector<std::size_t> price_places;
    if (tables_.price) price_places = places_in(*tables_.price, tables_.latency, "prices");
    for (std::size_t from = 0; from < n; ++from) {
      for (std::size_t to = 0; to < n; ++to) {
        if (from == to) continue;
        WideAreaLine line;
        line.from = static_cast<int>(from);
        line.to = static_cast<int>(to);
        line.bandwidth_Bps = bandwidth_Bps(from, to) * std::min(machines(from), machines(to));
        line.latency_s = tables_.latency.at(from, to);
        if (tables_.price) line.price_per_GB = tables_.price->at(price_places[from], price_places[to]);
        area_.routes.push_back({line.from, line.to, {static_cast<int>(area_.lines.size())}});
        area_.lines.push_back(line);
      }
    }
    return std::move(area_);
  }

 private:
  double bandwidth_Bps(std::size_t from, std::size_t to) const {
    return tables_.bandwidth.at(places_[from], places_[to]);
  }

  double largest_from(std::size_t site) const {
    double largest = 0;
    for (std::size_t to = 0; to < places_.size(); ++to) largest = std::max(largest, bandwidth_Bps(site, to));
    return largest;
  }
  double largest_to(std::size_t site) const {
    double largest = 0;
    for (std::size_t from = 0; from < places_.size(); ++from) largest = std::max(largest, bandwidth_Bps(from, site));
    return largest;
  }

  /// By how much the site's rates are multiplied.
  double machines(std::size_t site) const {
    return options_.rates_per_host ? area_.sites[site].hosts * area_.sites[site].zones : 1;
  }

  static std::optional<double> resolved(const SiteRate& rate, double largest_Bps) {
    if (rate.kind == SiteRate::Kind::none) return {};
    return rate.kind == SiteRate::Kind::largest ? largest_Bps : rate.bandwidth_Bps;
  }

  void add_site(std::size_t number) {
    WideAreaSite& site = area_.sites.emplace_back();
    site.name = tables_.latency.sites[number];
    const auto row = std::find_if(tables_.rows.begin(), tables_.rows.end(),
                                  [&](const SiteRow& one) { return one.site == site.name; });
    const SiteRow own = row == tables_.rows.end() ? SiteRow() : *row;
    site.hosts = own.hosts.value_or(options_.hosts);
    site.zones = options_.zones;
    site.zone_bandwidth_Bps = options_.zone_bandwidth_Bps;
    site.zone_latency_s = options_.zone_latency_s;
    site.host_latency_s = options_.host_latency_s;
    const double largest_Bps = std::max(largest_from(number), largest_to(number));
    site.host_bandwidth_Bps = own.host_bandwidth_Bps.value_or(*resolved(options_.host_bandwidth, largest_Bps));
    const double all = machines(number);
    site.exit_Bps = own.exit_Bps ? own.exit_Bps : resolved(options_.exit, largest_from(number));
    site.entrance_Bps = own.entrance_Bps ? own.entrance_Bps : resolved(options_.entrance, largest_to(number));
    if (site.exit_Bps) *site.exit_Bps *= all;
    if (site.entrance_Bps) *site.entrance_Bps *= all;
  }

  const SiteTables& tables_;
  const SiteOptions& options_;
  std::vector<std::size_t> places_;  // of each site in the table of bandwidths
  WideArea area_;
};

std::string limit_text(const SiteRate& rate, std::string_view direction) {
  switch (rate.kind) {
    case SiteRate::Kind::none:
      return "no limit";
    case SiteRate::Kind::largest:
      return fmt::format("at most the largest rate that the table has {} the site", direction);
    case SiteRate::Kind::given:
      break;
  }
  return fmt::format("at most {} B/s", rate.bandwidth_Bps);
}

}  // namespace

SiteRate parse_site_rate(const std::string& option, const std::string& text) {
  if (text == "none") return {};
  if (text == "largest") return {SiteRate::Kind::largest, 0};
  return {SiteRate::Kind::given, parse_quantity(option, Quantity::bandwidth, text)};
}

WideArea wide_area_of(const SiteTables& tables, const SiteOptions& options) {
  for (const SiteRow& row : tables.rows) {
    const auto& sites = tables.latency.sites;
    if (std::find(sites.begin(), sites.end(), row.site) == sites.end())
      throw BadInput(fmt::format("site {} has a row of its own and no latencies; a site of the tables would be right",
                                 excerpt(row.site)));
  }
  return TableArea(tables, options).make();
}

std::vector<std::string> assumptions(const SiteOptions& options, bool of_tables) {
  const std::string hosts = fmt::format("{} a {}", counted(options.hosts, "host"), options.zones > 1 ? "zone" : "site");
  const std::string zones = options.zones == 1
                                ? std::string()
                                : fmt::format("{} zones a site, each on a full-duplex link of {} B/s and {} s; ",
                                              options.zones, options.zone_bandwidth_Bps, options.zone_latency_s);
  const std::string rate = options.host_bandwidth.kind == SiteRate::Kind::largest
                               ? "the largest rate that the table has from or to its site"
                               : fmt::format("{} B/s", options.host_bandwidth.bandwidth_Bps);
  std::vector<std::string> texts{
      fmt::format(
          "Sites, where a table of sites does not say otherwise: {}{}, each on a full-duplex link of {} and {} s.",
          zones, hosts, rate, options.host_latency_s),
      fmt::format("All that leaves a site together: {}. All that enters it: {}.", limit_text(options.exit, "from"),
                  limit_text(options.entrance, "to"))};
  if (!of_tables) return texts;
  texts.emplace_back(
      options.rates_per_host
          ? "The table's rates are those of one host: a line has them times the hosts of its smaller end, "
            "exit and entrance times the hosts of the site."
          : "The table's rates are those of the whole site.");
  return texts;
}

}  // namespace isthmus
