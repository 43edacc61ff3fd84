// Channels as text for terminals.
#pragma once

#include <string>

#include "algorithms/channels/channels.hpp"

namespace isthmus {

/// The networks; the channels with kind, network or parts, hosts and gateways; what programs on each host see.
std::string channels_text(const Channels& channels);

}  // namespace isthmus
