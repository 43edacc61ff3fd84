#include "validation/studies/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "algorithms/replay/replay.hpp"
#include "algorithms/text/printable.hpp"
#include "algorithms/tuning/thrift.hpp"
#include "validation/harness/request.hpp"
#include "validation/text/packing_text.hpp"
#include "validation/text/plan_text.hpp"
#include "validation/text/text_table.hpp"
#include "validation/text/units.hpp"

namespace isthmus {
namespace {

Problem resized(const Problem& problem, std::int64_t count) {
  Problem other = problem;
  other.count = count;
  return other;
}

constexpr std::int64_t effort_messages = std::int64_t{1} << 19;  // at each size that is looked at

/// The size, between two sizes with different choices, from which the choice is another algorithm than `now`.
SwitchingPoint switch_between(const PlacedNetwork& placed, const Problem& problem, std::int64_t same_count,
                              std::int64_t other_count, const Algorithm* now) {
  Plan other;
  while (true) {
    const std::int64_t middle = same_count + (other_count - same_count) / 2;
    const Plan plan =
        choose(placed, resized(problem, other_count - same_count <= 1 ? other_count : middle), effort_messages).plan;
    if (other_count - same_count <= 1) return {other_count * problem.element_bytes, plan};
    if (plan.algorithm == now)
      same_count = middle;
    else
      other_count = middle;
    // Within 1 % of the size is precise enough.
    if (other_count - same_count <= other_count / 100) same_count = other_count - 1;
  }
}

void find_switch(const PlacedNetwork& placed, Explanation& explanation) {
  constexpr std::int64_t max_times = 1024, max_bytes = std::int64_t{16} << 20;
  const Problem& problem = explanation.problem;
  const Algorithm* now = explanation.candidates.front().plan.algorithm;
  explanation.looked_up_to_bytes = problem.bytes();
  if (problem.count == 0) return;  // a barrier, or nothing to move
  for (std::int64_t count = problem.count; count <= problem.count * max_times / 2;) {
    const std::int64_t next = 2 * count;
    if (next * problem.element_bytes > max_bytes) return;
    explanation.looked_up_to_bytes = next * problem.element_bytes;
    if (choose(placed, resized(problem, next), effort_messages).plan.algorithm != now) {
      explanation.next = switch_between(placed, problem, count, next, now);
      return;
    }
    count = next;
  }
}

/// The choice, then the best plan of every other algorithm: the one that is run when the algorithm is named alone.
std::vector<Candidate> best_of_each(const std::vector<Candidate>& tried) {
  std::map<const Algorithm*, std::vector<Candidate>> by_algorithm;
  for (const Candidate& candidate : tried) by_algorithm[candidate.plan.algorithm].push_back(candidate);
  by_algorithm.erase(tried.front().plan.algorithm);
  std::vector<Candidate> best;
  for (const auto& [algorithm, own] : by_algorithm) best.push_back(*fewest_messages(own));
  std::ranges::stable_sort(best, {}, &Candidate::seconds);
  best.insert(best.begin(), tried.front());
  return best;
}

std::string verdict(const Explanation& explanation) {
  const ExplainedCandidate& best = explanation.candidates.front();
  std::string text = fmt::format("Choice: {}, {}", short_plan(request_text(best.plan)), format_seconds(best.seconds));
  if (explanation.bound.seconds > 0)
    text += fmt::format(", {:.2f} times the lower bound", best.seconds / explanation.bound.seconds);
  if (explanation.next)
    text += fmt::format("; from {} on: {}", format_bytes(explanation.next->bytes),
                        short_plan(request_text(explanation.next->plan)));
  else if (explanation.looked_up_to_bytes > explanation.problem.bytes())
    text += fmt::format("; the same algorithm up to {}", format_bytes(explanation.looked_up_to_bytes));
  return text + ".\n";
}

/// `allreduce of 64 KiB on das-4x4, 16 ranks:`
std::string heading(const Explanation& explanation, const std::string& platform, int ranks) {
  const Problem& problem = explanation.problem;
  std::string text(name(problem.collective));
  if (problem.collective != Collective::barrier) text += fmt::format(" of {}", format_bytes(problem.bytes()));
  text += fmt::format(" on {}, {} rank{}", printable(platform), ranks, ranks == 1 ? "" : "s");
  if (problem.root != 0) text += fmt::format(", root {}", problem.root);
  return text + ":\n";
}

std::string explanation_table(const Explanation& explanation, const PlacedNetwork& placed, bool colour) {
  TextTable table({{"plan", "", Align::left},
                   {"time", "ms"},
                   {"time/bound", ""},
                   {"latency", "ms"},
                   {"wide area", "ms"},
                   {"local", "ms"},
                   {"overhead", "ms"},
                   {"contention", "ms"},
                   {"messages", "on the path"}});
  for (const ExplainedCandidate& candidate : explanation.candidates) {
    const CostSplit& split = candidate.split;
    table.add({short_plan(request_text(candidate.plan)), format_milliseconds(candidate.seconds),
               explanation.bound.seconds > 0 ? fmt::format("{:.2f}", candidate.seconds / explanation.bound.seconds)
                                             : std::string(),
               format_milliseconds(split.latency_s), format_milliseconds(split.wide_area_s),
               format_milliseconds(split.local_s), format_milliseconds(split.overhead_s),
               format_milliseconds(split.contention_s), std::to_string(split.messages)});
  }
  std::string text = table.text(colour) + verdict(explanation);
  if (explanation.packing)
    text += "\n" + packing_text(*explanation.packing, explanation.bound, placed.network(),
                                explanation.candidates.front().seconds, colour);
  return text;
}

nlohmann::ordered_json candidate_json(const Explanation& explanation, const std::string& platform, int ranks,
                                      std::size_t number) {
  const ExplainedCandidate& candidate = explanation.candidates[number];
  const CostSplit& split = candidate.split;
  nlohmann::ordered_json record = {{"source", "replay"},
                                   {"platform", platform},
                                   {"collective", name(explanation.problem.collective)},
                                   {"algorithm", candidate.plan.algorithm->id},
                                   {"plan", request_text(candidate.plan)},
                                   {"bytes", explanation.problem.bytes()},
                                   {"ranks", ranks},
                                   {"root", explanation.problem.root},
                                   {"seconds", candidate.seconds},
                                   {"bound_seconds", explanation.bound.seconds},
                                   {"messages", candidate.messages},
                                   {"latency_seconds", split.latency_s},
                                   {"wide_area_seconds", split.wide_area_s},
                                   {"local_seconds", split.local_s},
                                   {"overhead_seconds", split.overhead_s},
                                   {"contention_seconds", split.contention_s},
                                   {"path_messages", split.messages},
                                   {"chosen", number == 0}};
  if (number == 0) {
    record["next_switch_bytes"] = nullptr;
    if (explanation.next) {
      record["next_switch_bytes"] = explanation.next->bytes;
      record["next_switch_plan"] = request_text(explanation.next->plan);
    }
    record["looked_up_to_bytes"] = explanation.looked_up_to_bytes;
  }
  return record;
}

constexpr const char* explanation_csv_head =
    "bytes,plan,seconds,bound_seconds,latency_seconds,wide_area_seconds,local_seconds,overhead_seconds,"
    "contention_seconds,path_messages\n";

std::string explanation_csv(const Explanation& explanation) {
  std::string text;
  for (const ExplainedCandidate& candidate : explanation.candidates) {
    const CostSplit& split = candidate.split;
    text += fmt::format("{},\"{}\",{},{},{},{},{},{},{},{}\n", explanation.problem.bytes(),
                        request_text(candidate.plan), candidate.seconds, explanation.bound.seconds, split.latency_s,
                        split.wide_area_s, split.local_s, split.overhead_s, split.contention_s, split.messages);
  }
  return text;
}

}  // namespace

Explanation explain(const PlacedNetwork& placed, const Problem& problem, bool every_plan) {
  Explanation explanation;
  explanation.problem = problem;
  // First, since it refuses what is too large before it takes memory.
  std::vector<Candidate> tried = candidates(placed, problem, every_plan ? Search::every_algorithm : Search::choice);
  explanation.bound = find_lower_bound(placed, problem);
  if (!every_plan) tried = best_of_each(tried);
  for (const Candidate& candidate : tried) {
    const ProgramSource programs = source(candidate.plan, placed.topology(), problem);
    const Replay timed = replay(placed, problem.element_bytes, programs, true);
    const Schedule schedule = materialise(placed.size(), programs);
    explanation.candidates.push_back({candidate.plan, candidate.seconds, candidate.messages,
                                      critical_path(placed, problem.element_bytes, schedule, timed.timeline)});
  }
  find_switch(placed, explanation);
  if (const Plan& choice = explanation.candidates.front().plan; !choice.parameters.packing.empty())
    explanation.packing = packing_map(placed, problem, choice);
  return explanation;
}

std::string format_explanation(const Explanation& explanation, const PlacedNetwork& placed, Format format, bool colour,
                               bool is_first) {
  const std::string& platform = placed.network().name;
  if (format == Format::table)
    return fmt::format("{}{}{}", is_first ? "" : "\n", heading(explanation, platform, placed.size()),
                       explanation_table(explanation, placed, colour));
  if (format == Format::csv) return (is_first ? explanation_csv_head : "") + explanation_csv(explanation);
  std::string text;
  for (std::size_t i = 0; i < explanation.candidates.size(); ++i)
    text += candidate_json(explanation, platform, placed.size(), i).dump() + "\n";
  return text;
}

}  // namespace isthmus
