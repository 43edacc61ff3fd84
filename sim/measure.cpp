#include "sim/measure.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "algorithms/errors.hpp"
#include "algorithms/network/network_json.hpp"
#include "algorithms/process/child.hpp"
#include "sim/platform_argument.hpp"

namespace isthmus {

using nlohmann::json;

std::vector<MeasuredPair> measure_simulated(const std::string& platform_file, const Network& network,
                                            const Placement& placement, const MeasuringTask& task, double timeout_s) {
  const std::string platform = platform_argument(platform_file);
  std::vector<MeasuredPair> pairs;
  ChildOptions child;
  const json request{{"network", to_json(network)}, {"placement", placement.host_of_rank}, {"task", to_json(task)}};
  child.input = request.dump(-1, ' ', false, json::error_handler_t::replace);
  child.timeout_s = timeout_s;
  child.on_line = [&](const std::string& text) { pairs.push_back(measured_pair_from_json(json::parse(text))); };
  const ChildResult result = run_child({helper_program("isthmus-smpi-measure"), platform}, child);
  if (result.exit_status == 0 && pairs.size() == task.pairs.size()) return pairs;
  const std::string words = result.last_error_line();
  if (result.exit_status == 2) throw BadInput(words);
  throw Refused(fmt::format("{}: the simulator {}{}{}", platform_file, result.how_it_ended(child),
                            words.empty() ? "" : ": ", words));
}

}  // namespace isthmus
