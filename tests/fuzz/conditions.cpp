// A file of conditions, applied to the links of a network.
#include <nlohmann/json.hpp>

#include "algorithms/network/conditions_file.hpp"
#include "algorithms/network/conditions_json.hpp"
#include "tests/fuzz/input.hpp"

namespace isthmus {
namespace {

Network three_links() {
  Network network;
  network.name = "three";
  for (const char* name : {"wan", "lan_UP", "lan_DOWN"})
    network.links.push_back({.name = name, .bandwidth_Bps = 1e6, .latency_s = 0.01});
  return network;
}

}  // namespace
}  // namespace isthmus

ISTHMUS_HARNESS(conditions) {
  using namespace isthmus;
  static const Network network = three_links();
  const fuzz::InputFile file(data, size);
  Conditions conditions;
  if (!fuzz::answered([&] { conditions = read_conditions(file.path()); })) return 0;
  const nlohmann::json written = conditions;
  fuzz::require(nlohmann::json(written.get<Conditions>()) == written);
  fuzz::answered([&] { impairments_of(network, conditions); });
  fuzz::answered([&] { link_steps(network, conditions); });
  fuzz::answered([&] { cut_links(network, conditions, 1); });
  return 0;
}
