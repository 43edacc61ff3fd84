// A network in JSON: read, written and read again the same; then used as the commands use it.
#include <cctype>
#include <nlohmann/json.hpp>
#include <string_view>

#include "algorithms/bounds/lower_bound.hpp"
#include "algorithms/catalog.hpp"
#include "algorithms/collective/algorithm.hpp"
#include "algorithms/network/network_json.hpp"
#include "algorithms/replay/replay.hpp"
#include "tests/fuzz/input.hpp"

namespace isthmus {
namespace {

constexpr std::size_t max_network_hosts = 16;  // more cost time and find nothing else

/// Whether a range of numbers in the text has a last one of six digits or more: a short text can ask for gigabytes.
bool asks_for_many(std::string_view text) {
  for (std::size_t end = text.find(']'); end != std::string_view::npos; end = text.find(']', end + 1)) {
    std::size_t begin = end;
    while (begin > 0 && std::isdigit(static_cast<unsigned char>(text[begin - 1])) != 0) --begin;
    if (end - begin >= 6) return true;
  }
  return false;
}

void use(const Network& network) {
  const Placement placement = place_ranks(network, PlacementRule::cyclic, 1);
  const Topology topology = topology_of(network, placement);
  const Problem problem{Collective::allgather, 1000, 1, 0};
  const Plan plan = parse_plan(problem.collective, "ring");
  check(plan, topology, problem);
  lower_bound({network, placement}, problem);
  const Replay replayed = replay({network, placement}, problem.element_bytes, source(plan, topology, problem), true);
  fuzz::require(replayed.seconds >= 0);
}

}  // namespace
}  // namespace isthmus

ISTHMUS_HARNESS(network) {
  using namespace isthmus;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (asks_for_many(text)) return 0;
  const fuzz::InputFile file(text);
  Network network;
  if (!fuzz::answered([&] { network = read_network(file.path()); })) return 0;
  const nlohmann::json written = to_json(network);
  fuzz::require(to_json(network_from_json(written)) == written);
  fuzz::answered([&] { warnings_about(network); });
  if (network.hosts.size() <= max_network_hosts) fuzz::answered([&] { use(network); });
  return 0;
}
