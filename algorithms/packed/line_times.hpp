// When the pieces of a packing pass the lines between sites, if each line takes first what has farthest to go.
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

  enum class Edge : std::uint8_t { in, out };
  /// The number in the course of the edge between a site and its parent in the tree in or the tree out.
  int crossing(Edge edge, int site) const { return (edge == Edge::out && in != nullptr ? in->size() : 0) + site; }
};

/// A piece passes a line of its way.
struct Crossing {
  int from = -1, to = -1;  ///< sites; -1: there is none of this number
  int needs = 0;           ///< after so many others; 0: from the start on
  std::vector<int> next;   ///< those that need it
};

/// The lines that each piece of a way passes, by number.
using Course = std::vector<Crossing>;

Course course_of(const Trees& trees);
/// Number i is from the i-th site of the path to the one after it.
Course course_of(const std::vector<int>& path);

/// A piece on its way through the sites.
struct TravellingPiece {
  int way = 0;
  std::int64_t bytes = 0;
};

class LineTimes {
 public:
  /// `courses`: of each way. Only needed while the object is made.
  LineTimes(const std::vector<WayLine>& lines, int sites, std::span<const Course> courses,
            std::span<const TravellingPiece> pieces);

  /// When a piece sets out over a line of its course, in nanoseconds.
  std::int64_t start_ns(std::size_t piece, int crossing) const {
    return start_ns_[first_of_[piece] + static_cast<std::size_t>(crossing)];
  }
  /// When the last piece sets out over its last line.
  std::int64_t last_ns() const { return last_ns_; }

 private:
  class Simulation;

  std::vector<std::size_t> first_of_;   // by piece: where its times begin
  std::vector<std::int64_t> start_ns_;  // by piece and crossing; 0 where there is none
  std::int64_t last_ns_ = 0;
};

}  // namespace isthmus
