#include "algorithms/network/required_routes.hpp"

#include <fmt/format.h>

#include <set>
#include <string>

#include "algorithms/errors.hpp"

namespace isthmus {

void require_routes(const Network& network, std::span<const int> hosts, std::string_view would_be_right) {
  const std::set<int> different(hosts.begin(), hosts.end());
  std::string first;
  int pairs = 0;
  for (const int from : different) {
    for (const int to : different) {
      if (from == to) continue;
      const Host &sender = network.hosts[from], &receiver = network.hosts[to];
      const auto trunk = network.trunks.find({sender.endpoint, receiver.endpoint});
      if (trunk != network.trunks.end() && trunk->second.forwarders.empty()) continue;
      if (pairs++ == 0) first = fmt::format("from host {} to host {}", sender.name, receiver.name);
    }
  }
  if (pairs == 0) return;
  const std::string others = pairs == 1 ? "" : fmt::format(", nor between {} other pairs", pairs - 1);
  throw BadInput(fmt::format("{}: no route {}{}; {} would be right", network.name, first, others, would_be_right));
}

}  // namespace isthmus
