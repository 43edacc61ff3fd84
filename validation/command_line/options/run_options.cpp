#include "validation/command_line/options/run_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <string_view>

#include "algorithms/errors.hpp"
#include "algorithms/network/conditions_file.hpp"
#include "algorithms/network/network_json.hpp"
#include "algorithms/process/whole_file.hpp"
#include "algorithms/text/counted.hpp"
#include "algorithms/text/lines.hpp"
#include "algorithms/text/near_matches.hpp"
#include "algorithms/text/printable.hpp"
#include "algorithms/topology/topology_file.hpp"
#include "emulator/substrates/substrate.hpp"
#include "platforms/link_settings.hpp"
#include "platforms/reader.hpp"
#include "validation/command_line/options/choices.hpp"
#include "validation/command_line/options/output.hpp"
#include "validation/text/units.hpp"

namespace isthmus::command_line {
namespace {

/// Reads a placement file: one host name a line, for rank 0, 1 ...; empty lines and lines that begin with # are
/// skipped. Of the hosts `ranks` take part, the first ones; 0: all.
Placement placement_from(const std::string& file, const Network& network, int ranks_per_host, int ranks) {
  const std::string text = read_whole_file(file, "--placement takes `block`, `cyclic` or a file with a host a line");
  std::map<std::string, int, std::less<>> hosts;
  for (std::size_t host = 0; host < network.hosts.size(); ++host)
    hosts[network.hosts[host].name] = static_cast<int>(host);
  Placement placement;
  std::vector<int> used(network.hosts.size());
  int number = 0;
  for (const std::string_view line : lines_of(text)) {
    ++number;
    if (line.empty() || line[0] == '#') continue;
    if (ranks > 0 && placement.size() == ranks) break;
    const auto host = hosts.find(line);
    if (host == hosts.end())
      throw BadInput(fmt::format("{}:{}: no host `{}` in {}", file, number, excerpt(line), network.name));
    if (network.hosts[host->second].gateway)
      throw BadInput(fmt::format("{}:{}: {} is a gateway and runs no rank", file, number, line));
    if (++used[host->second] > ranks_per_host)
      throw BadInput(fmt::format("{}:{}: more than {} on {} (--ranks-per-host)", file, number,
                                 counted(ranks_per_host, "rank"), line));
    placement.host_of_rank.push_back(host->second);
  }
  if (placement.size() == 0) throw BadInput(fmt::format("{}: no host in it", file));
  if (ranks > placement.size())
    throw BadInput(fmt::format("--ranks {}: {} has {}; at most {} would be right", ranks, file,
                               counted(placement.size(), "host"), placement.size()));
  return placement;
}

/// Replaces the platform's zones by the groups that the file gives the ranks.
void regroup(Network& network, const Placement& placement, const std::string& file) {
  const Topology topology = read_topology(file);
  if (topology.size() != placement.size())
    throw BadInput(
        fmt::format("--topology {}: it has groups of {}; groups of {}, as many as are placed, would be right", file,
                    counted(topology.size(), "rank"), counted(placement.size(), "rank")));
  std::vector<bool> placed(network.hosts.size());
  for (int rank = 0; rank < placement.size(); ++rank) {
    std::vector<ZoneStep> zones;
    for (int group = topology.innermost(rank); group != 0; group = topology.group(group).parent)
      zones.insert(zones.begin(), {fmt::format("level{}", topology.group(group).level), topology.group(group).name});
    const int number = placement.host_of_rank[rank];
    Host& host = network.hosts[number];
    const auto same = [](const ZoneStep& a, const ZoneStep& b) { return a.name == b.name; };
    if (placed[number] && !std::equal(zones.begin(), zones.end(), host.zones.begin(), host.zones.end(), same))
      throw BadInput(
          fmt::format("--topology {}: rank {} is on host {} with ranks of another group; ranks of one host "
                      "must be in one group",
                      file, rank, host.name));
    placed[number] = true;
    host.zones = std::move(zones);
  }
}

std::vector<std::int64_t> sizes_of(const RunOptions& options, Collective collective) {
  const bool alone = options.whats.size() <= 1;
  if (!carries_data(collective) && (options.bytes.empty() || !alone)) return {0};
  if (!options.bytes.empty()) {
    std::vector<std::int64_t> sizes = parse_sizes(options.bytes);
    if (!carries_data(collective) && std::ranges::any_of(sizes, [](std::int64_t bytes) { return bytes != 0; }))
      throw BadInput(fmt::format("--bytes {}: a {} carries no data; leaving --bytes out would be right", options.bytes,
                                 name(collective)));
    return sizes;
  }
  throw BadInput(fmt::format("--bytes is missing; sizes for {}, e.g. 1,64Ki,4Mi, would be right", name(collective)));
}

}  // namespace

Network read_platform_with_warnings(const RunOptions& options) {
  Network network = read_platform(options.platform);
  std::vector<LinkSetting> settings;
  for (const std::string& text : options.set_links) settings.push_back(parse_link_setting(text));
  set_links(network, settings);
  print_notes(warnings_about(network));
  return network;
}

CLI::Option* add_platform_option(CLI::App& command, RunOptions& options) {
  CLI::Option* platform =
      command.add_option("PLATFORM", options.platform, "SimGrid XML file, or a network in JSON")->required();
  add_set_option(command, options);
  return platform;
}

void add_set_option(CLI::App& command, RunOptions& options) {
  command
      .add_option("--set", options.set_links,
                  "what if: LINKS.bandwidth=VALUE or LINKS.latency=VALUE for the links of a name or pattern, e.g. "
                  "w12.bandwidth=x2, 'wan-*.latency=50ms', w12.bandwidth=+10%; may be repeated")
      ->type_name("LINKS.FIGURE=VALUE")
      ->allow_extra_args(false);
}

void add_problem_options(CLI::App& command, RunOptions& options) {
  add_platform_option(command, options);
  command.add_option("--bytes", options.bytes,
                     "sizes that the MPI call passes for one buffer or block, e.g. 1,64Ki,4MiB or 1..4Mi (1 KB is "
                     "1000 B); a barrier has none");
  add_placement_options(command, options);
  command.add_option(
      "--topology", options.topology,
      "JSON: the groups of each rank, from the outermost inwards, in place of the platform's zones, e.g. "
      R"({"ranks": [["siteA", "node1"], ["siteA", "node2"], ["siteB"]]})");
  command.add_option("--root", options.root, "rank of the root")->capture_default_str();
  command.add_flag("--non-commutative", options.non_commutative,
                   "an operator that keeps the order of ranks, for collectives that have one");
  command.add_option("--element-bytes", options.element_bytes, "size of an element")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
}

void add_plan_options(CLI::App& command, RunOptions& options) {
  add_problem_options(command, options);
  command
      .add_option(
          "WHAT", options.whats,
          "one or more COLLECTIVE[/ALGORITHM[:PARAMETERS]], e.g. broadcast/kielmann; without algorithm (or /auto) the "
          "automatic choice, with /all every algorithm that can serve the call; /mpi is the MPI's own. Further "
          "platform "
          "files may stand before them")
      ->required();
  command.add_option("--segment", options.segment, "SIZE, auto or none, for a plan that takes a segment");
}

void add_collective_options(CLI::App& command, RunOptions& options) {
  add_problem_options(command, options);
  command
      .add_option("COLLECTIVE", options.whats,
                  "one or more, e.g. allgather, or MPI_Allgather; further platform files may stand before them")
      ->required();
}

void add_placement_options(CLI::App& command, RunOptions& options) {
  command
      .add_option("--ranks-per-host", options.ranks_per_host,
                  "ranks on each host; with a file of hosts the most that one may have")
      ->capture_default_str()
      ->check(CLI::Range(1, 1 << 20));
  command
      .add_option("--ranks", options.ranks,
                  "number of ranks; default: as many as fit; with a file of hosts its first ones")
      ->check(CLI::PositiveNumber);
  command.add_option("--placement", options.placement, "block, cyclic or a file with a host a line, for rank 0, 1 ...")
      ->capture_default_str();
}

Placement placement_of(const RunOptions& options, const Network& network) {
  if (options.placement != "block" && options.placement != "cyclic")
    return placement_from(options.placement, network, options.ranks_per_host, options.ranks);
  const PlacementRule rule = options.placement == "block" ? PlacementRule::block : PlacementRule::cyclic;
  return place_ranks(network, rule, options.ranks_per_host, options.ranks);
}

std::string substrates_help() { return "auto, " + alternatives(substrate_names()); }

void add_conditions_option(CLI::App& command, RunOptions& options) {
  command.add_option("--conditions", options.conditions,
                     "JSON file: loss, jitter, links that change over time, ambient traffic, TCP settings");
}

EmulationOptions emulation_of(const RunOptions& options) {
  EmulationOptions emulation = options.emulation;
  if (!options.conditions.empty()) emulation.conditions = read_conditions(options.conditions);
  return emulation;
}

void add_repetition_options(CLI::App& command, RunOptions& options) {
  CLI::Option* most = command.add_option("--repetitions", options.repetitions, "how often each plan is timed")
                          ->capture_default_str()
                          ->check(CLI::Range(1, 10000));
  command
      .add_option("--confidence-interval", options.confidence,
                  "repeat until half the 95 % confidence interval of the median is at most this part of the median, "
                  "e.g. 0.02; at most --repetitions times (default: 100)")
      ->check(CLI::Range(1e-9, 1.0))
      ->each([&options, most](const std::string&) {
        if (most->count() == 0) options.repetitions = 100;
      });
}

void add_substrate_options(CLI::App& command, EmulationOptions& options) {
  command.add_option("--substrate", options.substrate, substrates_help())->capture_default_str();
  command
      .add_option(
          "--tolerance", options.tolerance,
          "how far the links may differ from the platform, relative, e.g. 0.05; default: what the substrate can keep")
      ->check(CLI::PositiveNumber);
}

void add_timeout_option(CLI::App& command, EmulationOptions& options) {
  command.add_option("--timeout", options.timeout_s, "seconds for the whole")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
}

void add_room_options(CLI::App& command, EmulationOptions& options) {
  command.add_option("--rootfs", options.rootfs,
                     "the file system of every emulated host: a folder with the MPI that is to run, or an OCI bundle");
  command.add_flag("--force", options.force, "run even if the estimate says that this machine has too little memory");
}

Source measuring_source(const std::string& name) {
  constexpr std::array<std::string_view, 4> names = {"model", "replay", "smpi", "emulated"};
  if (std::ranges::find(names, name) == names.end())
    throw BadInput(fmt::format("--source {}: unknown{}", excerpt(name), near_matches(name, names)));
  return name == "model" ? Source::replay : source_named(name);
}

void add_quiet_option(CLI::App& command, RunOptions& options) {
  command.add_flag("--quiet", options.quiet, "no progress on the terminal");
}

void add_output_format(CLI::App& command, std::string& format, const std::string& csv) {
  command.add_option(
      "--format", format,
      fmt::format("on standard output: table; {}; or json: the network; default: a table with -o, else json", csv));
}

Format output_format(const std::string& format, const std::string& output) {
  if (!format.empty()) return format_named(format);
  return output.empty() ? Format::json : Format::table;
}

void add_output_options(CLI::App& command, RunOptions& options) {
  command
      .add_option("--format", options.format,
                  "table, csv, json (one record a line) or osu (what OSU's micro-benchmarks print)")
      ->capture_default_str();
  command.add_option("--store", options.store, "SQLite file that keeps the records");
  add_quiet_option(command, options);
}

void refuse_without(const CLI::App& command, std::initializer_list<const char*> options, std::string_view what) {
  for (const char* name : options) {
    const CLI::Option* option = command.get_option_no_throw(name);
    if (option != nullptr && option->count() > 0)
      throw BadInput(fmt::format("{} goes with {}; both of them would be right", name, what));
  }
}

void refuse_emulation_options(const CLI::App& command) {
  refuse_without(command, {"--substrate", "--tolerance", "--rootfs", "--force"}, "--source emulated");
}

namespace {

bool is_platform_file(const std::string& word) { return word.ends_with(".xml") || word.ends_with(".json"); }

}  // namespace

std::vector<RunOptions> by_platform(const RunOptions& options) {
  const auto first_what = std::ranges::find_if_not(options.whats, is_platform_file);
  RunOptions one = options;
  one.whats.assign(first_what, options.whats.end());
  if (one.whats.empty())
    throw BadInput(
        "platforms only; a collective after them, as in `allreduce` or `broadcast/binomial`, would be right");
  std::vector<RunOptions> all{one};
  for (auto file = options.whats.begin(); file != first_what; ++file) {
    one.platform = *file;
    all.push_back(one);
  }
  return all;
}

std::vector<PlanRequest> plans_of(const RunOptions& options) {
  std::vector<PlanRequest> plans;
  for (const std::string& what : options.whats) {
    for (PlanRequest plan : parse_plan_requests(what)) {
      if (!options.segment.empty() && (!plan.one_of_all || takes(*plan.plan.algorithm, "segment"))) {
        const bool one_of_all = plan.one_of_all;
        const char* separator = plan.text.find(':') == std::string::npos ? ":" : ",";
        plan = parse_plan_request(fmt::format("{}{}segment={}", plan.name(), separator, options.segment));
        plan.one_of_all = one_of_all;
      }
      const auto is_same = [&](const PlanRequest& other) { return other.name() == plan.name(); };
      if (std::ranges::none_of(plans, is_same)) plans.push_back(std::move(plan));
    }
  }
  return plans;
}

std::vector<Collective> collectives_of(const RunOptions& options, const std::string& command) {
  std::vector<Collective> collectives;
  for (const std::string& what : options.whats) {
    if (const std::size_t slash = what.find('/'); slash != std::string::npos)
      throw BadInput(fmt::format("{}: {}; `{}` would be right", what, command, what.substr(0, slash)));
    const Collective collective = collective_named(what);
    if (std::ranges::find(collectives, collective) == collectives.end()) collectives.push_back(collective);
  }
  return collectives;
}

RunRequest placed(const RunOptions& options) {
  Network network = read_platform_with_warnings(options);
  Placement placement = placement_of(options, network);
  if (!options.topology.empty()) regroup(network, placement, options.topology);
  return {.platform_file = options.platform,
          .placed = {std::move(network), std::move(placement)},
          .set_links = options.set_links};
}

std::vector<Problem> problems_of(const RunOptions& options, Collective collective) {
  std::vector<Problem> problems;
  for (const std::int64_t bytes : sizes_of(options, collective)) {
    if (bytes % options.element_bytes != 0)
      throw BadInput(fmt::format("--bytes {}: not a multiple of the element of {} bytes; {} would be right", bytes,
                                 options.element_bytes,
                                 std::max(bytes - bytes % options.element_bytes, options.element_bytes)));
    Problem& problem = problems.emplace_back();
    problem.collective = collective;
    problem.count = bytes / options.element_bytes;
    problem.element_bytes = options.element_bytes;
    problem.root = options.root;
    problem.commutative = !options.non_commutative;
  }
  return problems;
}

RunRequest request_of(const RunOptions& options) { return request_of(options, plans_of(options)); }

RunRequest request_of(const RunOptions& options, std::span<const PlanRequest> plans) {
  RunRequest request = placed(options);
  if (options.confidence > 0 && options.repetitions < few_repetitions)
    throw BadInput(fmt::format("--repetitions {}: too few for a confidence interval; {} or more would be right",
                               options.repetitions, few_repetitions));
  request.repetitions = options.repetitions;
  request.confidence = options.confidence;
  request.warm_up = options.warm_up;
  request.queueing = options.queueing == "fluid" ? Queueing::fluid : Queueing::fifo;
  request.emulation = emulation_of(options);
  for (const PlanRequest& plan : plans)
    for (const Problem& problem : problems_of(options, plan.collective))
      if (!plan.one_of_all || serves(plan.plan, request.placed.topology(), problem)) add_point(request, plan, problem);
  return request;
}

}  // namespace isthmus::command_line
