// When the pieces of trees pass the lines between sites, if each line takes first what has farthest to go.
//
// A list schedule: whenever a line is free, it takes, of the pieces that are there, the one that takes longest from
// there to the end of its way (its tail; J. R. Jackson 1955); of equal ones the one with the lowest number. The times
// are whole nanoseconds, so that all ranks find the same. The lines of a packing are those of the network for which it
// was made: on another network the schedule is as right and only slower.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "algorithms/collective/packing.hpp"
#include "algorithms/packed/site_tree.hpp"

namespace isthmus {

/// A way's trees: in (reduce, reduce_scatter), out (broadcast, allgather), or one after the other (allreduce).
struct Trees {
  const SiteTree* in = nullptr;
  const SiteTree* out = nullptr;

  int height() const { return (in != nullptr ? in->height() : 0) + (out != nullptr ? out->height() : 0); }
  int root() const { return (in != nullptr ? in : out)->root(); }
};

/// A piece on its way through the sites.
struct TravellingPiece {
  int way = 0;
  std::int64_t bytes = 0;
};

class LineTimes {
 public:
  /// The edge between a site and its parent in the tree in or the tree out of a piece.
  enum class Edge : std::uint8_t { in, out };

  /// `trees`: of each way. Only needed while the object is made.
  LineTimes(const std::vector<WayLine>& lines, int sites, std::span<const Trees> trees,
            std::span<const TravellingPiece> pieces);

  /// When a piece sets out over the edge of this site, in nanoseconds.
  std::int64_t start_ns(std::size_t piece, Edge edge, int site) const {
    return start_ns_[(2 * piece + static_cast<std::size_t>(edge)) * sites_ + static_cast<std::size_t>(site)];
  }

 private:
  class Simulation;

  std::size_t sites_;
  std::vector<std::int64_t> start_ns_;  // by piece, tree and site; 0 where there is no edge
};

}  // namespace isthmus
