#include "validation/studies/discovery.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "algorithms/errors.hpp"
#include "algorithms/network/network_json.hpp"
#include "algorithms/process/child.hpp"
#include "algorithms/process/system.hpp"
#include "algorithms/text/parts.hpp"
#include "emulator/client/session.hpp"
#include "sim/discover.hpp"

namespace isthmus {
namespace {

constexpr std::string_view discoverer = "isthmus-discover";

/// Finds the line with the network in the ranks' output. Throws Refused, with their error, when there is none.
Network network_among(const std::string& output, const std::string& errors, const std::string& who,
                      const std::string& how_it_ended) {
  for (const std::string_view text : parts_of(output, '\n')) {
    const auto line = nlohmann::json::parse(text, nullptr, false);
    if (line.is_object()) return network_from_json(line);
  }
  const std::string prefix = fmt::format("{}: ", discoverer);
  const std::size_t at = errors.find(prefix);
  std::string words = at == std::string::npos ? errors : errors.substr(at + prefix.size());
  words.erase(0, words.find_first_not_of("\n -"));
  words.erase(std::min(words.find('\n'), words.size()));
  throw Refused(fmt::format("{}: {}{}{}", who, how_it_ended, words.empty() ? "" : ": ", words));
}

Network discover_emulated(const DiscoveryRequest& request) {
  Session session;
  session.network = request.placed.network();
  session.placement = request.placed.placement();
  session.argv = {helper_program(std::string(discoverer)), to_json(request.settings).dump()};
  SessionOptions options;
  options.emulation = request.emulation;
  options.progress = request.progress;
  std::string output, errors;
  options.output = [&](std::string_view bytes) { output += bytes; };
  options.errors = [&](std::string_view bytes) { errors += bytes; };
  const SessionResult result = run_session(session, options);
  return network_among(result.exit_status == 0 ? output : "", errors, request.placed.network().name,
                       fmt::format("the ranks ended with status {}", result.exit_status));
}

}  // namespace

Network discover(const DiscoveryRequest& request) {
  if (request.world == Source::emulated) return discover_emulated(request);
  return discover_simulated(request.platform_file, request.placed, request.settings, request.emulation.timeout_s);
}

Network discover_here(const std::vector<std::string>& launcher, const DiscoverySettings& settings, double timeout_s) {
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
  child.on_line = [&](const std::string& line) { output += line + "\n"; };
  const ChildResult result = run_child(argv, child);
  return network_among(result.exit_status == 0 ? output : "", result.errors, launcher.front(),
                       result.how_it_ended(child));
}

}  // namespace isthmus
