// Channels as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "algorithms/channels/channels.hpp"

namespace isthmus {

nlohmann::json to_json(const Channels& channels);
/// From another program of isthmus.
Channels channels_from_json(const nlohmann::json& json);

}  // namespace isthmus
