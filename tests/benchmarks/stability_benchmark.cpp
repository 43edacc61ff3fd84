// How much the automatic choice depends on the last digits of a network: plans chosen on a network whose figures are a
// little different, against those chosen on the network itself, both replayed on the latter.
//
//   stability_benchmark [--networks N] [--seed S] [--rates 1e-6] [--latencies 0.01] [--draws D]
//                       [--collectives a,b] [--sizes 1Ki,64Ki] [PLATFORM.xml ...]
//
// Networks are drawn: 3 to 8 sites of 1 to 5 hosts, rates over a factor of 50, 5 to 250 ms; or read. Each is changed D
// times: every rate and every latency by up to these shares. If there is a network PLATFORM-found.json beside a
// platform (validation/results/discovery.py --keep), it is one change more. One JSON record a point: `seconds` of the
// plan of the true network, the greatest of the changed ones, and `worst`, the ratio of the worst of these plans to the
// best of them all; `choice_ms`: processor time of the first. The last lines are the median, the 95th percentile and
// the worst of these ratios.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <exception>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "algorithms/bounds/lower_bound.hpp"
#include "algorithms/network/network_json.hpp"
#include "algorithms/replay/replay.hpp"
#include "algorithms/text/sizes.hpp"
#include "algorithms/tuning/select.hpp"
#include "platforms/reader.hpp"
#include "tests/support/meshes.hpp"
#include "tests/support/rated_collectives.hpp"

