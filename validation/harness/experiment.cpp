#include "validation/harness/experiment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "algorithms/json/json_text.hpp"
#include "algorithms/json/strict_json.hpp"
#include "algorithms/network/conditions_file.hpp"
#include "algorithms/text/sizes.hpp"

namespace isthmus {
namespace {

Tolerance read_tolerance(const StrictObject& object, const Experiment& experiment) {
  Tolerance tolerance;
  const auto source = [&](const char* key) {
    const Source found = object.reading(key, [&] { return source_named(object.text(key)); });
    if (std::find(experiment.sources.begin(), experiment.sources.end(), found) == experiment.sources.end())
      object.fail(key, fmt::format("`{}` is not among the experiment's sources", name(found)));
    return found;
  };
  tolerance.source = source("source");
  tolerance.against = source("against");
  if (tolerance.source == tolerance.against) object.fail("against", "is the source itself; another would be right");
  tolerance.bytes = object.reading("bytes", [&] { return parse_size_range(object.text("bytes")); });
  tolerance.relative = object.positive("percent") / 100;
  if (!object.has("algorithms")) return tolerance;
  tolerance.algorithms = object.texts("algorithms");
  for (const std::string& algorithm : tolerance.algorithms)
    if (std::none_of(experiment.plans.begin(), experiment.plans.end(),
                     [&](const PlanRequest& plan) { return plan.name() == algorithm; }))
      object.fail("algorithms", fmt::format("`{}` is not among the experiment's algorithms", algorithm));
  return tolerance;
}

std::vector<Source> read_sources(const StrictObject& object) {
  const std::vector<std::string> texts = object.texts("sources");
  std::vector<Source> sources;
  for (std::size_t i = 0; i < texts.size(); ++i)
    sources.push_back(object.reading(fmt::format("sources[{}]", i), [&] { return source_named(texts[i]); }));
  std::sort(sources.begin(), sources.end());
  if (std::adjacent_find(sources.begin(), sources.end()) != sources.end()) object.fail("sources", "names one twice");
  return sources;
}

std::vector<int> read_ranks(const StrictObject& object) {
  const nlohmann::json& list = object.at("ranks");
  const auto is_right = [](const nlohmann::json& n) { return n.is_number_integer() && n > 0 && n <= 1000000; };
  if (!list.is_array() || list.empty() || !std::all_of(list.begin(), list.end(), is_right))
    object.fail("ranks", "is no list of numbers of ranks; [4, 8, 16], for example, would be right");
  std::vector<int> ranks = list.get<std::vector<int>>();
  std::sort(ranks.begin(), ranks.end());
  if (std::adjacent_find(ranks.begin(), ranks.end()) != ranks.end()) object.fail("ranks", "names one twice");
  return ranks;
}

std::vector<PlanRequest> read_plans(const StrictObject& object) {
  const std::vector<std::string> texts = object.texts("algorithms");
  std::vector<PlanRequest> plans;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::string key = fmt::format("algorithms[{}]", i);
    for (const PlanRequest& plan : object.reading(key, [&] { return parse_plan_requests(texts[i]); })) {
      const auto is_same = [&](const PlanRequest& other) { return other.name() == plan.name(); };
      if (std::ranges::any_of(plans, is_same)) object.fail(key, fmt::format("`{}` is there already", plan.name()));
      plans.push_back(plan);
    }
  }
  return plans;
}

}  // namespace

bool Tolerance::applies_to(const std::string& algorithm, std::int64_t size) const {
  return bytes.contains(size) &&
         (algorithms.empty() || std::find(algorithms.begin(), algorithms.end(), algorithm) != algorithms.end());
}

std::vector<std::int64_t> Experiment::sizes_of(const PlanRequest& plan) const {
  if (plan.collective == Collective::barrier) return {0};
  return sizes;
}

Problem Experiment::problem(const PlanRequest& plan, std::int64_t bytes) const {
  const Collective collective = plan.collective;
  return {collective, bytes / element_bytes, element_bytes, has_root(collective) ? root : 0};
}

