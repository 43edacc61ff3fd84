// The network as a picture: sites, their hosts, and the links between the sites.
#pragma once

#include <string>

#include "algorithms/network/network.hpp"
#include "validation/report/markup.hpp"

namespace isthmus {

struct NetworkPicture {
  Element svg{"svg"};
  std::string caption;  ///< what the picture omits: figures common to all links, hosts without room
};

/// The sites and lines of site_map(); a platform without zones is one site.
NetworkPicture draw_network(const Network& network);

}  // namespace isthmus
