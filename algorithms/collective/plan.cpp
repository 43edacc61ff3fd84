// Plans: as text, checked against a problem, and as the source of programs.
#include <algorithm>
#include <array>
#include <limits>
#include <memory>

#include "algorithms/collective/algorithm.hpp"
#include "algorithms/collective/mpi_own.hpp"
#include "algorithms/collective/parameter_meaning.hpp"
#include "algorithms/collective/shared_work.hpp"
#include "algorithms/errors.hpp"
#include "algorithms/relays/relays.hpp"
#include "algorithms/text/near_matches.hpp"
#include "algorithms/text/parse_number.hpp"
#include "algorithms/text/parts.hpp"
#include "algorithms/text/printable.hpp"
#include "algorithms/text/sizes.hpp"

namespace isthmus {
namespace {

std::int64_t parse_segment(std::string_view value) {
  if (value == "none") return 0;
  if (value == "auto") throw BadInput("segment=auto is for the search to fill in; a plan says a size or `none`");
  const std::int64_t bytes = parse_size(value);
  if (bytes < 1) throw BadInput("segment=" + excerpt(value) + " is no size of a segment; at least 1, or `none`");
  if (bytes > max_countable_bytes)
    throw BadInput("segment=" + excerpt(value) + " is no size of a segment; at most 2^62, or `none`");
  return bytes;
}

int parse_degree(std::string_view key, std::string_view value) {
  const std::optional<int> degree = parse_number<int>(value);
  if (!degree || *degree < 1)
    throw BadInput(std::string(key) + "=" + excerpt(value) + ": a whole number from 1 to " +
                   std::to_string(std::numeric_limits<int>::max()) + " would be right");
  return *degree;
}

std::vector<std::string> parse_levels(std::string_view value) {
  const std::vector<std::string_view> names = parts_of(value, '/');
  return {names.begin(), names.end()};
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : "/") + name;
  return text;
}

/// A parameter as text and back. One row each; the texts appear in this order.
struct ParameterText {
  std::string_view name, meaning;
  void (*parse)(Parameters& into, std::string_view value);
  std::string (*text)(const Parameters& of);  ///< empty at its default
  bool (*valid)(const Parameters& of);
};

std::string degree_text(int degree) { return degree == 0 ? "" : std::to_string(degree); }

constexpr int max_thousandths = 1000;

bool is_thousandths(int number) { return number >= 0 && number <= max_thousandths; }

int parse_thousandths(std::string_view key, std::string_view value) {
  const std::optional<int> number = parse_number<int>(value);
  if (!number || !is_thousandths(*number))
    throw BadInput(std::string(key) + "=" + excerpt(value) + ": thousandths, from 0 to " +
                   std::to_string(max_thousandths) + ", would be right");
  return *number;
}

constexpr std::array<ParameterText, 15> parameter_texts = {{
    {"segment", "messages are sent in pieces of this size, one after the other; none: whole",
     [](Parameters& into, std::string_view value) { into.segment_bytes = parse_segment(value); },
     [](const Parameters& of) { return of.segment_bytes == 0 ? "" : size_text(of.segment_bytes); },
     [](const Parameters& of) { return of.segment_bytes >= 0; }},
    {"degree", "how many ranks each rank of the tree sends to; of a k-chain the number of chains",
     [](Parameters& into, std::string_view value) { into.degree = parse_degree("degree", value); },
     [](const Parameters& of) { return degree_text(of.degree); }, [](const Parameters& of) { return of.degree >= 0; }},
    {"wan-degree", "how many coordinators each one sends to in the tree between sites",
     [](Parameters& into, std::string_view value) { into.wan_degree = parse_degree("wan-degree", value); },
     [](const Parameters& of) { return degree_text(of.wan_degree); },
     [](const Parameters& of) { return of.wan_degree >= 0; }},
    {"lan-degree", "how many ranks each one sends to in the trees inside a site",
     [](Parameters& into, std::string_view value) { into.lan_degree = parse_degree("lan-degree", value); },
     [](const Parameters& of) { return degree_text(of.lan_degree); },
     [](const Parameters& of) { return of.lan_degree >= 0; }},
    {"levels", "the tree between sites, then inside them, outermost first; the last repeats; mpi: the MPI's own",
     [](Parameters& into, std::string_view value) { into.levels = parse_levels(value); },
     [](const Parameters& of) { return joined(of.levels); }, [](const Parameters&) { return true; }},
    {"patterns", "the tree inside each group, one for each",
     [](Parameters& into, std::string_view value) { into.patterns = parse_levels(value); },
     [](const Parameters& of) { return joined(of.patterns); }, [](const Parameters&) { return true; }},
    {"merged", "so many outer levels of groups count as one",
     [](Parameters& into, std::string_view value) {
       const int levels = parse_degree("merged", value);
       into.merged = levels > 1 ? levels : 0;
     },
     [](const Parameters& of) { return degree_text(of.merged); }, [](const Parameters& of) { return of.merged >= 0; }},
    {"inside", "mpi: ranks inside a site make a call of the MPI's own; else trees",
     [](Parameters& into, std::string_view value) { into.inside = value; },
     [](const Parameters& of) { return of.inside; }, [](const Parameters&) { return true; }},
    {"packing", "the ways of the data through the sites with their shares, shown as their number",
     [](Parameters& into, std::string_view value) { into.packing.ways = parse_ways(value); },
     [](const Parameters& of) { return to_string(of.packing.ways); }, [](const Parameters&) { return true; }},
    {"drivers", "how many ranks of each site pieces enter and leave by, in turn",
     [](Parameters& into, std::string_view value) { into.packing.drivers = parse_drivers(value); },
     [](const Parameters& of) { return drivers_text(of.packing.drivers); }, [](const Parameters&) { return true; }},
    {"lag", "the time of a hop between sites, in thousandths of the whole time",
     [](Parameters& into, std::string_view value) { into.packing.lag = parse_thousandths("lag", value); },
     [](const Parameters& of) { return degree_text(of.packing.lag); },
     [](const Parameters& of) { return is_thousandths(of.packing.lag); }},
    {"slack", "how late a piece may be before a site waits with its own, in the same unit",
     [](Parameters& into, std::string_view value) { into.packing.slack = parse_thousandths("slack", value); },
     [](const Parameters& of) { return degree_text(of.packing.slack); },
     [](const Parameters& of) { return is_thousandths(of.packing.slack); }},
    {"credit", "how far a rank's operands may run ahead of the sums of the rank above, in the same unit",
     [](Parameters& into, std::string_view value) { into.packing.credit = parse_thousandths("credit", value); },
     [](const Parameters& of) { return degree_text(of.packing.credit); },
     [](const Parameters& of) { return is_thousandths(of.packing.credit); }},
    {"lines", "latency (us) and rate (kB/s) of the lines between sites, which tell the order of the pieces",
     [](Parameters& into, std::string_view value) { into.packing.lines = parse_lines(value); },
     [](const Parameters& of) { return lines_text(of.packing.lines); }, [](const Parameters&) { return true; }},
    {"selector", "what chooses among the MPI's own algorithms",
     [](Parameters& into, std::string_view value) { into.selector = value; },
     [](const Parameters& of) { return of.selector; }, [](const Parameters&) { return true; }},
}};

/// Relaying ranks have to know what they pass on.
void check_relays(const Topology& topology, const Problem& problem) {
  const Connectivity& connectivity = topology.connectivity();
  if (connectivity.complete()) return;
  if (const auto [from, to] = connectivity.unreachable(); from >= 0) connectivity.classes_between(from, to);
  if (!problem.counts_known)
    throw BadInput("blocks whose sizes only some ranks know cannot be relayed between ranks without a route");
}

ProgramSource direct_source(const Plan& plan, const Topology& topology, const Problem& problem) {
  const auto shared = std::make_shared<SharedWork>();
  if (const int merged = plan.parameters.merged; merged > 1) {
    const auto seen = std::make_shared<const Topology>(topology.with_merged(merged));
    return [&plan, seen, &problem, shared](int rank, Program& program) {
      plan.algorithm->write(program, {rank, *seen, problem, plan.parameters, shared.get()});
    };
  }
  return [&plan, &topology, &problem, shared](int rank, Program& program) {
    plan.algorithm->write(program, {rank, topology, problem, plan.parameters, shared.get()});
  };
}

void check_serves(const Plan& plan, const Topology& topology, const Problem& problem) {
  const auto patterns = std::ssize(plan.parameters.patterns), groups = std::ssize(topology.groups());
  if (patterns > groups)
    throw BadInput("patterns: " + std::to_string(patterns) + " trees for " + std::to_string(groups) +
                   " groups; at most one a group would be right");
  if (plan.algorithm->serves == nullptr) return;
  if (const int merged = plan.parameters.merged; merged > 1)
    plan.algorithm->serves(topology.with_merged(merged), problem, plan.parameters);
  else
    plan.algorithm->serves(topology, problem, plan.parameters);
}

BadInput not_taken(const Algorithm& algorithm, std::string_view parameter) {
  const std::string text = std::string(algorithm.id) + " takes no parameter `" + excerpt(parameter) + "`";
  if (algorithm.parameters.empty()) return BadInput(text + ": it has none");
  return BadInput(text + near_matches(parameter, parts_of(algorithm.parameters, ' ')));
}

void check_parameters(const Algorithm& algorithm, const Parameters& parameters) {
  for (const ParameterText& parameter : parameter_texts) {
    const std::string text = parameter.text(parameters);
    if (!text.empty() && !takes(algorithm, parameter.name)) throw not_taken(algorithm, parameter.name);
    if (!parameter.valid(parameters))
      throw BadInput(std::string(parameter.name) + "=" + text + " is negative; 0 stands for the default");
  }
  if (algorithm.check != nullptr) algorithm.check(parameters);
}

}  // namespace

