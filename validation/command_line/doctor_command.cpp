// isthmus doctor: what can be used on this machine, and how to get the rest. The long form of --version.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/errors.hpp"
#include "algorithms/process/child.hpp"
#include "algorithms/process/first_line.hpp"
#include "algorithms/process/system.hpp"
#include "emulator/substrates/substrate.hpp"
#include "isthmus_commit.hpp"
#include "validation/command_line/commands.hpp"
#include "validation/command_line/options/output.hpp"
#include "validation/text/tables.hpp"
#include "validation/text/terminal.hpp"
#include "validation/text/wrapped.hpp"

namespace isthmus::command_line {
namespace {

/// Something that isthmus can use: what it is here, or why it is not here and how to get it.
struct Finding {
  std::string name, text;
  bool usable = false;
};

Finding program_finding(const std::string& name, const std::string& program, const std::string& package) {
  const std::string path = program_path(program);
  if (path.empty()) return {name, fmt::format("no {}; `apt-get install {}` brings it", program, package)};
  const std::string version = first_line_of({path, "--version"});
  return {name, version.empty() ? path : version, true};
}

Finding mpich_finding() {
  const std::string path = program_path("mpiexec.mpich");
  if (path.empty()) return {"MPICH", "no mpiexec.mpich; `apt-get install mpich` brings it"};
  return {"MPICH", path, true};
}

Finding helper_finding(const std::string& name, const std::string& helper, const std::string& text) {
  try {
    helper_program(helper);
    return {name, text, true};
  } catch (const Missing& missing) {
    return {name, missing.what()};
  }
}

std::vector<Finding> substrate_findings() {
  std::vector<Finding> findings;
  for (const SubstrateKind& kind : substrate_kinds()) {
    const Availability found = kind.look();
    const std::string by_name = kind.taken_by_auto ? "" : ", by its name alone";
    findings.push_back(
        {std::string(kind.name), found.substrate ? "usable" + by_name : found.reason, found.substrate.has_value()});
  }
  return findings;
}

std::vector<Finding> mpi_findings() {
  return {helper_finding("SimGrid", "isthmus-smpi", ISTHMUS_SIMGRID),
          program_finding("Open MPI", "mpirun", "openmpi-bin"), mpich_finding()};
}

std::string finding_lines(const std::vector<Finding>& findings, std::size_t width) {
  std::string text;
  for (const Finding& finding : findings)
    text += wrapped(fmt::format("  {} {:<12}", finding.usable ? "yes" : "no ", finding.name), finding.text, width);
  return text;
}

/// A line for each finding.
std::string finding_records(const std::vector<Finding>& findings, std::string_view kind, Format format) {
  std::string text;
  for (const Finding& finding : findings) {
    if (format == Format::csv) {
      text += fmt::format("{},{},{},{}\n", kind, csv_field(finding.name), finding.usable ? "yes" : "no",
                          csv_field(finding.text));
      continue;
    }
    const nlohmann::ordered_json line = {
        {"kind", kind}, {"name", finding.name}, {"usable", finding.usable}, {"text", finding.text}};
    text += line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  }
  return text;
}

void print_doctor(Format format) {
  const std::size_t width = look_of_output().width;
  const std::vector<Finding> worlds = mpi_findings(), substrates = substrate_findings();
  if (format != Format::table) {
    fmt::print("{}{}{}", format == Format::csv ? "kind,name,usable,text\n" : "",
               finding_records(worlds, "source", format), finding_records(substrates, "substrate", format));
    std::fflush(stdout);
    if (std::ranges::any_of(substrates, &Finding::usable)) return;
    throw Missing("no substrate to emulate on; the list tells what each of them lacks");
  }
  fmt::print("{}\n\nWhat times are made with:\n", version_line());
  fmt::print("{}", finding_lines({{"models", "always (isthmus predict, explain, tune, sensitivity)", true}}, width));
  fmt::print("{}", finding_lines(worlds, width));
  fmt::print("\nWhat networks are emulated on (isthmus emulate, compare, run; --substrate):\n{}",
             finding_lines(substrates, width));
  std::fflush(stdout);
  if (std::ranges::any_of(substrates, &Finding::usable)) return;
  throw Missing("no substrate to emulate on; the list tells what each of them lacks");
}

}  // namespace

std::string version_line() {
  const std::string commit = ISTHMUS_COMMIT;
  return fmt::format("isthmus {}{}", ISTHMUS_VERSION, commit.empty() ? "" : " (" + commit + ")");
}

std::string version_text() {
  std::string text = version_line();
  for (const Finding& finding : mpi_findings())
    text += fmt::format("\n{}: {}", finding.name, finding.usable ? finding.text : "none");
  std::vector<std::string> usable;
  for (const Finding& finding : substrate_findings())
    if (finding.usable) usable.push_back(finding.name);
  return text + fmt::format("\nsubstrates: {}", usable.empty() ? "none" : fmt::format("{}", fmt::join(usable, ", ")));
}

void add_doctor(CLI::App& program) {
  CLI::App* command = program.add_subcommand("doctor", "what can be used on this machine, and how to get the rest");
  auto format = std::make_shared<std::string>("table");
  command->add_option("--format", *format, "table, csv or json (a line for each finding)")->capture_default_str();
  command->callback([format] { print_doctor(format_named(*format)); });
}

}  // namespace isthmus::command_line
