#include "algorithms/network/network_runs.hpp"

#include <algorithm>
#include <iterator>
#include <span>

namespace isthmus {
namespace {

constexpr std::size_t max_names = 4;  // links of one number, as a host's two or three

/// By how much each link's number is higher; none if there are more or fewer links, or one is lower.
std::optional<std::vector<int>> steps_between(std::span<const int> links, std::span<const int> next) {
  if (links.size() != next.size()) return {};
  std::vector<int> steps;
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (next[i] < links[i]) return {};
    steps.push_back(next[i] - links[i]);
  }
  return steps;
}

bool have_steps(std::span<const int> links, const std::vector<int>& steps, std::span<const int> next) {
  if (links.size() != next.size()) return false;
  for (std::size_t i = 0; i < links.size(); ++i)
    if (next[i] - links[i] != steps[i]) return false;
  return true;
}

/// Whether the links of one number, from `at` on, have these names and the figures of `like`.
bool are_links_of(const Network& network, std::size_t at, const std::vector<NameRange>& names, std::int64_t number,
                  const Link& like) {
  if (at + names.size() > network.links.size()) return false;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Link& link = network.links[at + i];
    if (!are_alike(link, like) || !names[i].is_name(link.name, number)) return false;
    if (!network.profiles.empty() && network.profiles.contains(static_cast<int>(at + i))) return false;
  }
  return true;
}

/// The names of the links before `first + names` and of as many after these, of the same numbers.
std::vector<NameRange> names_at(const Network& network, std::size_t first, std::size_t names) {
  std::vector<NameRange> found;
  if (first + 2 * names > network.links.size()) return found;
  for (std::size_t i = first; i < first + names; ++i) {
    auto range = range_of_names(network.links[i].name, network.links[i + names].name);
    if (!range || (!found.empty() && range->first != found.front().first)) return {};
    found.push_back(*std::move(range));
  }
  return found;
}

}  // namespace

bool are_alike(const Link& one, const Link& other) {
  return one.bandwidth_Bps == other.bandwidth_Bps && one.latency_s == other.latency_s && one.sharing == other.sharing &&
         one.link_class == other.link_class && one.price_per_GB == other.price_per_GB;
}

bool are_alike(const Host& one, const Host& other) {
  return one.speed_flops == other.speed_flops && one.cores == other.cores && one.gateway == other.gateway &&
         one.endpoint == other.endpoint && std::ranges::equal(one.zones, other.zones, [](const auto& a, const auto& b) {
           return a.level == b.level && a.name == b.name;
         });
}

std::optional<HostRun> host_run(const Network& network, std::size_t first) {
  const std::vector<Host>& hosts = network.hosts;
  if (hosts.size() - first < min_run) return {};
  const Host &one = hosts[first], &next = hosts[first + 1];
  auto names = range_of_names(one.name, next.name);
  if (!names || !are_alike(one, next)) return {};
  const auto up = steps_between(one.up, next.up), down = steps_between(one.down, next.down),
             loopback = steps_between(one.loopback, next.loopback);
  if (!up || !down || !loopback) return {};
  // Looking at the last host that a run needs first keeps short runs cheap.
  if (!names->is_name(hosts[first + min_run - 1].name, names->first + min_run - 1)) return {};
  std::size_t end = first + 2;
  while (end < hosts.size() && are_alike(hosts[end], one) &&
         names->is_name(hosts[end].name, names->first + static_cast<std::int64_t>(end - first)) &&
         have_steps(hosts[end - 1].up, *up, hosts[end].up) && have_steps(hosts[end - 1].down, *down, hosts[end].down) &&
         have_steps(hosts[end - 1].loopback, *loopback, hosts[end].loopback))
    ++end;
  names->last = names->first + static_cast<std::int64_t>(end - first) - 1;
  if (names->count() < min_run) return {};
  return HostRun{first, *std::move(names), *up, *down, *loopback};
}

std::optional<LinkRun> link_run(const Network& network, std::size_t first) {
  for (std::size_t size = 1; size <= max_names; ++size) {
    LinkRun run{first, names_at(network, first, size)};
    if (run.names.empty()) continue;
    const std::int64_t number = run.names.front().first;
    const Link& like = network.links[first];
    const auto holds = [&](std::int64_t more) {
      return are_links_of(network, first + size * static_cast<std::size_t>(more), run.names, number + more, like);
    };
    if (!holds(0) || !holds(min_run - 1)) continue;
    std::int64_t count = 1;
    while (number + count <= max_number_of_name && holds(count)) ++count;
    if (count < min_run) continue;
    for (NameRange& range : run.names) range.last = number + count - 1;
    return run;
  }
  return {};
}

std::optional<TrunkRun> trunk_run(const Network& network, TrunkPosition first) {
  const int from = first->first.first, to = first->first.second;
  const auto end = network.trunks.end();
  const auto is_at = [&](TrunkPosition position, std::int64_t count) {
    return position != end && position->first == std::pair{from, static_cast<int>(to + count)};
  };
  const auto second = std::next(first);
  if (!is_at(second, 1)) return {};
  auto steps = steps_between(first->second.links, second->second.links);
  if (!steps) return {};
  std::int64_t count = 2;
  auto last = second;
  for (auto next = std::next(last); is_at(next, count) && have_steps(last->second.links, *steps, next->second.links);
       last = next++)
    ++count;
  if (count < min_run) return {};
  return TrunkRun{from, to, count, *std::move(steps)};
}

}  // namespace isthmus
