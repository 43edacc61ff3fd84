// Links that every way from some hosts to others takes, each with the least latency of a way through it.
#pragma once

#include <vector>

namespace isthmus {

struct LinkCut {
  /// A link between endpoints; or the own links, out or in, of some hosts of one class (link_graph.hpp).
  struct Piece {
    int link = -1;        ///< -1: hosts' own links
    int host_class = -1;  ///< -1: a link between endpoints
    bool up = false;      ///< hosts' own links: out of them
    double bandwidth_Bps = 0, latency_s = 0;
    double price = 1;  ///< how often a byte counts that crosses it
  };
  std::vector<Piece> pieces;

  /// The least T with  sum of B max(0, T - l) >= bytes  over pieces of bandwidth B and latency l; infinity for no
  /// piece.
  double seconds(double bytes) const;
};

}  // namespace isthmus
