// isthmus list: collectives, algorithms, their parameters and papers.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "algorithms/catalog.hpp"
#include "algorithms/collective/mpi_own.hpp"
#include "algorithms/collective/parameter_meaning.hpp"
#include "algorithms/errors.hpp"
#include "algorithms/packed/packed.hpp"
#include "algorithms/text/near_matches.hpp"
#include "algorithms/text/parts.hpp"
#include "algorithms/text/printable.hpp"
#include "validation/command_line/commands.hpp"
#include "validation/text/tables.hpp"
#include "validation/text/terminal.hpp"
#include "validation/text/wrapped.hpp"

namespace isthmus::command_line {
namespace {

std::string full_name(const Algorithm& algorithm) {
  return fmt::format("{}/{}", name(algorithm.collective), algorithm.id);
}

std::vector<const Algorithm*> all_algorithms() {
  std::vector<const Algorithm*> all;
  for (const Algorithm& algorithm : algorithms()) all.push_back(&algorithm);
  return all;
}

/// Those of a collective; one algorithm by its whole name; or those of an id in all collectives.
std::vector<const Algorithm*> algorithms_named(const std::string& text) {
  if (text.empty()) return all_algorithms();
  if (const std::size_t slash = text.find('/'); slash != std::string::npos) {
    const Collective collective = collective_named(text.substr(0, slash));
    const std::string plan = text.substr(slash + 1);
    if (plan == mpi_own(collective).id) return {&mpi_own(collective)};
    return {parse_plan(collective, plan).algorithm};
  }
  std::vector<const Algorithm*> found = all_algorithms();
  std::erase_if(found, [&](const Algorithm* algorithm) { return algorithm->id != text; });
  if (!found.empty()) return found;
  if (text == mpi_own(Collective::broadcast).id) return {&mpi_own(Collective::broadcast)};
  try {
    return algorithms_of(collective_named(text));
  } catch (const BadInput&) {
    std::vector<std::string_view> known;
    for (const Collective collective : collectives()) known.push_back(name(collective));
    const std::size_t listed = known.size();
    for (const Algorithm& algorithm : algorithms())
      if (std::ranges::find(known, algorithm.id) == known.end()) known.push_back(algorithm.id);
    throw BadInput(fmt::format("no collective or algorithm `{}`{}", excerpt(text), near_matches(text, known, listed)));
  }
}

/// The whole description of one algorithm.
std::string description(const Algorithm& algorithm, std::size_t width) {
  std::string text = full_name(algorithm) + "\n";
  text += wrapped("  ", algorithm.summary, width) + wrapped("  Paper: ", algorithm.paper, width);
  if (algorithm.uses_groups) text += "  It uses the groups of the ranks: sites, machines, nodes.\n";
  for (const std::string_view parameter : parts_of(algorithm.parameters, ' '))
    if (!parameter.empty())
      text += wrapped(fmt::format("  {:<11} ", parameter), meaning_of_parameter(parameter), width);
  const Counterpart& other = algorithm.counterpart;
  if (!other.openmpi_name.empty()) text += fmt::format("  Open MPI (coll/tuned): {}\n", other.openmpi_name);
  if (!other.mpich.empty()) text += fmt::format("  MPICH: {}\n", other.mpich);
  if (!other.nccl.empty()) text += fmt::format("  NCCL: {}\n", other.nccl);
  return text;
}

std::string short_list(const std::vector<const Algorithm*>& listed, std::size_t width) {
  std::string text;
  for (const Algorithm* algorithm : listed) {
    text += full_name(*algorithm);
    if (!algorithm->parameters.empty()) text += fmt::format("  [{}]", algorithm->parameters);
    text += "\n" + wrapped("    ", algorithm->summary, width) + wrapped("    ", algorithm->paper, width);
  }
  return text;
}

std::string json_lines(const std::vector<const Algorithm*>& listed) {
  std::string text;
  for (const Algorithm* algorithm : listed) {
    const nlohmann::ordered_json record = {{"collective", name(algorithm->collective)},
                                           {"algorithm", algorithm->id},
                                           {"summary", algorithm->summary},
                                           {"paper", algorithm->paper},
                                           {"parameters", algorithm->parameters},
                                           {"uses_groups", algorithm->uses_groups}};
    text += record.dump() + "\n";
  }
  return text;
}

std::string csv_lines(const std::vector<const Algorithm*>& listed) {
  std::string text = "collective,algorithm,summary,paper,parameters,uses_groups\n";
  for (const Algorithm* algorithm : listed)
    text += fmt::format("{},{},{},{},{},{}\n", name(algorithm->collective), algorithm->id,
                        csv_field(std::string(algorithm->summary)), csv_field(std::string(algorithm->paper)),
                        algorithm->parameters, algorithm->uses_groups);
  return text;
}

void print_list(const std::string& asked, Format format) {
  const std::size_t width = look_of_output().width;
  const std::vector<const Algorithm*> listed = algorithms_named(asked);
  if (format == Format::json) return fmt::print("{}", json_lines(listed));
  if (format == Format::csv) return fmt::print("{}", csv_lines(listed));
  if (listed.size() == 1) {
    fmt::print("{}", description(*listed.front(), width));
  } else {
    fmt::print("{}", short_list(listed, width));
  }
  if (asked.empty()) {
    const Algorithm& own = mpi_own(Collective::broadcast);
    fmt::print("COLLECTIVE/{}  [{}]\n{}{}", own.id, own.parameters,
               wrapped("    ", fmt::format("{}: simulated and emulated for comparison", own.summary), width),
               wrapped("    ", own.paper, width));
  }
  if (std::ranges::any_of(listed, [](const Algorithm* one) { return takes(*one, "packing"); }))
    fmt::print("\n{}", wrapped("", fmt::format("{}", fmt::join(packed_explanation, " ")), width));
}

}  // namespace

void add_list(CLI::App& program) {
  CLI::App* command = program.add_subcommand("list", "collectives, algorithms, parameters, the paper of each");
  auto asked = std::make_shared<std::string>();
  auto format = std::make_shared<std::string>("table");
  command->add_option("NAME", *asked, "a collective, an algorithm, or COLLECTIVE/ALGORITHM; default: all");
  command->add_option("--format", *format, "table, csv or json (one algorithm a line)")->capture_default_str();
  command->callback([asked, format] { print_list(*asked, format_named(*format)); });
}

}  // namespace isthmus::command_line
