// Which plan serves the calls of a communicator: the one that was asked for, else that of a decision table, else one
// chosen by model.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <tuple>

#include "algorithms/mpi/library/comm_topology.hpp"
#include "algorithms/mpi/library/settings.hpp"
#include "algorithms/tuning/sampled_selector.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {

/// A pure function of topology, network, settings and problem, so that all ranks come to the same plan without
/// communicating. It chooses for sizes of powers of two, and for a call takes the nearest; and for any root of an
/// outermost group as for the group's first rank. What has been chosen is kept.
class Plans {
 public:
  /// Without a place on a network, costs are those of default_network(). A table counts where it is for the topology.
  Plans(Settings settings, const Topology& topology, std::optional<PlacedNetwork> placed,
        std::shared_ptr<const DecisionTable> table);

  /// By a setting, or by a table that knows the collective.
  bool asked_for(Collective collective) const;
  /// The setting asks for the MPI's own.
  bool mpi_asked_for(Collective collective) const;

  /// A plan that serves the problem; its seconds are those of the size it was chosen for, by model or in the table, and
  /// negative where there are none: asked for, the network has no route, or an effort of 0. What is asked to be the
  /// MPI's own is chosen as if nothing had been asked for. The v and w collectives of which no rank knows all counts
  /// (gatherv, scatterv, alltoallv, alltoallw) get the same plan for all of them. Throws BadInput that says why the
  /// plan asked for does not serve.
  Choice plan_for(const Topology& topology, const Problem& problem);

 private:
  using Key = std::tuple<Collective, bool, int, std::int64_t, std::int64_t>;

  Plan plan_asked_for(const Topology& topology, const Problem& problem) const;
  Plan fitted(Plan plan, const Problem& problem) const;
  std::optional<Choice> chosen_by_table(const Topology& topology, const Problem& problem) const;
  Choice chosen(const Topology& topology, const Problem& problem);

  Settings settings_;
  std::shared_ptr<const DecisionTable> table_;  ///< null where there is none for the topology
  bool has_network_;
  std::optional<PlacedNetwork> placed_;      ///< with default_network() as soon as that is needed
  std::optional<SampledSelector> selector_;  ///< made for the first call of a large communicator
  std::map<Key, Choice> chosen_;
};

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
