// The network as a picture: sites, their hosts, and the links between the sites.
#pragma once

#include <string>

#include "algorithms/models/network.hpp"
#include "validation/report/markup.hpp"

namespace isthmus {

struct NetworkPicture {
  Element svg{"svg"};
  std::string caption;  ///< what the picture leaves out: link figures that are all alike, hosts that found no room
};

/// Sites are the outermost zones of the hosts; a platform without zones is one site. A line joins two sites where the
/// route between them is not made of those of other pairs.
NetworkPicture draw_network(const Network& network);

}  // namespace isthmus
