// Runs of hosts, links and trunks that are alike but for their numbers, as the hosts of a large cluster are: the JSON
// of a network has one entry for each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "algorithms/network/name_range.hpp"
#include "algorithms/network/network.hpp"

namespace isthmus {

/// So many or more become one entry.
inline constexpr std::int64_t min_run = 256;

/// But for names, own links and, of links, profiles.
bool are_alike(const Host& one, const Host& other);
bool are_alike(const Link& one, const Link& other);

/// Hosts from `first` on. Their own links are those of the first, each `step` higher from host to host.
struct HostRun {
  std::size_t first = 0;
  NameRange names;
  std::vector<int> up_steps, down_steps, loopback_steps;
};

/// Links from `first` on, of equal figures. For each number in turn there is a link of each of the names.
struct LinkRun {
  std::size_t first = 0;
  std::vector<NameRange> names;  ///< of equal numbers

  std::int64_t count() const { return names.front().count() * static_cast<std::int64_t>(names.size()); }
};

/// Trunks from one endpoint to `to`, `to` + 1 ...; their links are those of the first, each `step` higher each time.
struct TrunkRun {
  int from = 0, to = 0;
  std::int64_t count = 0;
  std::vector<int> steps;
};

/// The longest run that begins with this host, link or trunk; none if it is shorter than min_run.
std::optional<HostRun> host_run(const Network& network, std::size_t first);
std::optional<LinkRun> link_run(const Network& network, std::size_t first);
using TrunkPosition = std::map<std::pair<int, int>, Trunk>::const_iterator;
std::optional<TrunkRun> trunk_run(const Network& network, TrunkPosition first);

}  // namespace isthmus
