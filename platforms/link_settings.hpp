// What if: links with other figures than the platform's.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "algorithms/network/network.hpp"

namespace isthmus {

/// A change of one figure of some links.
struct LinkSetting {
  enum class Figure : std::uint8_t { bandwidth, latency };

  std::string text;   ///< as it was written
  std::string links;  ///< a pattern of names; that of a split-duplex link stands for both directions
  Figure figure = Figure::bandwidth;
  bool is_factor = false;  ///< `value` is multiplied with the link's own figure
  double value = 0;        ///< bytes per second, seconds, or the factor
};

/// Reads `w12.bandwidth=x2`, `wan-*.latency=50ms`, `wan-*.bandwidth=+10%`: LINKS.FIGURE=VALUE. Throws BadInput.
LinkSetting parse_link_setting(std::string_view text);

/// Changes the network's links, one setting after the other. A link's profile changes in proportion. Measured costs of
/// a class of links are of its present bandwidth: a link whose bandwidth changes leaves its class. Throws BadInput for
/// links that do not exist, and for figures out of range.
void set_links(Network& network, std::span<const LinkSetting> settings);

}  // namespace isthmus
