// The plans for the calls of a communicator: from the settings, else from a decision table, else chosen by model.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <tuple>
#include <utility>

#include "algorithms/mpi/library/comm_topology.hpp"
#include "algorithms/mpi/library/settings.hpp"
#include "algorithms/tuning/neighbour_choice.hpp"
#include "algorithms/tuning/sampled_selector.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {

/// The default algorithm, or the first that serves. Throws BadInput if none does.
Plan first_plan_of(const Topology& topology, const Problem& problem);

/// A pure function of topology, network, settings and problem, so that all ranks find the same plan without
/// communication. Plans are chosen for sizes that are powers of two, and a call uses the nearest size; all roots in an
/// outermost group use the plan for the group's first rank. Choices are cached. Communicators of the same ranks may
/// share one, from several threads; `topology` is always that with which it was made.
class Plans {
 public:
  /// Without a placed network costs are those of default_network(). A table is used if it is for the topology.
  Plans(Settings settings, const Topology& topology, std::optional<PlacedNetwork> placed,
        std::shared_ptr<const DecisionTable> table);

  const Settings& settings() const { return settings_; }
  /// Whether messages between some ranks need forwarders, and ISTHMUS_FORWARD asks for none.
  bool lacks_forwarders() const;
  /// Whether a setting, or a table, has a plan for the collective.
  bool asked_for(Collective collective) const;
  /// Whether a setting asks for the MPI's own.
  bool mpi_asked_for(Collective collective) const;

  /// A plan that serves the problem. Its seconds are for the size for which it was chosen, by model or from the table;
  /// they are negative if not known: for a plan from the settings, without a route in the network, or with an effort of
  /// 0. A setting `mpi` is ignored here. Where counts are not known to all (Problem::counts_known) the plan does not
  /// depend on them. Throws BadInput with the reason if the plan asked for does not serve.
  Choice plan_for(const Topology& topology, const Problem& problem);

  /// That plan; the first that serves if the plan asked for does not. For what isthmus itself exchanges.
  Plan plan_that_serves(const Topology& topology, const Problem& problem);

  /// Of gatherv, scatterv, alltoallv and alltoallw. Whether a setting asks for a plan that passes on blocks, so that
  /// all ranks need all counts.
  bool needs_counts(const Topology& topology, Collective collective) const;
  /// Whether they could be worth an exchange of all counts: the network is known and has all routes, and the effort is
  /// enough for a message between any two ranks.
  bool may_gain_by_counts(const Topology& topology, Collective collective) const;
  /// Whether they are, for a problem whose blocks are all as large as the real ones on average: with the exchange the
  /// choice saves a fifth of the time of blocks that go straight.
  bool gains_by_counts(const Topology& topology, const Problem& problem);

  /// The setting for collectives among neighbours, and the quicker algorithm for blocks of this very size; direct with
  /// an effort of 0, since aggregation may be slower.
  NeighbourService neighbour_service() const { return settings_.neighbours; }
  NeighbourChoice neighbour_choice(const Topology& topology, const NeighbourProblem& problem);

 private:
  using Key = std::tuple<Collective, bool, int, std::int64_t, std::int64_t>;

  Plan plan_asked_for(const Topology& topology, const Problem& problem) const;
  Plan fitted(Plan plan, const Problem& problem) const;
  std::optional<Choice> chosen_by_table(const Topology& topology, const Problem& problem) const;
  /// What plans are chosen for: a problem of the nearest size, with a root of the same group.
  static Problem chosen_for(const Topology& topology, const Problem& problem);
  static Key key_of(const Problem& like);
  Choice chosen(const Topology& topology, const Problem& problem);
  const PlacedNetwork& costs(const Topology& topology);

  Settings settings_;
  std::shared_ptr<const DecisionTable> table_;  ///< null if there is none for the topology
  bool has_network_;
  std::mutex mutex_;                         ///< of what follows; a given network does not change
  std::optional<PlacedNetwork> placed_;      ///< from default_network(), when first needed, if no network is given
  std::optional<SampledSelector> selector_;  ///< made at the first call on a large communicator
  std::map<Key, Choice> chosen_;
  std::map<Key, bool> gains_by_counts_;
  std::map<std::pair<Collective, std::int64_t>, NeighbourChoice> chosen_among_neighbours_;
};

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
