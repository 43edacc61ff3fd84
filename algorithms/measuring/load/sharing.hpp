// Which of several streams that were measured at once share a link.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "algorithms/measuring/load/loaded_rates.hpp"

namespace isthmus {

/// Which streams share a link that slows them down; none where less than two do. Streams that get less than alone are
/// on it, and those without which the others gain: at least half of what the stream leaves them, or of what they lack,
/// if that is less. A slow stream among quick ones lacks little, however much they leave.
///
/// A link that is full carries as much as its quickest stream gets alone. Where the streams found carry less, they are
/// not all that share it: then all are, if together they carry about what the quickest gets alone, or else none.
///
/// `without`: what all other streams get, in their order, when this one does not send.
std::vector<bool> sharing_streams(const std::vector<double>& alone_Bps, const std::vector<double>& loaded_Bps,
                                  const std::function<std::vector<double>(std::size_t left_out)>& without);

}  // namespace isthmus
