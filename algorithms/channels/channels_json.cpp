#include "algorithms/channels/channels_json.hpp"

#include <nlohmann/json.hpp>

namespace isthmus {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ChannelNetwork, name, device, hosts)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Channel, name, network, parts, hosts, gateways, used_up)

nlohmann::json to_json(const Channels& channels) {
  return {{"application", channels.application},
          {"flavor", channels.flavor},
          {"networks", channels.networks},
          {"channels", channels.channels},
          {"world", channels.world}};
}

Channels channels_from_json(const nlohmann::json& json) {
  Channels channels;
  json.at("application").get_to(channels.application);
  json.at("flavor").get_to(channels.flavor);
  json.at("networks").get_to(channels.networks);
  json.at("channels").get_to(channels.channels);
  json.at("world").get_to(channels.world);
  return channels;
}

}  // namespace isthmus