Experiment read_experiment(const std::string& file) {
  const nlohmann::json json = read_json(file, "an experiment is needed");
  const StrictObject object(
      json, file, "",
      {"name",          "title",       "question",   "platforms",      "algorithms", "sizes",     "sources",
       "reference",     "repetitions", "warm_up",    "ranks_per_host", "ranks",      "placement", "root",
       "element_bytes", "substrate",   "conditions", "timeout_s",      "tolerances", "timeline",  "table"});
  Experiment experiment;
  experiment.file = file;
  experiment.name = object.text("name");
  if (experiment.name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") !=
          std::string::npos ||
      experiment.name.front() == '.')
    object.fail("name", "serves as a file name; letters, digits, `-`, `_` and `.` would be right");
  experiment.title = object.text("title");
  experiment.question = object.text_or("question", "");

  const auto folder = std::filesystem::path(file).parent_path();
  for (const std::string& platform : object.texts("platforms"))
    experiment.platforms.push_back((folder / platform).lexically_normal().string());
  experiment.plans = read_plans(object);
  experiment.sizes = object.reading("sizes", [&] { return parse_sizes(object.text("sizes")); });
  experiment.sources = read_sources(object);
  experiment.reference = experiment.sources.back();
  if (object.has("reference")) {
    experiment.reference = object.reading("reference", [&] { return source_named(object.text("reference")); });
    if (!std::binary_search(experiment.sources.begin(), experiment.sources.end(), experiment.reference))
      object.fail("reference", "is not among the experiment's sources");
  }

  constexpr std::int64_t many = 1000000;
  if (object.has("repetitions") && object.at("repetitions").is_object()) {
    const StrictObject repetitions(object.at("repetitions"), file, "repetitions", {"until", "at_most"});
    experiment.confidence = repetitions.positive("until");
    experiment.repetitions = static_cast<int>(repetitions.integer_or("at_most", 100, few_repetitions, many));
  } else {
    experiment.repetitions = static_cast<int>(object.integer_or("repetitions", 1, 1, many));
  }
  experiment.warm_up = static_cast<int>(object.integer_or("warm_up", 1, 0, many));
  experiment.ranks_per_host = static_cast<int>(object.integer_or("ranks_per_host", 1, 1, many));
  if (object.has("ranks")) experiment.ranks = read_ranks(object);
  experiment.root = static_cast<int>(object.integer_or("root", 0, 0, INT32_MAX));
  if (experiment.root != 0 && std::none_of(experiment.plans.begin(), experiment.plans.end(),
                                           [](const PlanRequest& plan) { return has_root(plan.collective); }))
    object.fail("root", "none of the experiment's collectives has one; 0 would be right");
  experiment.element_bytes = object.integer_or("element_bytes", 1, 1, many);
  for (const std::int64_t size : experiment.sizes)
    if (size % experiment.element_bytes != 0)
      object.fail("sizes", fmt::format("{} is no multiple of the element of {} bytes", size, experiment.element_bytes));
  const std::string placement = object.text_or("placement", "block");
  if (placement != "block" && placement != "cyclic")
    object.fail("placement", fmt::format("is `{}`; `block` or `cyclic` would be right", placement));
  experiment.placement = placement == "block" ? PlacementRule::block : PlacementRule::cyclic;
  experiment.substrate = object.text_or("substrate", "auto");
  if (object.has("conditions")) {
    experiment.conditions = read_conditions((folder / object.text("conditions")).lexically_normal().string());
  }
  if (object.has("timeout_s")) experiment.timeout_s = object.positive("timeout_s");

  if (object.has("tolerances")) {
    const nlohmann::json& list = object.at("tolerances");
    if (!list.is_array()) object.fail("tolerances", "is no list; a list of objects would be right");
    for (std::size_t i = 0; i < list.size(); ++i)
      experiment.tolerances.push_back(
          read_tolerance(StrictObject(list[i], file, fmt::format("tolerances[{}]", i),
                                      {"source", "against", "bytes", "percent", "algorithms"}),
                         experiment));
  }
  if (object.has("timeline")) {
    const StrictObject timeline(object.at("timeline"), file, "timeline", {"algorithm", "bytes"});
    const auto plan = timeline.reading("algorithm", [&] { return parse_plan_request(timeline.text("algorithm")); });
    const std::int64_t bytes = timeline.reading("bytes", [&] { return parse_size(timeline.text("bytes")); });
    if (bytes % experiment.element_bytes != 0)
      timeline.fail("bytes",
                    fmt::format("{} is no multiple of the element of {} bytes", bytes, experiment.element_bytes));
    experiment.timeline = TimelineRequest{plan, bytes};
  }
  const std::string table = object.text_or("table", "by_algorithm");
  if (table != "by_algorithm" && table != "by_size")
    object.fail("table", fmt::format("is `{}`; `by_algorithm` or `by_size` would be right", table));
  experiment.table_by_size = table == "by_size";
  return experiment;
}

}  // namespace isthmus
