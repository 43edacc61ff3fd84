#include "validation/channels/channels_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "algorithms/text/printable.hpp"

namespace isthmus {
namespace {

std::string names(const std::vector<std::string>& all) {
  std::string text;
  for (const std::string& one : all) text += (text.empty() ? "" : " ") + printable(one);
  return text;
}

/// What a channel is made of, and what became of it.
std::string kind_of(const Channels& channels, const Channel& channel) {
  if (!channel.is_virtual()) {
    const ChannelNetwork& network = channels.networks[channel.network];
    return fmt::format("over {} ({}){}", printable(network.name), printable(network.device),
                       channel.used_up ? ", used up" : "");
  }
  std::vector<std::string> parts;
  for (const int part : channel.parts) parts.push_back(channels.channels[part].name);
  return fmt::format("virtual, of {}", names(parts));
}

std::string seen_on(const Channels& channels, const std::string& host) {
  std::string text;
  int index = 0;
  for (const int number : channels.seen_by(host)) {
    text += fmt::format("{}{} {}{}", text.empty() ? "" : ", ", index, printable(channels.channels[number].name),
                        number == channels.world ? " (world)" : "");
    ++index;
  }
  return text;
}

}  // namespace

std::string channels_text(const Channels& channels) {
  std::string text;
  if (!channels.application.empty()) text += fmt::format("application {}\n", printable(channels.application));
  text += fmt::format("networks: {}\n", channels.networks.size());
  for (const ChannelNetwork& network : channels.networks)
    text +=
        fmt::format("  {:<14} {:<8} {}\n", printable(network.name), printable(network.device), names(network.hosts));
  text += fmt::format("channels: {}\n", channels.channels.size());
  for (const Channel& channel : channels.channels) {
    text +=
        fmt::format("  {:<14} {:<36} {}\n", printable(channel.name), kind_of(channels, channel), names(channel.hosts));
    if (!channel.gateways.empty()) text += fmt::format("  {:<14} gateways: {}\n", "", names(channel.gateways));
  }
  // Hosts that see the same are one line.
  text += "communicators of programs, by index:\n";
  std::vector<std::string> hosts = channels.hosts();
  while (!hosts.empty()) {
    const std::string seen = seen_on(channels, hosts.front());
    std::vector<std::string> alike;
    for (const std::string& host : hosts)
      if (seen_on(channels, host) == seen) alike.push_back(host);
    text += fmt::format("  on {}: {}\n", names(alike), seen);
    std::erase_if(hosts, [&](const std::string& host) { return std::ranges::find(alike, host) != alike.end(); });
  }
  return text;
}

}  // namespace isthmus
