// Whether hosts share a medium, such as an Ethernet cable, or are on a switch.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "algorithms/network/network.hpp"

namespace isthmus {

enum class Medium : std::uint8_t {
  switched,  ///< messages between different hosts need not wait for each other
  shared     ///< one link carries all messages between them, in both directions
};

std::string_view name(Medium medium);

/// The medium between some hosts, which Lowekamp 1995, section 4.2, names as what decides about the pattern inside a
/// subnet. Of more than 16 hosts the first 16 are looked at. One host counts as switched, and so do hosts without
/// routes.
Medium medium_between(const Network& network, std::span<const int> hosts);

}  // namespace isthmus