namespace isthmus {
namespace {

struct Options {
  int networks = 0, seed = 1, draws = 1;
  double rates = 1e-6, latencies = 0.01;
  std::vector<Collective> collectives{std::begin(tests::rated_collectives), std::end(tests::rated_collectives)};
  std::vector<std::int64_t> sizes = {1 << 10, 1 << 16, 1 << 20, 1 << 24};
  std::vector<std::string> platforms;
};

double processor_s() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

double between(std::mt19937& random, double low, double high) {
  return low + (high - low) * static_cast<double>(random()) / 4294967296.0;
}

Network drawn_network(std::mt19937& random) {
  std::vector<int> hosts(3 + random() % 6);
  const bool single = random() % 3 == 0;
  for (int& of_site : hosts) of_site = single ? 1 : 1 + static_cast<int>(random() % 5);
  constexpr double lan_Bps[] = {125e6, 250e6, 1250e6};
  tests::Mesh mesh(hosts, lan_Bps[random() % 3]);
  const auto sites = static_cast<int>(hosts.size());
  for (int from = 0; from < sites; ++from)
    for (int to = from + 1; to < sites; ++to) {
      const double latency_s = between(random, 5e-3, 250e-3);
      const double there_Bps = 2e6 * std::pow(50, between(random, 0, 1));
      const double back_Bps = random() % 2 == 0 ? there_Bps : 2e6 * std::pow(50, between(random, 0, 1));
      mesh.join(from, to, there_Bps, latency_s);
      mesh.join(to, from, back_Bps, latency_s);
    }
  return mesh.network;
}

/// Every link with another rate and latency, by up to these shares.
Network changed(Network network, double rates, double latencies, std::mt19937& random) {
  for (Link& link : network.links) {
    link.bandwidth_Bps *= 1 + between(random, -rates, rates);
    link.latency_s *= 1 + between(random, -latencies, latencies);
  }
  return network;
}

/// The placement on a network whose hosts may be in another order.
Placement same_hosts(const Network& network, const Network& other, const Placement& placement) {
  std::map<std::string, int> number;
  for (std::size_t i = 0; i < other.hosts.size(); ++i) number[other.hosts[i].name] = static_cast<int>(i);
  Placement same;
  for (const int host : placement.host_of_rank) same.host_of_rank.push_back(number.at(network.hosts[host].name));
  return same;
}

struct Case {
  std::string name;
  PlacedNetwork placed;
  std::vector<PlacedNetwork> changed;
};

Case case_of(std::string name, const Network& network, const Options& options, std::mt19937& random) {
  const Placement placement = place_ranks(network, PlacementRule::block, 1);
  Case made{std::move(name), {network, placement}, {}};
  for (int i = 0; i < options.draws; ++i)
    made.changed.emplace_back(changed(network, options.rates, options.latencies, random), placement);
  return made;
}

Case case_of_file(const std::string& file, const Options& options, std::mt19937& random) {
  const std::filesystem::path path = file;
  const Network network = read_platform(file);
  Case made = case_of(path.stem().string(), network, options, random);
  const std::filesystem::path found = path.parent_path() / (path.stem().string() + "-found.json");
  if (std::filesystem::exists(found)) {
    const Network other = read_network(found.string());
    made.changed.emplace_back(other, same_hosts(network, other, made.placed.placement()));
  }
  return made;
}

Problem problem_of(Collective collective, std::int64_t bytes) {
  const std::int64_t element_bytes = has_operator(collective) ? 8 : 1;
  return {.collective = collective, .count = bytes / element_bytes, .element_bytes = element_bytes};
}

/// Prints the record of a point and returns its ratio.
double compare(const Case& one, const Problem& problem) {
  const double begin_s = processor_s();
  const Candidate chosen = choose(one.placed, problem);
  const double choice_s = processor_s() - begin_s;
  double best_s = chosen.seconds, worst_s = chosen.seconds;
  std::string worst_plan = to_string(chosen.plan);
  nlohmann::json changed = nlohmann::json::array();
  for (const PlacedNetwork& other : one.changed) {
    const Plan plan = choose(other, problem).plan;
    const double seconds =
        replay(one.placed, problem.element_bytes, source(plan, one.placed.topology(), problem)).seconds;
    changed.push_back(seconds);
    best_s = std::min(best_s, seconds);
    if (seconds <= worst_s) continue;
    worst_s = seconds;
    worst_plan = to_string(plan);
  }
  const nlohmann::json record{{"network", one.name},
                              {"ranks", one.placed.size()},
                              {"collective", name(problem.collective)},
                              {"bytes", problem.bytes()},
                              {"seconds", chosen.seconds},
                              {"changed", changed},
                              {"worst", worst_s / best_s},
                              {"bound_s", lower_bound(one.placed, problem)},
                              {"choice_ms", choice_s * 1e3},
                              {"plan", to_string(chosen.plan)},
                              {"worst_plan", worst_plan}};
  fmt::print("{}\n", record.dump());
  std::fflush(stdout);
  return worst_s / best_s;
}

void add_options(CLI::App& program, Options& options) {
  program.add_option("--networks", options.networks, "how many are drawn");
  program.add_option("--seed", options.seed, "of the first");
  program.add_option("--draws", options.draws, "how often each is changed");
  program.add_option("--rates", options.rates, "by which share a rate changes");
  program.add_option("--latencies", options.latencies, "by which share a latency changes");
  const auto add_list = [&](const char* name, auto& list, auto read, const char* what) {
    const auto take = [&list, read](const std::vector<std::string>& words) {
      list.clear();
      for (const std::string& word : words) list.push_back(read(word));
    };
    program.add_option_function<std::vector<std::string>>(name, take, what)->delimiter(',');
  };
  add_list("--collectives", options.collectives, collective_named, "separated by commas");
  add_list("--sizes", options.sizes, parse_size, "e.g. 1Ki,64Ki");
  program.add_option("PLATFORM", options.platforms, "networks to read");
}

void run(const Options& options) {
  std::vector<double> ratios;
  const auto study = [&](const Case& one) {
    for (const Collective collective : options.collectives)
      for (const std::int64_t bytes : options.sizes) ratios.push_back(compare(one, problem_of(collective, bytes)));
  };
  for (int i = 0; i < options.networks; ++i) {
    std::mt19937 random(options.seed + i);
    const Network network = drawn_network(random);
    study(case_of(fmt::format("drawn {}", options.seed + i), network, options, random));
  }
  for (const std::string& file : options.platforms) {
    std::mt19937 random(options.seed);
    study(case_of_file(file, options, random));
  }
  if (ratios.empty()) return;
  std::sort(ratios.begin(), ratios.end());
  const auto within = std::count_if(ratios.begin(), ratios.end(), [](double ratio) { return ratio <= 1.03; });
  fmt::print(stderr, "{} points, {} within 3 %: median {:.4f}, 95th percentile {:.4f}, worst {:.4f}\n", ratios.size(),
             within, ratios[ratios.size() / 2], ratios[ratios.size() * 95 / 100], ratios.back());
}

}  // namespace
}  // namespace isthmus

int main(int argc, char** argv) {
  CLI::App program("How much the automatic choice depends on the last digits of a network");
  isthmus::Options options;
  isthmus::add_options(program, options);
  try {
    program.parse(argc, argv);
    isthmus::run(options);
    return 0;
  } catch (const CLI::ParseError& error) {
    return program.exit(error) == 0 ? 0 : 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "stability_benchmark: {}\n", error.what());
    return 2;
  }
}
