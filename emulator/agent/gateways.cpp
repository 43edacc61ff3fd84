#include "emulator/agent/gateways.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>

#include "emulator/agent/links/clock.hpp"

namespace isthmus {
namespace {

void start_gateways(const AgentContext& context) {
  const EmulationPlan& plan = context.plan;
  const Descriptor nothing = open_file("/dev/null", O_RDWR);
  for (std::size_t i = 0; i < plan.containers.size(); ++i) {
    const bool has_rank =
        std::ranges::find(plan.container_of_rank, static_cast<int>(i)) != plan.container_of_rank.end();
    if (plan.containers[i].host < 0 || has_rank) continue;
    context.containers[i].start(
        {fmt::format("{}/bin/isthmus-forwarder", run_folder), network_file, "1", plan.containers[i].name, "--stay"},
        nothing.get(), nothing.get(), nothing.get(), {});
  }
}

}  // namespace

void add_forwarding(const AgentContext& context, std::vector<std::pair<std::string, std::string>>& environment) {
  environment.emplace_back("ISTHMUS_NETWORK", network_file);
  environment.emplace_back("ISTHMUS_FORWARD", "1");
  environment.emplace_back("ISTHMUS_LIBEXEC", fmt::format("{}/bin", run_folder));
  start_gateways(context);
}

}  // namespace isthmus
