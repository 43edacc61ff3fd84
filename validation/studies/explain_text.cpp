// The explanation of a choice as text: two sentences, a table with bars, the parameters; CSV; JSON.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>

#include "algorithms/collective/parameter_meaning.hpp"
#include "algorithms/text/counted.hpp"
#include "algorithms/text/parts.hpp"
#include "algorithms/text/printable.hpp"
#include "validation/harness/request.hpp"
#include "validation/studies/explain.hpp"
#include "validation/text/packing_text.hpp"
#include "validation/text/plan_text.hpp"
#include "validation/text/tables.hpp"
#include "validation/text/text_table.hpp"
#include "validation/text/units.hpp"
#include "validation/text/wrapped.hpp"

namespace isthmus {
namespace {

/// A part of a plan's time: its name, what it is, its character in bars, and what would lower it.
struct Part {
  double CostSplit::*seconds;
  std::string_view name, bar, meaning;
};
constexpr std::array<Part, 5> parts = {{
    {&CostSplit::latency_s, "latency", "█", "of links, one message after the other"},
    {&CostSplit::wide_area_s, "wide area", "▓", "bytes crossing the links between sites"},
    {&CostSplit::local_s, "local", "▒", "bytes crossing the links inside sites"},
    {&CostSplit::overhead_s, "processors", "░", "sending, receiving and combining"},
    {&CostSplit::contention_s, "waiting", "·", "for links, processors and other ranks"},
}};

constexpr int bar_characters = 20;

/// The parts of the time, each with its share of the characters.
std::string bar_of(const CostSplit& split) {
  const double whole_s = split.seconds();
  std::string bar;
  double before_s = 0;
  for (const Part& part : parts) {
    const auto character_at = [&](double seconds) {
      return whole_s > 0 ? static_cast<int>(seconds / whole_s * bar_characters + 0.5) : 0;
    };
    const double after_s = before_s + split.*part.seconds;
    for (int i = character_at(before_s); i < character_at(after_s); ++i) bar += part.bar;
    before_s = after_s;
  }
  return bar;
}

std::string percent(double part) { return fmt::format("{:.0f} %", 100 * part); }

/// What the plan takes, and what it does.
std::string first_sentence(const Explanation& explanation) {
  const ExplainedCandidate& best = explanation.candidates.front();
  std::string text = fmt::format("Choice: {}, {}", short_plan(request_text(best.plan)), format_seconds(best.seconds));
  if (explanation.bound.seconds > 0)
    text += fmt::format(", {} times the lower bound", format_factor(best.seconds / explanation.bound.seconds));
  return text + fmt::format(": {}.", best.plan.algorithm->summary);
}

/// What fills a link: `64 KiB at 1 MB/s`, `4 B, 404 B with headers, at 30 kB/s`, `64 KiB at the gaps of class wan`.
std::string load_in_words(const LinkLoad& load, const Network& network) {
  const Link& link = network.links[load.link];
  const std::string data = format_amount(load.bytes);
  if (link.link_class >= 0)
    return fmt::format("{} at the gaps of class {}", data, printable(network.classes[link.link_class].name));
  const std::string all = format_amount(load.bytes + load.header_s * link.bandwidth_Bps);
  return fmt::format("{}{} at {}", data, all == data ? "" : fmt::format(", {} with headers,", all),
                     format_rate(link.bandwidth_Bps));
}

/// Which link binds, or what else.
std::string second_sentence(const Explanation& explanation, const Network& network) {
  constexpr double binds = 0.7;  // of the time
  const ExplainedCandidate& best = explanation.candidates.front();
  if (best.seconds <= 0) return {};
  const LinkLoad& busiest = explanation.busiest;
  const double busy = busiest.seconds / best.seconds;
  const std::string link = busiest.link < 0 ? std::string() : printable(network.links[busiest.link].name);
  if (busiest.link >= 0 && busy >= binds)
    return fmt::format(" Link {} binds: {} keep it busy for {} of the time.", link, load_in_words(busiest, network),
                       percent(busy));
  const Part& longest =
      *std::ranges::max_element(parts, {}, [&](const Part& part) { return best.split.*part.seconds; });
  std::string text =
      fmt::format(" No link binds: {} of the time {} {} ({})", percent(best.split.*longest.seconds / best.seconds),
                  longest.seconds == &CostSplit::overhead_s ? "are" : "is", longest.name, longest.meaning);
  if (best.split.messages > 0) text += ", on a path of " + counted(best.split.messages, "message");
  if (busiest.link >= 0) text += fmt::format("; {}, the busiest link, is busy for {}", link, percent(busy));
  return text + ".";
}

std::string switch_sentence(const Explanation& explanation) {
  if (!explanation.ahead) return {};
  const auto& [next, looked_up_to_bytes] = *explanation.ahead;
  if (next)
    return fmt::format(" From about {} on the choice is {}.", format_amount(static_cast<double>(next->bytes)),
                       short_plan(request_text(next->plan)));
  if (looked_up_to_bytes > explanation.problem.bytes())
    return fmt::format(" It is the same algorithm up to {}.", format_bytes(looked_up_to_bytes));
  return {};
}

/// The parameters that the plans of the table have, each with its meaning.
std::string parameters_text(const Explanation& explanation, std::size_t width) {
  std::set<std::string_view> present;
  for (const ExplainedCandidate& candidate : explanation.candidates) {
    const std::string text = request_text(candidate.plan);
    for (const std::string_view parameter : parts_of(candidate.plan.algorithm->parameters, ' '))
      if (text.find(fmt::format("{}=", parameter)) != std::string::npos) present.insert(parameter);
  }
  for (const std::string_view left_out : timing_of_packings) present.erase(left_out);
  std::string text;
  for (const std::string_view parameter : present) {
    const std::string_view shown = parameter == "packing" ? "trees, paths" : parameter;
    text += wrapped(fmt::format("{}: ", shown), meaning_of_parameter(parameter), width);
  }
  return text;
}

/// `allreduce of 64 KiB on das-4x4, 16 ranks:`
std::string heading(const Explanation& explanation, const std::string& platform, int ranks) {
  const Problem& problem = explanation.problem;
  std::string text(name(problem.collective));
  if (carries_data(problem.collective)) text += fmt::format(" of {}", format_bytes(problem.bytes()));
  text += fmt::format(" on {}, {}", printable(platform), counted(ranks, "rank"));
  if (problem.root != 0) text += fmt::format(", root {}", problem.root);
  return text + ":\n";
}

std::string legend(std::size_t width) {
  std::vector<std::string> words;
  for (const Part& part : parts)
    words.push_back(fmt::format("{} {}{}", part.bar, part.name, &part == &parts.back() ? "" : ","));
  return wrapped("Bars: ", words, width);
}

std::string explanation_text(const Explanation& explanation, const PlacedNetwork& placed, Look look) {
  TextTable table(
      {{"plan", "", Align::left}, {"time", "ms"}, {"x bound", ""}, {"where the time goes", "", Align::left}});
  for (const ExplainedCandidate& candidate : explanation.candidates)
    table.add(
        {short_plan(request_text(candidate.plan)), format_milliseconds(candidate.seconds),
         explanation.bound.seconds > 0 ? format_factor(candidate.seconds / explanation.bound.seconds) : std::string(),
         bar_of(candidate.split)});
  std::string text = wrapped(
      "", first_sentence(explanation) + second_sentence(explanation, placed.network()) + switch_sentence(explanation),
      look.width);
  text += "\n" + table.text(look.colour, look.width) + legend(look.width) + parameters_text(explanation, look.width);
  if (explanation.packing)
    text += "\n" + packing_text(*explanation.packing, explanation.bound, placed.network(),
                                explanation.candidates.front().seconds, look.colour);
  return text;
}

nlohmann::ordered_json candidate_json(const Explanation& explanation, const std::string& platform, int ranks,
                                      std::size_t number, std::span<const std::string> set_links) {
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
  if (!set_links.empty()) record["set"] = std::vector<std::string>(set_links.begin(), set_links.end());
  if (number == 0 && explanation.ahead) {
    const auto& [next, looked_up_to_bytes] = *explanation.ahead;
    record["next_switch_bytes"] = nullptr;
    if (next) {
      record["next_switch_bytes"] = next->bytes;
      record["next_switch_plan"] = request_text(next->plan);
    }
    record["looked_up_to_bytes"] = looked_up_to_bytes;
  }
  return record;
}

constexpr const char* explanation_csv_head =
    "platform,collective,bytes,ranks,root,plan,seconds,bound_seconds,latency_seconds,wide_area_seconds,local_seconds,"
    "overhead_seconds,contention_seconds,path_messages\n";

std::string explanation_csv(const Explanation& explanation, const std::string& platform, int ranks) {
  const Problem& problem = explanation.problem;
  std::string text;
  for (const ExplainedCandidate& candidate : explanation.candidates) {
    const CostSplit& split = candidate.split;
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", csv_field(platform), name(problem.collective),
                        problem.bytes(), ranks, problem.root, csv_field(request_text(candidate.plan)),
                        candidate.seconds, explanation.bound.seconds, split.latency_s, split.wide_area_s, split.local_s,
                        split.overhead_s, split.contention_s, split.messages);
  }
  return text;
}

}  // namespace

std::string format_explanation(const Explanation& explanation, const PlacedNetwork& placed, Format format, Look look,
                               bool is_first, std::span<const std::string> set_links) {
  const std::string& platform = placed.network().name;
  if (format == Format::table)
    return fmt::format("{}{}{}", is_first ? "" : "\n",
                       heading(explanation, platform_text(platform, set_links), placed.size()),
                       with_symbols_of(look, explanation_text(explanation, placed, look)));
  if (format == Format::csv)
    return (is_first ? explanation_csv_head : "") + explanation_csv(explanation, platform, placed.size());
  std::string text;
  for (std::size_t i = 0; i < explanation.candidates.size(); ++i)
    text += candidate_json(explanation, platform, placed.size(), i, set_links).dump() + "\n";
  return text;
}

}  // namespace isthmus
