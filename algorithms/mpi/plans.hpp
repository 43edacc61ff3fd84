// Which plan serves the calls of a communicator: the one that was asked for, else one chosen by model.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>

#include "algorithms/mpi/comm_topology.hpp"
#include "algorithms/mpi/settings.hpp"
#include "algorithms/tuning/selector.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {

/// A pure function of topology, network, settings and problem, so that all ranks come to the same plan without
/// communicating. It chooses for sizes of powers of two, and for a call takes the nearest; and for any root of an
/// outermost group as for the group's first rank. What has been chosen is kept.
class Plans {
 public:
  /// Without a place on a network, costs are those of default_network().
  Plans(Settings settings, const Topology& topology, std::optional<Placed> placed);

  bool asked_for(Collective collective) const { return settings_.plan(collective).has_value(); }

  /// A plan that serves the problem; its seconds are those of the size it was chosen for, and negative where it was
  /// not chosen by model: asked for, the network has no route, or an effort of 0. The v and w
  /// collectives of which no rank knows all counts (gatherv, scatterv, alltoallv, alltoallw) get the same plan for all
  /// of them. Throws BadInput that says why the plan asked for does not serve.
  Choice plan_for(const Topology& topology, const Problem& problem);

 private:
  using Key = std::tuple<Collective, bool, int, std::int64_t, std::int64_t>;

  Plan plan_asked_for(const Topology& topology, const Problem& problem) const;
  Choice chosen(const Topology& topology, const Problem& problem);

  Settings settings_;
  bool has_network_;
  Placed placed_;
  std::optional<Selector> selector_;  ///< made for the first call of a large communicator
  std::map<Key, Choice> chosen_;
};

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
