#include "emulator/plan/host_names.hpp"

#include <fmt/format.h>

#include <set>
#include <string_view>
#include <utility>

#include "algorithms/text/characters.hpp"

namespace isthmus {
namespace {

/// Whether the text is UTF-8 and has characters beyond ASCII.
bool is_beyond_ascii(std::string_view text) {
  bool beyond = false;
  while (!text.empty()) {
    const Character character = first_character(text);
    if (character.bytes == 0 || is_control(character.point)) return false;
    beyond |= character.bytes > 1;
    text.remove_prefix(character.bytes);
  }
  return beyond;
}

}  // namespace

std::vector<std::string> emulated_names(const Network& network) {
  std::vector<std::string> names;
  std::set<std::string> taken;
  for (const Host& host : network.hosts) taken.insert(names.emplace_back(host.name));
  for (std::size_t number = 0; number < names.size(); ++number) {
    if (!is_beyond_ascii(names[number])) continue;
    std::string name = fmt::format("host-{}", number);
    while (!taken.insert(name).second) name += "-x";
    names[number] = std::move(name);
  }
  return names;
}

Network with_emulated_names(Network network) {
  const std::vector<std::string> names = emulated_names(network);
  for (std::size_t host = 0; host < names.size(); ++host)
    if (network.hosts[host].name != names[host]) network.hosts[host].name = names[host];
  return network;
}

Conditions with_emulated_names(Conditions conditions, const Network& network) {
  for (AmbientTraffic& traffic : conditions.traffic) {
    traffic.from = emulated_name(traffic.from, network);
    traffic.to = emulated_name(traffic.to, network);
  }
  return conditions;
}

std::string emulated_name(const std::string& host, const Network& network) {
  if (!is_beyond_ascii(host)) return host;
  const std::vector<std::string> names = emulated_names(network);
  for (std::size_t number = 0; number < names.size(); ++number)
    if (network.hosts[number].name == host) return names[number];
  return host;
}

}  // namespace isthmus
