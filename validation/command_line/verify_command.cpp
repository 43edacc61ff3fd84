// isthmus verify: proves algorithms over many sizes, roots, counts, segments and groupings.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "algorithms/catalog.hpp"
#include "algorithms/collective/algorithm.hpp"
#include "algorithms/collective/contract.hpp"
#include "algorithms/errors.hpp"
#include "algorithms/network/placed_network.hpp"
#include "algorithms/relays/relays.hpp"
#include "algorithms/schedule/verify.hpp"
#include "validation/command_line/commands.hpp"
#include "validation/command_line/options/run_options.hpp"
#include "validation/command_line/options/timing.hpp"
#include "validation/text/tables.hpp"

namespace isthmus::command_line {
namespace {

struct Grouping {
  std::string name;
  Topology topology;
  std::optional<PlacedNetwork> placed = {};  ///< where the groups are a platform's
};

/// A message between hosts without a route; empty if there is none.
std::string message_without_route(const Schedule& schedule, const PlacedNetwork& placed) {
  const Network& network = placed.network();
  for (int rank = 0; rank < placed.size(); ++rank)
    for (const Op& op : schedule[rank].ops()) {
      if (op.kind != OpKind::send || network.has_route(placed.host_of(rank), placed.host_of(op.peer))) continue;
      return fmt::format("rank {} sends to rank {}, without a route from host {} to host {}", rank, op.peer,
                         network.hosts[placed.host_of(rank)].name, network.hosts[placed.host_of(op.peer)].name);
    }
  return {};
}

/// Groups of the given sizes, repeated until all ranks have one; `inner` > 0: each is cut into groups of `inner` ranks.
Topology grouped(int ranks, const std::vector<int>& sizes, int inner) {
  std::vector<std::vector<std::string>> paths;
  for (int group = 0; static_cast<int>(paths.size()) < ranks; ++group) {
    const int size = sizes[group % sizes.size()];
    for (int member = 0; member < size && static_cast<int>(paths.size()) < ranks; ++member) {
      paths.push_back({fmt::format("c{}", group)});
      if (inner > 0) paths.back().push_back(fmt::format("m{}", member / inner));
    }
  }
  return Topology::from_paths(paths);
}

std::vector<Grouping> groupings(int ranks) {
  return {{"flat", Topology::flat(ranks)},
          {"even sites", grouped(ranks, {4}, 0)},
          {"uneven sites", grouped(ranks, {1, 5, 2, 7}, 0)},
          {"three levels", grouped(ranks, {6, 3}, 2)},
          {"a site a rank", grouped(ranks, {1}, 0)},
          {"one site", grouped(ranks, {ranks}, 0)}};
}

struct Tally {
  std::int64_t proved = 0;
  double seconds = 0;
  std::string first_failure;
};

std::string tally_line(const Tally& tally, const std::string& plan, const std::string& platform, double seconds,
                       Format format) {
  const std::string& fault = tally.first_failure;
  if (format == Format::csv)
    return fmt::format("{},{},{},{:.6f},{}\n", csv_field(plan), csv_field(platform), tally.proved, seconds,
                       csv_field(fault));
  if (format == Format::json) {
    nlohmann::ordered_json line = {{"plan", plan}, {"platform", nullptr}, {"proved", tally.proved}};
    if (!platform.empty()) line["platform"] = platform;
    line["seconds"] = seconds;
    line["fault"] = fault.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(fault);
    return line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  }
  return fmt::format("{:<32}  {:>7} proved  {:>6.2f} s{}\n", plan, tally.proved, seconds,
                     fault.empty() ? "" : "  WRONG: " + fault);
}

/// Up to 17 ranks all roots; for more, the first, second, middle and last rank. Collectives without a root: 0.
std::vector<int> roots_of(Collective collective, int ranks) {
  if (!has_root(collective)) return {0};
  std::vector<int> roots;
  for (int root = 0; root < ranks; ++root)
    if (ranks <= 17 || root < 2 || root == ranks / 2 || root == ranks - 1) roots.push_back(root);
  return roots;
}

void prove(Verifier& verifier, const Plan& asked, bool segment_given, const Grouping& grouping, Tally& tally) {
  const int ranks = grouping.topology.size();
  std::vector<std::int64_t> segments{asked.parameters.segment_bytes};
  if (!segment_given && asked.algorithm->parameters.find("segment") != std::string_view::npos) segments = {0, 1, 3, 64};
  const Collective collective = asked.algorithm->collective;
  std::vector<std::int64_t> counts{0, 1, 7, 1000};
  constexpr std::int64_t relayed_in_pieces = 3 * relayed_piece_bytes;
  if (!grouping.topology.connectivity().complete()) counts.push_back(relayed_in_pieces);
  if (!carries_data(collective)) counts = {0};
  for (std::int64_t count : counts) {
    for (std::int64_t segment : segments) {
      if (segment > 0 && count > 64 * segment) continue;  // a thousand messages prove no more than seven
      for (int root : roots_of(collective, ranks)) {
        const Problem problem{collective, count, 1, root};
        Plan plan = asked;
        plan.parameters.segment_bytes = segment;
        check(plan, grouping.topology, problem);
        const Schedule schedule = materialise(ranks, source(plan, grouping.topology, problem));
        std::string fault = verifier.verify(schedule, contract_of(problem, ranks)).message();
        if (fault.empty() && grouping.placed) fault = message_without_route(schedule, *grouping.placed);
        if (!fault.empty()) {
          tally.first_failure = fmt::format("{} with {} ranks ({}), root {}, {} elements: {}", to_string(plan), ranks,
                                            grouping.name, root, count, fault);
          return;
        }
        ++tally.proved;
      }
    }
  }
}

/// A collective alone stands for all its algorithms; no name at all, for all algorithms of all collectives.
std::vector<PlanRequest> plans_to_prove(const std::string& text) {
  if (!text.empty()) {
    std::vector<PlanRequest> plans = parse_plan_requests(text);
    if (plans.front().automatic) plans = parse_plan_requests(fmt::format("{}/all", name(plans.front().collective)));
    return plans;
  }
  std::vector<PlanRequest> plans;
  for (const Algorithm& algorithm : algorithms())
    plans.push_back(parse_plan_request(fmt::format("{}/{}", name(algorithm.collective), algorithm.id)));
  return plans;
}

struct VerifyOptions {
  std::string what;
  std::vector<int> ranks;
  int ranks_per_host = 1;
  RunOptions run;
};

/// The groups of the platform's ranks; without one, many groups of many numbers of ranks.
std::vector<Grouping> groupings_to_prove(const VerifyOptions& options) {
  std::vector<Grouping> all;
  if (!options.run.platform.empty()) {
    const Network network = read_platform_with_warnings(options.run);
    for (int ranks : options.ranks.empty() ? std::vector<int>{0} : options.ranks) {
      const PlacedNetwork placed(network, place_ranks(network, PlacementRule::block, options.ranks_per_host, ranks));
      check_ranks_reach_each_other(network, placed.placement(), placed.topology().connectivity());
      all.push_back({network.name, placed.topology(), placed});
    }
    return all;
  }
  if (!options.run.set_links.empty()) throw BadInput("--set: only with --platform");
  std::vector<int> sizes = options.ranks;
  if (sizes.empty()) {
    for (int ranks = 1; ranks <= 17; ++ranks) sizes.push_back(ranks);
    sizes.insert(sizes.end(), {24, 33});
  }
  for (int ranks : sizes)
    for (Grouping& grouping : groupings(ranks)) all.push_back(std::move(grouping));
  return all;
}

/// Prints a line for each plan. Throws Refused when one cannot be proved.
void prove_plans(const VerifyOptions& options) {
  const Format format = format_named(options.run.format);
  const std::vector<Grouping> all = groupings_to_prove(options);
  bool failed = false;
  Verifier verifier;
  if (format == Format::csv) fmt::print("plan,platform,proved,seconds,fault\n");
  const std::vector<PlanRequest> plans = plans_to_prove(options.what);
  Progress progress = make_progress(options.run.quiet, plans.size());
  for (const PlanRequest& text : plans) {
    const std::string plan = fmt::format("{}/{}", name(text.collective), to_string(text.plan));
    progress.begin(plan);
    Tally tally;
    const auto begin = std::chrono::steady_clock::now();
    for (const Grouping& grouping : all) {
      prove(verifier, text.plan, text.text.find("segment=") != std::string::npos, grouping, tally);
      if (!tally.first_failure.empty()) break;
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    const std::string platform = options.run.platform.empty() ? std::string() : all.front().name;
    progress.clear();
    fmt::print("{}", tally_line(tally, plan, platform, took.count(), format));
    std::fflush(stdout);
    progress.step();
    failed = failed || !tally.first_failure.empty();
  }
  if (failed) throw Refused("not every schedule could be proved");
}

}  // namespace

void add_verify(CLI::App& program) {
  CLI::App* command = program.add_subcommand(
      "verify", "prove schedules: matching, no deadlock even with synchronous sends, no race, the right result");
  auto options = std::make_shared<VerifyOptions>();
  command->add_option("WHAT", options->what, "COLLECTIVE[/ALGORITHM[:PARAMETERS]]; default: all");
  command->add_option("--ranks", options->ranks, "numbers of ranks, e.g. 16 or 5,64 (default 1..17, 24 and 33)")
      ->delimiter(',')
      ->check(CLI::Range(1, 4096));
  CLI::Option* of_platform =
      command->add_option("--platform", options->run.platform,
                          "use the groups of this platform, and prove that messages have routes there");
  add_set_option(*command, options->run);
  command->add_option("--ranks-per-host", options->ranks_per_host, "with --platform")
      ->check(CLI::Range(1, 1024))
      ->needs(of_platform);
  command->add_option("--format", options->run.format, "table, csv or json (a line for each plan)")
      ->capture_default_str();
  add_quiet_option(*command, options->run);
  command->callback([options] { prove_plans(*options); });
}

}  // namespace isthmus::command_line
