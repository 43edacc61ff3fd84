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

Channels channels_from_json(const nlohmann::json& value) {
  Channels channels;
  value.at("application").get_to(channels.application);
  value.at("flavor").get_to(channels.flavor);
  value.at("networks").get_to(channels.networks);
  value.at("channels").get_to(channels.channels);
  value.at("world").get_to(channels.world);
  return channels;
}

}  // namespace isthmus