bool takes(const Algorithm& algorithm, std::string_view parameter) {
  for (std::string_view names = algorithm.parameters; !names.empty();) {
    const std::size_t end = std::min(names.find(' '), names.size());
    if (names.substr(0, end) == parameter) return true;
    names.remove_prefix(std::min(end + 1, names.size()));
  }
  return false;
}

std::string_view meaning_of_parameter(std::string_view name) {
  for (const ParameterText& parameter : parameter_texts)
    if (parameter.name == name) return parameter.meaning;
  return {};
}

Plan parse_plan(const Algorithm& algorithm, std::string_view text) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  Plan plan{&algorithm, {}};
  if (colon == text.size()) return plan;
  std::vector<std::string_view> seen;
  for (const std::string_view setting : parts_of(text.substr(colon + 1), ',')) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string_view::npos)
      throw BadInput("`" + excerpt(setting) + "` in `" + excerpt(text) + "`: NAME=VALUE would be right");
    const std::string_view key = setting.substr(0, equals);
    if (!takes(*plan.algorithm, key)) throw not_taken(*plan.algorithm, key);
    if (std::find(seen.begin(), seen.end(), key) != seen.end())
      throw BadInput("`" + std::string(key) + "` is given twice in `" + excerpt(text) + "`");
    seen.push_back(key);
    for (const ParameterText& parameter : parameter_texts)
      if (parameter.name == key) parameter.parse(plan.parameters, setting.substr(equals + 1));
  }
  check_parameters(*plan.algorithm, plan.parameters);
  return plan;
}

