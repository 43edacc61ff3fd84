// Files of networks and channels: what is read is complete, and its topologies are proved.
#include "algorithms/channels/channels.hpp"

#include <nlohmann/json.hpp>

#include "algorithms/catalog.hpp"
#include "algorithms/channels/channels_json.hpp"
#include "algorithms/collective/algorithm.hpp"
#include "algorithms/collective/contract.hpp"
#include "algorithms/schedule/verify.hpp"
#include "tests/fuzz/input.hpp"

namespace isthmus {
namespace {

constexpr std::size_t max_channel_ranks = 24;  // more cost time and find nothing else

void prove(const Channels& channels, int number) {
  const std::vector<std::string>& hosts = channels.channels[number].hosts;
  const Topology topology = channels.topology_of(number, hosts);
  const Problem problem{Collective::allreduce, 7, 1, 0};
  const Plan plan = parse_plan(problem.collective, "multilevel");
  check(plan, topology, problem);
  const Schedule schedule = materialise(topology.size(), source(plan, topology, problem));
  for (int rank = 0; rank < topology.size(); ++rank)
    for (const Op& op : schedule[rank].ops())
      fuzz::require(op.kind != OpKind::send || topology.connectivity().direct(rank, op.peer));
  fuzz::require(verify(schedule, contract_of(problem, topology.size())).ok());
}

}  // namespace
}  // namespace isthmus

ISTHMUS_HARNESS(channels) {
  using namespace isthmus;
  const fuzz::InputFile file(data, size);
  fuzz::answered([&] {
    const Channels channels = read_channels({file.path()});
    fuzz::require(to_json(channels_from_json(to_json(channels))) == to_json(channels));
    const std::vector<std::string> hosts = channels.hosts();
    fuzz::require(channels.channels.at(channels.world).hosts.size() == hosts.size());
    for (int i = 0; i < static_cast<int>(channels.channels.size()); ++i)
      if (channels.channels[i].hosts.size() <= max_channel_ranks) prove(channels, i);
  });
  return 0;
}
