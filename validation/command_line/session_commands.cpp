// isthmus run, shell: programs on the emulated network.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>

#include "algorithms/errors.hpp"
#include "emulator/session.hpp"
#include "validation/command_line/commands.hpp"
#include "validation/command_line/run_options.hpp"

namespace isthmus::command_line {
namespace {

struct SessionArguments {
  RunOptions run;
  std::string host;
  std::string record;
  bool drop_in = false, verbose = false;
  std::vector<std::string> writable;
};

void write_out(std::FILE* stream, std::string_view bytes) {
  std::fwrite(bytes.data(), 1, bytes.size(), stream);
  std::fflush(stream);
}

/// Appears whole or not at all.
void write_record(const std::string& file, const Session& session, const SessionResult& result) {
  nlohmann::json record{
      {"platform", session.network.name},     {"ranks", session.placement.size()},     {"command", session.argv},
      {"drop_in", session.drop_in},           {"exit_status", result.exit_status},     {"seconds", result.seconds},
      {"achieved", to_json(result.achieved)}, {"provenance", nlohmann::json::object()}};
  for (const auto& [name, value] : result.provenance) record["provenance"][name] = value;
  const std::string part = fmt::format("{}.{}", file, getpid());
  std::ofstream stream(part);
  stream << record.dump(1, ' ', true, nlohmann::json::error_handler_t::replace) << '\n';
  stream.close();
  std::error_code problem;
  if (stream) std::filesystem::rename(part, file, problem);
  if (!stream || problem) {
    std::filesystem::remove(part, problem);
    throw BadInput(fmt::format("--record {}: cannot be written", file));
  }
}

void add_session_options(CLI::App& command, SessionArguments& arguments) {
  RunOptions& run = arguments.run;
  command.add_option("PLATFORM", run.platform, "SimGrid XML file, or a network in JSON")->required();
  command.add_option("--substrate", run.substrate, substrates_help())->capture_default_str();
  command.add_option("--tolerance", run.tolerance, tolerance_help())->check(CLI::PositiveNumber);
  command.add_option("--timeout", run.timeout_s, "seconds of real time for the whole; none when left out")
      ->check(CLI::PositiveNumber);
  command.add_option("--writable", arguments.writable,
                     "a folder that the program may write to, beside the working folder; may be given again");
  command.add_option("--record", arguments.record, "JSON file: what the links gave, all settings, the time taken");
  command.add_flag("--verbose", arguments.verbose, "say on the standard error what is being done");
}

[[noreturn]] void run_and_end(const SessionArguments& arguments, const Session& session) {
  SessionOptions options;
  options.emulation.substrate = arguments.run.substrate;
  options.emulation.tolerance = arguments.run.tolerance;
  options.emulation.timeout_s = arguments.run.timeout_s;
  if (arguments.verbose) {
    options.emulation.progress = [](const std::string& text) { fmt::print(stderr, "isthmus: {}\n", text); };
  }
  options.writable = arguments.writable;
  options.output = [](std::string_view bytes) { write_out(stdout, bytes); };
  options.errors = [](std::string_view bytes) { write_out(stderr, bytes); };
  const SessionResult result = run_session(session, options);
  if (!arguments.record.empty()) write_record(arguments.record, session, result);
  std::exit(result.exit_status);
}

}  // namespace

void add_run(CLI::App& program, const std::vector<std::string>& words) {
  CLI::App* command =
      program.add_subcommand("run", "any MPI program on the emulated network: isthmus run PLATFORM -- PROGRAM ...");
  auto arguments = std::make_shared<SessionArguments>();
  arguments->run.timeout_s = 0;
  add_session_options(*command, *arguments);
  add_placement_options(*command, arguments->run);
  command->add_flag("--drop-in", arguments->drop_in, "with isthmus's collectives in place of the MPI's");
  command->callback([arguments, words] {
    if (words.empty()) throw BadInput("run: no program; `isthmus run PLATFORM -- PROGRAM ...` would do");
    Session session;
    session.network = read_platform_aloud(arguments->run.platform);
    session.placement = placement_of(arguments->run, session.network);
    session.argv = words;
    session.drop_in = arguments->drop_in;
    run_and_end(*arguments, session);
  });
}

void add_shell(CLI::App& program, const std::vector<std::string>& words) {
  CLI::App* command = program.add_subcommand(
      "shell", "a shell, or a command, on one host of the emulated network: isthmus shell PLATFORM HOST [-- COMMAND]");
  auto arguments = std::make_shared<SessionArguments>();
  arguments->run.timeout_s = 0;
  add_session_options(*command, *arguments);
  command->add_option("HOST", arguments->host, "a host of the platform")->required();
  command->callback([arguments, words] {
    Session session;
    session.network = read_platform_aloud(arguments->run.platform);
    session.placement = place(session.network, PlacementRule::block, 1);
    session.argv = words;
    session.host = arguments->host;
    if (session.argv.empty()) session.argv = {"/bin/bash", "--norc"};
    run_and_end(*arguments, session);
  });
}

}  // namespace isthmus::command_line
