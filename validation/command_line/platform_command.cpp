// isthmus platform: the network that isthmus read from a platform file; platforms from tables and graphs.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/errors.hpp"
#include "algorithms/network/conditions_file.hpp"
#include "algorithms/network/link_names.hpp"
#include "algorithms/network/network_json.hpp"
#include "algorithms/process/whole_file.hpp"
#include "algorithms/text/printable.hpp"
#include "emulator/plan/congestion_control.hpp"
#include "emulator/plan/host_names.hpp"
#include "emulator/plan/plan.hpp"
#include "emulator/substrates/substrate.hpp"
#include "platforms/wide_area/from_graphml.hpp"
#include "platforms/wide_area/from_tables.hpp"
#include "platforms/wide_area/wide_area.hpp"
#include "validation/command_line/commands.hpp"
#include "validation/command_line/options/choices.hpp"
#include "validation/command_line/options/output.hpp"
#include "validation/command_line/options/run_options.hpp"
#include "validation/text/describe.hpp"
#include "validation/text/tables.hpp"

namespace isthmus::command_line {

namespace {

/// The options that make a platform from tables or from a graph.
struct PlatformSource {
  std::vector<std::string> tables;  ///< latency, throughput, perhaps price
  std::string graph, sites, output, name;
  int hosts = 4, zones = 1;
  std::string host_bandwidth = "10Gbps", host_latency = "25us", exit = "none", entrance = "none";
  std::string zone_bandwidth = "10Gbps", zone_latency = "250us";
  std::string line_bandwidth, line_latency;
  bool rates_per_host = false, symmetric = false;

