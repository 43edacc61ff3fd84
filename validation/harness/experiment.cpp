#include "validation/harness/experiment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "algorithms/json/json_reader.hpp"
#include "algorithms/network/conditions_file.hpp"
#include "algorithms/text/sizes.hpp"

namespace isthmus {
namespace {

Tolerance read_tolerance(const JsonReader& object, const Experiment& experiment) {
  object.expect_keys({"source", "against", "bytes", "percent", "algorithms"});
  Tolerance tolerance;
  const auto source = [&](const char* key) {
    const Source found = object.at(key).name_as(source_named);
    if (std::find(experiment.sources.begin(), experiment.sources.end(), found) == experiment.sources.end())
      object.at(key).refuse("one of the experiment's sources");
    return found;
  };
  tolerance.source = source("source");
  tolerance.against = source("against");
  if (tolerance.source == tolerance.against) object.at("against").fail("is the source itself; another would be right");
  tolerance.bytes = object.at("bytes").name_as(parse_size_range, "a size or a range, as \"1..64Ki\",");
  tolerance.relative = object.at("percent").number_above_0() / 100;
  if (!object.has("algorithms")) return tolerance;
  tolerance.algorithms = object.at("algorithms").names();
  for (const JsonReader& algorithm : object.at("algorithms").elements())
    if (std::none_of(experiment.plans.begin(), experiment.plans.end(),
                     [&](const PlanRequest& plan) { return plan.name() == algorithm.name(); }))
      algorithm.refuse("one of the experiment's algorithms");
  return tolerance;
}

constexpr std::int64_t max_setting = 1000000;
constexpr const char* some_texts = "a list with at least one text in it";

std::vector<Source> read_sources(const JsonReader& list) {
  std::vector<Source> sources;
  for (const JsonReader& text : list.elements(1, some_texts)) sources.push_back(text.name_as(source_named));
  std::sort(sources.begin(), sources.end());
  if (std::adjacent_find(sources.begin(), sources.end()) != sources.end()) list.fail("names one twice");
  return sources;
}

std::vector<int> read_ranks(const JsonReader& list) {
  std::vector<int> ranks;
  for (const JsonReader& number : list.elements(1, "a list of numbers of ranks, e.g. [4, 8, 16],"))
    ranks.push_back(static_cast<int>(number.integer(1, 1000000)));
  std::sort(ranks.begin(), ranks.end());
  if (std::adjacent_find(ranks.begin(), ranks.end()) != ranks.end()) list.fail("names one twice");
  return ranks;
}

std::vector<PlanRequest> read_plans(const JsonReader& list) {
  std::vector<PlanRequest> plans;
  for (const JsonReader& text : list.elements(1, some_texts)) {
    for (const PlanRequest& plan : text.name_as(parse_plan_requests)) {
      const auto is_same = [&](const PlanRequest& other) { return other.name() == plan.name(); };
      if (std::ranges::any_of(plans, is_same)) text.fail(fmt::format("`{}` is there already", plan.name()));
      plans.push_back(plan);
    }
  }
  return plans;
}

/// How often each point runs: a number, or until the mean is known well enough.
void read_repetitions(const JsonReader& object, Experiment& experiment) {
  if (!object.has("repetitions") || !object.at("repetitions").value().is_object()) {
    experiment.repetitions = static_cast<int>(object.integer_or("repetitions", 1, 1, max_setting));
    return;
  }
  const JsonReader repetitions = object.at("repetitions");
  repetitions.expect_keys({"until", "at_most"});
  experiment.confidence = repetitions.at("until").number_above_0();
  experiment.repetitions = static_cast<int>(repetitions.integer_or("at_most", 100, few_repetitions, max_setting));
}

/// What it is called, and what it asks.
void read_heading(const JsonReader& object, Experiment& experiment) {
  experiment.name = object.at("name").name();
  if (experiment.name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") !=
          std::string::npos ||
      experiment.name.front() == '.')
    object.at("name").fail("serves as a file name; letters, digits, `-`, `_` and `.` would be right");
  experiment.title = object.at("title").name();
  experiment.question = object.name_or("question", "");
}

/// Where the ranks are, and which of them is the root.
void read_ranks_and_root(const JsonReader& object, Experiment& experiment) {
  experiment.ranks_per_host = static_cast<int>(object.integer_or("ranks_per_host", 1, 1, max_setting));
  if (const auto ranks = object.find("ranks")) experiment.ranks = read_ranks(*ranks);
  experiment.root = static_cast<int>(object.integer_or("root", 0, 0, INT32_MAX));
  if (experiment.root != 0 && std::none_of(experiment.plans.begin(), experiment.plans.end(),
                                           [](const PlanRequest& plan) { return has_root(plan.collective); }))
    object.at("root").fail("none of the experiment's collectives has one; 0 would be right");
  const std::string placement = object.name_or("placement", "block");
  if (placement != "block" && placement != "cyclic") object.at("placement").refuse("\"block\" or \"cyclic\"");
  experiment.placement = placement == "block" ? PlacementRule::block : PlacementRule::cyclic;
}

/// How the emulator runs it. `folder`: of the experiment's file.
void read_emulation(const JsonReader& object, const std::filesystem::path& folder, Experiment& experiment) {
  experiment.emulation.substrate = object.name_or("substrate", "auto");
  if (const auto conditions = object.find("conditions")) {
    experiment.emulation.conditions = read_conditions((folder / conditions->name()).lexically_normal().string());
  }
  if (const auto timeout = object.find("timeout_s")) experiment.emulation.timeout_s = timeout->number_above_0();
}

void check_elements(const JsonReader& where, std::int64_t bytes, const Experiment& experiment) {
  if (bytes % experiment.element_bytes == 0) return;
  where.fail(fmt::format("{} is no multiple of the element of {} bytes", bytes, experiment.element_bytes));
}

}  // namespace

bool Tolerance::applies_to(const std::string& algorithm, std::int64_t size) const {
  return bytes.contains(size) &&
         (algorithms.empty() || std::find(algorithms.begin(), algorithms.end(), algorithm) != algorithms.end());
}

std::vector<std::int64_t> Experiment::sizes_of(const PlanRequest& plan) const {
  if (!carries_data(plan.collective)) return {0};
  return sizes;
}

Problem Experiment::problem(const PlanRequest& plan, std::int64_t bytes) const {
  const Collective collective = plan.collective;
  return {collective, bytes / element_bytes, element_bytes, has_root(collective) ? root : 0};
}

Experiment read_experiment(const std::string& file) {
  const JsonDocument document = JsonDocument::of_file(file, "an experiment would be right");
  const JsonReader object = document.whole();
  object.expect_keys({"name",       "title",     "question",      "platforms", "algorithms",     "sizes",
                      "sources",    "reference", "repetitions",   "warm_up",   "ranks_per_host", "ranks",
                      "placement",  "root",      "element_bytes", "substrate", "conditions",     "timeout_s",
                      "tolerances", "timeline",  "table"});
  Experiment experiment;
  experiment.file = file;
  read_heading(object, experiment);

  const auto folder = std::filesystem::path(file).parent_path();
  for (const std::string& platform : object.at("platforms").names())
    experiment.platforms.push_back((folder / platform).lexically_normal().string());
  experiment.plans = read_plans(object.at("algorithms"));
  const JsonReader sizes = object.at("sizes");
  experiment.sizes = sizes.name_as(parse_sizes);
  experiment.sources = read_sources(object.at("sources"));
  experiment.reference = experiment.sources.back();
  if (const auto reference = object.find("reference")) {
    experiment.reference = reference->name_as(source_named);
    if (!std::binary_search(experiment.sources.begin(), experiment.sources.end(), experiment.reference))
      reference->refuse("one of the experiment's sources");
  }

  read_repetitions(object, experiment);
  experiment.warm_up = static_cast<int>(object.integer_or("warm_up", 1, 0, max_setting));
  read_ranks_and_root(object, experiment);
  experiment.element_bytes = object.integer_or("element_bytes", 1, 1, max_setting);
  for (const std::int64_t size : experiment.sizes) check_elements(sizes, size, experiment);
  read_emulation(object, folder, experiment);

  for (const JsonReader& tolerance : object.elements_or_none("tolerances"))
    experiment.tolerances.push_back(read_tolerance(tolerance, experiment));
  if (const auto timeline = object.find("timeline")) {
    timeline->expect_keys({"algorithm", "bytes"});
    experiment.timeline = TimelineRequest{timeline->at("algorithm").name_as(parse_plan_request),
                                          timeline->at("bytes").name_as(parse_size)};
    check_elements(timeline->at("bytes"), experiment.timeline->bytes, experiment);
  }
  const std::string table = object.name_or("table", "by_algorithm");
  if (table != "by_algorithm" && table != "by_size") object.at("table").refuse("\"by_algorithm\" or \"by_size\"");
  experiment.table_by_size = table == "by_size";
  return experiment;
}

}  // namespace isthmus
