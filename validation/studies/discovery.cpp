#include "validation/studies/discovery.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "algorithms/errors.hpp"
#include "algorithms/network/forwarded_routes.hpp"
#include "algorithms/process/child.hpp"
#include "algorithms/process/system.hpp"
#include "algorithms/text/parts.hpp"
#include "sim/discover.hpp"
#include "validation/studies/ranks_output.hpp"

namespace isthmus {
namespace {

using nlohmann::literals::operator""_json_pointer;

constexpr std::string_view discoverer = "isthmus-discover";

/// Thrown when a job has printed its network but cannot end, because ranks of it do not answer.
struct CannotEnd {};

bool has_silent_ranks(const std::string& line) {
  const auto network = nlohmann::json::parse(line, nullptr, false);
  return network.is_object() && network.contains("/discovery/silent"_json_pointer);
}

/// Finds the line with the network in the ranks' output. Throws Refused, with their error, when there is none.
Discovered network_among(const std::string& output, const std::string& errors, const std::string& who,
                         const std::string& how_it_ended) {
  for (const std::string_view text : parts_of(output, '\n')) {
    const auto line = nlohmann::json::parse(text, nullptr, false);
    if (line.is_object()) return discovered_from_json(line);
  }
  const std::string prefix = fmt::format("{}: ", discoverer);
  const std::size_t at = errors.find(prefix);
  std::string words = at == std::string::npos ? errors : errors.substr(at + prefix.size());
  words.erase(0, words.find_first_not_of("\n -"));
  words.erase(std::min(words.find('\n'), words.size()));
  throw Refused(fmt::format("{}: {}{}{}", who, how_it_ended, words.empty() ? "" : ": ", words));
}

Discovered discover_emulated(const DiscoveryRequest& request) {
  const Network& network = request.placed.network();
  DiscoverySettings settings = request.settings;
  settings.common_clock = true;  // all hosts are containers of one machine
  const auto [output, errors, exit_status] =
      output_of_ranks(network, request.placed.placement(), std::string(discoverer), to_json(settings).dump(),
                      request.emulation, request.progress);
  return network_among(exit_status == 0 ? output : "", errors, network.name,
                       fmt::format("the ranks ended with status {}", exit_status));
}

}  // namespace

Discovered discover(const DiscoveryRequest& request) {
  require_routes(request.placed.network(), request.placed.placement().host_of_rank,
                 "ranks on hosts that all have routes to each other");
  if (request.world == Source::emulated) return discover_emulated(request);
  return discover_simulated(request.platform_file, request.placed, request.settings, request.emulation.timeout_s);
}

Discovered discover_here(const std::vector<std::string>& launcher, const DiscoverySettings& settings,
                         double timeout_s) {
  std::vector<std::string> argv = launcher;
  if (argv.front().find('/') == std::string::npos) argv.front() = program_path(argv.front());
  if (argv.front().empty()) {
    throw BadInput(
        fmt::format("`{}`: no such command; one that starts an MPI program's ranks, as `mpirun --hostfile "
                    "FILE`, would be right",
                    launcher.front()));
  }
  argv.push_back(helper_program(std::string(discoverer)));
  argv.push_back(to_json(settings).dump());
  std::string output;
  ChildOptions child;
  child.timeout_s = timeout_s;
  child.grace_s = 5;
  bool cannot_end = false;
  child.on_line = [&](const std::string& line) {
    output += line + "\n";
    cannot_end = cannot_end || has_silent_ranks(line);
  };
  child.checkpoint = [&] {
    if (cannot_end) throw CannotEnd();
  };
  ChildResult result;
  try {
    result = run_child(argv, child);
  } catch (const CannotEnd&) {
    result.exit_status = 0;
  }
  return network_among(result.exit_status == 0 ? output : "", result.errors, launcher.front(),
                       result.how_it_ended(child));
}

}  // namespace isthmus
