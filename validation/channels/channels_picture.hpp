// Channels as a picture: a row for each channel, a column for each host.
#pragma once

#include "algorithms/channels/channels.hpp"
#include "validation/report/markup.hpp"

namespace isthmus {

/// A line for each channel, with a dot for each of its hosts; on a virtual channel each part is a stretch of its own,
/// and gateways, where parts meet, are squares. Channels that are used up are faint; the world's is named.
Element draw_channels(const Channels& channels);

}  // namespace isthmus