  bool given() const { return !tables.empty() || !graph.empty(); }
};

std::string base_name(const std::string& file) { return printable(std::filesystem::path(file).filename().string()); }

WideArea from_tables(const PlatformSource& source, const SiteOptions& options) {
  SiteTables tables{read_site_table(source.tables[0], Quantity::latency, source.symmetric),
                    read_site_table(source.tables[1], Quantity::bandwidth, source.symmetric),
                    {},
                    {}};
  if (source.tables.size() > 2) tables.price = read_site_table(source.tables[2], Quantity::price, source.symmetric);
  if (!source.sites.empty()) tables.rows = read_site_rows(source.sites);
  WideArea area = wide_area_of(tables, options);
  std::string files = base_name(source.tables[0]) + ", " + base_name(source.tables[1]);
  if (source.tables.size() > 2) files += ", " + base_name(source.tables[2]);
  if (!source.sites.empty()) files += ", " + base_name(source.sites);
  area.remarks = {fmt::format("Made by `isthmus platform` from {}.", files)};
  return area;
}

WideArea from_graph(const PlatformSource& source, const SiteOptions& options) {
  for (const auto& [option, rate] : {std::pair("--host-bandwidth", options.host_bandwidth),
                                     std::pair("--exit", options.exit), std::pair("--entrance", options.entrance)})
    if (rate.kind == SiteRate::Kind::largest)
      throw BadInput(fmt::format("{}: `largest` is read from tables; a rate would be right for a graph", option));
  GraphOptions graph;
  const auto cap = [](const SiteRate& rate) {
    return rate.kind == SiteRate::Kind::given ? std::optional(rate.bandwidth_Bps) : std::nullopt;
  };
  graph.site = {"",
                options.hosts,
                options.host_bandwidth.bandwidth_Bps,
                options.host_latency_s,
                cap(options.exit),
                cap(options.entrance),
                options.zones,
                options.zone_bandwidth_Bps,
                options.zone_latency_s};
  if (!source.line_bandwidth.empty())
    graph.line_bandwidth_Bps = parse_quantity("--line-bandwidth", Quantity::bandwidth, source.line_bandwidth);
  if (!source.line_latency.empty())
    graph.line_latency_s = parse_quantity("--line-latency", Quantity::latency, source.line_latency);
  WideArea area = wide_area_of_graphml(source.graph, graph);
  area.remarks.insert(area.remarks.begin(),
                      fmt::format("Made by `isthmus platform` from {}.", base_name(source.graph)));
  return area;
}

void add_platform_source(CLI::App& command, PlatformSource& source) {
  CLI::Option* tables =
      command
          .add_option(
              "--from-table", source.tables,
              "make a platform from tables in CSV of each ordered pair of sites: latency, throughput, perhaps price")
          ->expected(2, 3)
          ->type_name("LATENCY THROUGHPUT [PRICE]");
  CLI::Option* graph =
      command.add_option("--graphml", source.graph, "make a platform from a graph of the Internet Topology Zoo")
          ->excludes(tables);
  command.add_option("-o,--output", source.output,
                     "the file to write: the platform of --from-table or --graphml, or what --format csv or json "
                     "prints; default: standard output");
  command.add_option("--name", source.name, "the platform's name; default: that of the output file");
  command.add_option("--hosts", source.hosts, "hosts of each site, or of each zone")
      ->capture_default_str()
      ->check(CLI::Range(1, max_hosts));
  command
      .add_option("--host-bandwidth", source.host_bandwidth, "of each host's link; or `largest` of the site's rates")
      ->capture_default_str();
  command.add_option("--host-latency", source.host_latency, "of each host's link")->capture_default_str();
  command.add_option("--exit", source.exit, "what leaves a site: at most this rate, `largest` of its rates, or `none`")
      ->capture_default_str();
  command.add_option("--entrance", source.entrance, "what enters a site, likewise")->capture_default_str();
  CLI::Option* zones = command.add_option("--zones", source.zones, "zones of each site, a level between site and host")
                           ->capture_default_str()
                           ->check(CLI::Range(1, 1024));
  command.add_option("--zone-bandwidth", source.zone_bandwidth, "of the link of each zone")
      ->capture_default_str()
      ->needs(zones);
  command.add_option("--zone-latency", source.zone_latency, "of the link of each zone")
      ->capture_default_str()
      ->needs(zones);
  command
      .add_option("--sites", source.sites,
                  "a table of sites: site, hosts, host_Gbps, exit_Gbps, entrance_Gbps, instead of the options")
      ->needs(tables);
  command
      .add_flag("--rates-per-host", source.rates_per_host,
                "the table's rates are of one host: lines have them times hosts")
      ->needs(tables);
  command.add_flag("--symmetric", source.symmetric, "a pair that stands in one direction only holds in both")
      ->needs(tables);
  command.add_option("--line-bandwidth", source.line_bandwidth, "with --graphml: of edges without LinkSpeedRaw")
      ->needs(graph);
  command.add_option("--line-latency", source.line_latency, "with --graphml: of edges with an end without coordinates")
      ->needs(graph);
}

WideArea wide_area_from(const PlatformSource& source) {
  SiteOptions options;
  options.hosts = source.hosts;
  options.host_bandwidth = parse_site_rate("--host-bandwidth", source.host_bandwidth);
  if (options.host_bandwidth.kind == SiteRate::Kind::none)
    throw BadInput("--host-bandwidth: `none`; a rate like 10Gbps, or `largest`, would be right");
  options.host_latency_s = parse_quantity("--host-latency", Quantity::latency, source.host_latency);
  options.exit = parse_site_rate("--exit", source.exit);
  options.entrance = parse_site_rate("--entrance", source.entrance);
  options.rates_per_host = source.rates_per_host;
  options.zones = source.zones;
  options.zone_bandwidth_Bps = parse_quantity("--zone-bandwidth", Quantity::bandwidth, source.zone_bandwidth);
  options.zone_latency_s = parse_quantity("--zone-latency", Quantity::latency, source.zone_latency);
  WideArea area = source.graph.empty() ? from_tables(source, options) : from_graph(source, options);
  for (std::string& text : assumptions(options, source.graph.empty())) area.remarks.push_back(std::move(text));
  const std::string from = source.output.empty() ? "sites" : source.output;
  area.name = source.name.empty() ? std::filesystem::path(from).stem().string() : source.name;
  return area;
}

std::string links_csv(const Network& network) {
  const std::vector<bool> wide = wide_area_links(network);
  std::string text = "link,bandwidth_Bps,latency_s,sharing,wide_area,price_per_GB\n";
  for (std::size_t i = 0; i < network.links.size(); ++i) {
    const Link& link = network.links[i];
    text +=
        fmt::format("{},{},{},{},{},{}\n", csv_field(link.name), link.bandwidth_Bps, link.latency_s,
                    link.sharing == Sharing::shared ? "shared" : "fatpipe", wide[i] ? "yes" : "no", link.price_per_GB);
  }
  return text;
}

/// Writes the text into the file; without one, to standard output.
void print_or_write(const std::string& text, const std::string& file) {
  if (file.empty()) {
    fmt::print("{}", text);
  } else {
    write_whole_file(file, text);
  }
}

void write_platform(const PlatformSource& source) {
  if (source.output.ends_with(".json"))
    throw BadInput(
        fmt::format("-o {}: a platform is written in XML; a name that ends in .xml would be right, of which `isthmus "
                    "platform FILE --format json` makes JSON",
                    excerpt(source.output)));
  check_outputs({source.output}, source.tables);
  check_outputs({source.output}, {source.graph, source.sites});
  print_or_write(platform_xml(wide_area_from(source)), source.output);
}

}  // namespace

void add_platform(CLI::App& program) {
  CLI::App* command =
      program.add_subcommand("platform", "sites, hosts, links, routes; problems in the file with their line");
  auto options = std::make_shared<RunOptions>();
  auto format = std::make_shared<std::string>("table");
  add_platform_option(*command, *options)->required(false);
  auto source = std::make_shared<PlatformSource>();
  add_platform_source(*command, *source);
  command
      ->add_option(
          "--format", *format,
          "table; csv, a line for each link; or json: the network that other commands can read in place of the "
          "XML")
      ->check(one_of({"table", "csv", "json"}));
  auto emulation = std::make_shared<bool>(false);
  auto substrate = std::make_shared<std::string>("virtual");
  command->add_flag("--emulation", *emulation,
                    "print what `isthmus emulate` would set up: containers, cables, addresses, routes, queues");
  command->add_option("--substrate", *substrate, "with --emulation: " + alternatives(substrate_names()))
      ->capture_default_str()
      ->check(one_of(substrate_names()));
  auto conditions = std::make_shared<std::string>();
  command->add_option("--conditions", *conditions,
                      "with --emulation: JSON file of loss and TCP settings, by which connections are counted");
  command->callback([command, options, source, format, emulation, substrate, conditions] {
    if (source->given() != options->platform.empty())
      throw BadInput("PLATFORM, or --from-table or --graphml to make one; one of them would be right");
    if (source->given()) {
      if (!options->set_links.empty())
        throw BadInput("--set: changes links of a PLATFORM; the file that is made here would be right");
      if (*emulation || *format != "table")
        throw BadInput(fmt::format("{} reads a PLATFORM; the file that is made here would be right",
                                   *emulation ? "--emulation" : fmt::format("--format {}", *format)));
      return write_platform(*source);
    }
    refuse_without(*command,
                   {"--name", "--hosts", "--host-bandwidth", "--host-latency", "--exit", "--entrance", "--zones"},
                   "--from-table or --graphml");
    if (!*emulation) refuse_without(*command, {"--conditions", "--substrate"}, "--emulation");
    const Network network = read_platform_with_warnings(*options);
    if (!source->output.empty() && (*emulation || *format == "table"))
      throw BadInput(
          "--output writes what --format csv or json prints, or the platform of --from-table or --graphml; one of "
          "these "
          "would be right");
    if (*emulation) {
      const SubstrateKind& kind = substrate_kind(*substrate);
      PlanOptions plan_options{kind.shaping, {}};
      if (!conditions->empty()) plan_options.conditions = read_conditions(*conditions);
      check_congestion_control(plan_options.conditions.tcp, kind.congestion_controls());
      plan_options.conditions = with_emulated_names(std::move(plan_options.conditions), network);
      const Network inside = with_emulated_names(network);
      const EmulationPlan plan = plan_emulation(inside, place_ranks(inside, PlacementRule::block, 1), plan_options);
      fmt::print("{}", to_text(plan, inside));
      return;
    }
    if (*format == "table") return print_network(network);
    check_network_outputs({source->output}, options->platform);
    print_or_write(*format == "json" ? to_json(network).dump(1) + "\n" : links_csv(network), source->output);
  });
}

}  // namespace isthmus::command_line
