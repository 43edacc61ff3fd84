// Plans for the rates of a network against the lower bound and all other plans, by replay. One JSON record a line, to
// be read by validation/results/rates.py:
//
//   rates_benchmark [--others] [--collectives a,b] PLATFORM.xml ...
//
// For each platform and collective, sizes at which the bandwidth term of the lower bound is 0.1, 1, 10 and 100 times
// its latency term, and 8 bytes. `seconds` is the time of the automatic choice, `packed_s` that of the plan along a
// packing, `forecast_s` what the synthesis says of it. `others_s`, with --others: the best of all other algorithms.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <exception>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "algorithms/bounds/lower_bound.hpp"
#include "algorithms/catalog.hpp"
#include "algorithms/replay/replay.hpp"
#include "algorithms/text/parts.hpp"
#include "algorithms/tuning/select.hpp"
#include "algorithms/tuning/trials/packed_plans.hpp"
#include "platforms/reader.hpp"
#include "tests/support/rated_collectives.hpp"

namespace isthmus {
namespace {

using Json = nlohmann::json;
constexpr std::int64_t element_bytes = 8;

double now_s() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

Problem problem_of(Collective collective, double bytes) {
  return {.collective = collective,
          .count = std::max<std::int64_t>(1, std::llround(bytes / element_bytes)),
          .element_bytes = element_bytes};
}

double replayed_s(const PlacedNetwork& placed, const Plan& plan, const Problem& problem) {
  return replay(placed, problem.element_bytes, source(plan, placed.topology(), problem)).seconds;
}

double others_s(const PlacedNetwork& placed, const Problem& problem) {
  double best_s = INFINITY;
  for (const Algorithm* algorithm : algorithms_of(problem.collective)) {
    if (has_packing_to_choose(*algorithm) || algorithm->write == nullptr) continue;
    const Plan plan = choose_parameters({algorithm, {}}, Open::parameters, placed, problem);
    if (serves(plan, placed.topology(), problem)) best_s = std::min(best_s, replayed_s(placed, plan, problem));
  }
  return best_s;
}

Json record_of(const PlacedNetwork& placed, const Problem& problem, double ratio, bool with_others) {
  Json record{{"platform", placed.network().name},
              {"ranks", placed.size()},
              {"collective", name(problem.collective)},
              {"bytes", problem.bytes()},
              {"ratio", ratio}};
  record["bound_s"] = lower_bound(placed, problem);
  double begin_s = now_s();
  const Candidate choice = choose(placed, problem);
  record["choice_ms"] = (now_s() - begin_s) * 1e3;
  record["seconds"] = choice.seconds;
  record["plan"] = to_string(choice.plan);
  const PackedPlans packed(placed);
  for (const Algorithm* algorithm : algorithms_of(problem.collective))
    if (has_packing_to_choose(*algorithm)) {
      begin_s = now_s();
      const Choice made = packed.completed({algorithm, {}}, problem, true);
      record["synthesis_ms"] = (now_s() - begin_s) * 1e3;
      record["forecast_s"] = made.seconds;
      record["packed_s"] = replayed_s(placed, made.plan, problem);
      record["packed_plan"] = to_string(made.plan);
    }
  if (with_others) record["others_s"] = others_s(placed, problem);
  return record;
}

void study(const std::string& file, const std::vector<Collective>& collectives, bool with_others) {
  const Network network = read_platform(file);
  const PlacedNetwork placed(network, place_ranks(network, PlacementRule::block, 1));
  for (const Collective collective : collectives) {
    constexpr double few = 8, many = 1e12;
    const double latency_s = lower_bound(placed, problem_of(collective, few));
    const double s_per_byte = lower_bound(placed, problem_of(collective, many)) / many;
    std::vector<std::pair<double, double>> sizes{{0, few}};
    for (const double ratio : {0.1, 1.0, 10.0, 100.0}) sizes.emplace_back(ratio, ratio * latency_s / s_per_byte);
    for (const auto& [ratio, bytes] : sizes) {
      fmt::print("{}\n", record_of(placed, problem_of(collective, bytes), ratio, with_others).dump());
      std::fflush(stdout);
    }
  }
}

int run(const std::vector<std::string>& arguments) {
  std::vector<Collective> collectives{std::begin(tests::rated_collectives), std::end(tests::rated_collectives)};
  bool with_others = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--others") {
      with_others = true;
    } else if (arguments[i] == "--collectives" && i + 1 < arguments.size()) {
      collectives.clear();
      for (const std::string_view name : parts_of(arguments[++i], ',')) collectives.push_back(collective_named(name));
    } else {
      study(arguments[i], collectives, with_others);
    }
  }
  return 0;
}

}  // namespace
}  // namespace isthmus

int main(int argc, char** argv) {
  try {
    return isthmus::run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    fmt::print(stderr, "rates_benchmark: {}\n", error.what());
    return 2;
  }
}
