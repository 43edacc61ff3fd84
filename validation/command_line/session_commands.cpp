// isthmus run, capture, shell: programs on the emulated network.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "algorithms/errors.hpp"
#include "algorithms/process/whole_file.hpp"
#include "algorithms/text/printable.hpp"
#include "emulator/client/session.hpp"
#include "validation/command_line/commands.hpp"
#include "validation/command_line/options/choices.hpp"
#include "validation/command_line/options/output.hpp"
#include "validation/command_line/options/run_options.hpp"
#include "validation/harness/notes.hpp"

namespace isthmus::command_line {
namespace {

struct SessionArguments {
  RunOptions run;
  std::string host;
  std::string record;
  std::string mpi = "auto";
  bool drop_in = false, verbose = false;
  std::vector<std::string> writable;
};

void write_out(std::FILE* stream, std::string_view bytes) {
  std::fwrite(bytes.data(), 1, bytes.size(), stream);
  std::fflush(stream);
}

void write_record(const std::string& file, const Session& session, const SessionResult& result) {
  nlohmann::json record{{"platform", session.network.name}, {"ranks", session.placement.size()},
                        {"command", session.argv},          {"mpi", session.mpich ? "mpich" : "openmpi"},
                        {"drop_in", session.drop_in},       {"exit_status", result.exit_status},
                        {"seconds", result.seconds}};
  record.update(nlohmann::json(static_cast<const AgentReport&>(result)));
  write_whole_file(file, record.dump(1, ' ', true, nlohmann::json::error_handler_t::replace) + "\n");
}

void add_session_options(CLI::App& command, SessionArguments& arguments) {
  RunOptions& run = arguments.run;
  add_platform_option(command, run);
  add_substrate_options(command, run.emulation);
  add_conditions_option(command, run);
  add_room_options(command, run.emulation);
  command.add_option("--timeout", run.emulation.timeout_s, "limit in seconds of real time; default: none")
      ->check(CLI::PositiveNumber);
  command.add_option("--writable", arguments.writable,
                     "a folder, besides the working folder, that the program may write to; may be repeated");
  command.add_option("--record", arguments.record, "JSON file for achieved link figures, settings and time taken");
  command.add_flag("--verbose", arguments.verbose, "print progress on the standard error");
}

void add_mpi_option(CLI::App& command, SessionArguments& arguments) {
  command
      .add_option(
          "--mpi", arguments.mpi,
          "the MPI whose mpirun starts the program: openmpi, mpich, or auto (mpich if the program is linked with it)")
      ->capture_default_str()
      ->check(one_of({"auto", "openmpi", "mpich"}));
}

bool uses_mpich(const SessionArguments& arguments, const std::string& program) {
  return arguments.mpi == "mpich" || (arguments.mpi == "auto" && needs_mpich(program));
}

[[noreturn]] void run_and_end(const SessionArguments& arguments, const Session& session,
                              OutputFile* captured = nullptr) {
  check_outputs({arguments.record}, {arguments.run.platform, arguments.run.conditions});
  SessionOptions options;
  options.emulation = emulation_of(arguments.run);
  if (arguments.verbose) options.progress = print_error_line;
  options.writable = arguments.writable;
  options.output = [](std::string_view bytes) { write_out(stdout, bytes); };
  options.errors = [](std::string_view bytes) { write_out(stderr, bytes); };
  options.pass_signals = true;
  if (captured != nullptr) options.capture = [&](std::string_view bytes) { captured->write(bytes); };
  const SessionResult result = run_session(session, options);
  if (captured != nullptr) captured->appear();
  if (!arguments.record.empty()) write_record(arguments.record, session, result);
  std::vector<Note> notes = result.notes;
  if (!arguments.record.empty() || arguments.verbose) {
    const std::map<std::string, std::string> provenance(result.provenance.begin(), result.provenance.end());
    if (const auto note = note_of_starvation(result.processor_waited, provenance.at("substrate")))
      notes.push_back(*note);
  }
  print_notes(notes);
  std::exit(with_output_written(result.exit_status));
}

/// With the drop-in, ranks have the network of the platform, whatever the user's variable names.
void note_other_network(const SessionArguments& arguments) {
  const char* network = std::getenv("ISTHMUS_NETWORK");
  if (!arguments.drop_in || network == nullptr || *network == '\0') return;
  const Note note{Note::Kind::replaced_setting,
                  fmt::format("ISTHMUS_NETWORK={} is not used: the ranks have the network of {}", excerpt(network),
                              excerpt(arguments.run.platform)),
                  "`isthmus run FILE` takes that file as the network"};
  print_notes({&note, 1});
}

}  // namespace

void add_run(CLI::App& program, const std::vector<std::string>& words) {
  CLI::App* command =
      program.add_subcommand("run", "any MPI program on the emulated network: isthmus run PLATFORM -- PROGRAM ...");
  auto arguments = std::make_shared<SessionArguments>();
  arguments->run.emulation.timeout_s = 0;
  add_session_options(*command, *arguments);
  add_placement_options(*command, arguments->run);
  add_mpi_option(*command, *arguments);
  command->add_flag("--drop-in", arguments->drop_in, "with isthmus's collectives in place of the MPI's");
  command->callback([arguments, words] {
    if (words.empty()) throw BadInput("run: no program; `isthmus run PLATFORM -- PROGRAM ...` would be right");
    Session session;
    session.network = read_platform_with_warnings(arguments->run);
    session.placement = placement_of(arguments->run, session.network);
    session.argv = words;
    session.mpich = uses_mpich(*arguments, words.front());
    session.drop_in = arguments->drop_in;
    note_other_network(*arguments);
    run_and_end(*arguments, session);
  });
}

void add_capture(CLI::App& program, const std::vector<std::string>& words) {
  CLI::App* command = program.add_subcommand(
      "capture",
      "the frames of a link while a program runs, as a pcap file: isthmus capture PLATFORM LINK -o FILE -- PROGRAM");
  auto arguments = std::make_shared<SessionArguments>();
  auto link = std::make_shared<std::string>();
  auto file = std::make_shared<std::string>();
  arguments->run.emulation.timeout_s = 0;
  add_session_options(*command, *arguments);
  command->add_option("LINK", *link, "a link of the platform")->required();
  command->add_option("-o,--output", *file, "the pcap file")->required();
  add_placement_options(*command, arguments->run);
  add_mpi_option(*command, *arguments);
  command->callback([arguments, link, file, words] {
    if (words.empty())
      throw BadInput("capture: no program; `isthmus capture PLATFORM LINK -o FILE -- PROGRAM` would be right");
    Session session;
    session.network = read_platform_with_warnings(arguments->run);
    session.placement = placement_of(arguments->run, session.network);
    session.argv = words;
    session.mpich = uses_mpich(*arguments, words.front());
    session.capture = *link;
    OutputFile captured(*file);
    run_and_end(*arguments, session, &captured);
  });
}

void add_shell(CLI::App& program, const std::vector<std::string>& words) {
  CLI::App* command = program.add_subcommand(
      "shell", "a shell, or a command, on one host of the emulated network: isthmus shell PLATFORM HOST [-- COMMAND]");
  auto arguments = std::make_shared<SessionArguments>();
  arguments->run.emulation.timeout_s = 0;
  add_session_options(*command, *arguments);
  command->add_option("HOST", arguments->host, "a host of the platform")->required();
  command->callback([arguments, words] {
    Session session;
    session.network = read_platform_with_warnings(arguments->run);
    session.placement = place_ranks(session.network, PlacementRule::block, 1);
    session.argv = words;
    session.host = arguments->host;
    if (session.argv.empty()) session.argv = {"/bin/bash", "--norc"};
    run_and_end(*arguments, session);
  });
}

}  // namespace isthmus::command_line