std::string to_string(const Plan& plan) {
  std::string text(plan.algorithm->id);
  char before = ':';
  for (const ParameterText& parameter : parameter_texts) {
    const std::string value = parameter.text(plan.parameters);
    if (value.empty()) continue;
    text.append(1, before).append(parameter.name).append("=").append(value);
    before = ',';
  }
  return text;
}

void check(const Plan& plan, const Topology& topology, const Problem& problem) {
  check_parameters(*plan.algorithm, plan.parameters);
  if (plan.algorithm->collective != problem.collective)
    throw BadInput(std::string(plan.algorithm->id) + " is an algorithm for " +
                   std::string(name(plan.algorithm->collective)) + ", not for " +
                   std::string(name(problem.collective)));
  check_problem(problem, topology.size());
  const std::int64_t segment = plan.parameters.segment_bytes;
  if (const std::int64_t over = segment % problem.element_bytes; over != 0) {
    const std::int64_t below = segment - over;
    throw BadInput("a segment of " + std::to_string(segment) + " bytes is not a multiple of the element's " +
                   std::to_string(problem.element_bytes) + "; " + (below > 0 ? std::to_string(below) + " or " : "") +
                   std::to_string(below + problem.element_bytes) + " would be right");
  }
  try {
    check_serves(plan, topology, problem);
    check_relays(topology, problem);
  } catch (const BadInput& error) {
    throw BadInput(std::string(name(problem.collective)) + "/" + to_string(plan) + ": " + error.what());
  }
}

bool serves(const Plan& plan, const Topology& topology, const Problem& problem) {
  try {
    check_serves(plan, topology, problem);
    check_relays(topology, problem);
    return true;
  } catch (const BadInput&) {
    return false;
  }
}

ProgramSource source(const Plan& plan, const Topology& topology, const Problem& problem) {
  if (plan.algorithm->write == nullptr)
    throw BadInput(std::string(name(plan.algorithm->collective)) + "/" + to_string(plan) + ": " +
                   std::string(no_schedule));
  const Connectivity& connectivity = topology.connectivity();
  if (connectivity.complete()) return direct_source(plan, topology, problem);
  check_relays(topology, problem);
  return with_relays(direct_source(plan, topology, problem), connectivity, topology.size(),
                     relayed_piece_bytes / problem.element_bytes);
}

}  // namespace isthmus
