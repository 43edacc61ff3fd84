#include "sim/discover.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "algorithms/errors.hpp"
#include "algorithms/network/network_json.hpp"
#include "algorithms/process/child.hpp"
#include "sim/platform_argument.hpp"

namespace isthmus {

using nlohmann::json;

Discovered discover_simulated(const std::string& platform_file, const PlacedNetwork& placed,
                              const DiscoverySettings& settings, double timeout_s) {
  const std::string platform = platform_argument(platform_file);
  if (settings.answer_s > 0)
    throw BadInput(fmt::format(
        "discovery: {} s to answer: simulated ranks always answer; any time, or ranks that are emulated or on "
        "real machines, would be right",
        settings.answer_s));
  std::string found;
  ChildOptions child;
  const json request{{"network", to_json(placed.network())},
                     {"placement", placed.placement().host_of_rank},
                     {"settings", to_json(settings)}};
  child.input = request.dump(-1, ' ', false, json::error_handler_t::replace);
  child.timeout_s = timeout_s;
  child.on_line = [&](const std::string& text) { found = text; };
  const ChildResult result = run_child({helper_program("isthmus-smpi-discover"), platform}, child);
  if (result.exit_status == 0 && !found.empty()) return discovered_from_json(json::parse(found));
  const std::string words = result.last_error_line();
  if (result.exit_status == 2) throw BadInput(words);
  throw Refused(fmt::format("{}: the simulator {}{}{}", platform_file, result.how_it_ended(child),
                            words.empty() ? "" : ": ", words));
}

}  // namespace isthmus
