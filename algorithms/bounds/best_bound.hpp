// The greatest of the bounds seen so far, and how much work may still be done for greater ones.
#pragma once

#include <cstddef>

#include "algorithms/bounds/demand.hpp"
#include "algorithms/bounds/lower_bound.hpp"
#include "algorithms/network/link_cut.hpp"

namespace isthmus::bounds {

class BestBound {
 public:
  /// `demand` must outlive it.
  explicit BestBound(const Demand& demand) : demand_(demand) {}

  double seconds() const { return best_.seconds; }
  const LowerBound& best() const { return best_; }

  /// Takes a bound if it is greater than the best.
  void offer(double seconds, BoundKind kind, double bytes);
  void offer_distance(double seconds, int from_host, int to_host);
  /// A cut that `bytes` have to cross.
  void offer_cut(const LinkCut& cut, BoundKind kind, double bytes, int from_host = -1, int to_host = -1);
  /// The slowest cut between two sets of hosts, and with it their distance; nothing if there are no bytes, or if the
  /// work is used up. Finding it is the costly part of a bound. `from_host`, `to_host`: a host of each set, if one is
  /// of interest.
  void consider(const LinkGraph::Hosts& sources, const LinkGraph::Hosts& targets, double bytes, int from_host = -1,
                int to_host = -1);
  /// The quickest flow between two such sets, where it is proved: greater than consider(), and costlier still. Where
  /// only a part of it is, consider() too.
  void consider_flow(const LinkGraph::Hosts& sources, const LinkGraph::Hosts& targets, double bytes, int from_host,
                     int to_host);
  /// Whether so much has been done that consider() does nothing any more.
  bool is_tired() const;

 private:
  std::vector<BindingLink> binding_links(const LinkCut& cut) const;
  /// One of the set, and not `other` where the set has more.
  int some_host(const LinkGraph::Hosts& hosts, int other) const;

  const Demand& demand_;
  LowerBound best_;
  std::size_t flows_ = 0, edges_ = 0;
};

}  // namespace isthmus::bounds
