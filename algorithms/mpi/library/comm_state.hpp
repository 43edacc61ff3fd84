// The state of isthmus for a communicator: a private communicator over the same ranks, the topology, the plans, and
// prepared programs. From a call of a collective to its result:
//
//   const CallDecision decision = state.decide(call);     // every call of a collective, on all ranks in the same order
//   decision.error        the arguments are wrong: an MPI error class
//   decision.pass_through_reason     isthmus does not serve it: the same call of the MPI beneath is to decision; on all
//                                  ranks alike
//   otherwise                      state.run(call, decision), or a Request (request.hpp) that starts it
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "algorithms/mpi/executor/executor.hpp"
#include "algorithms/mpi/executor/tags.hpp"
#include "algorithms/mpi/library/call_buffers.hpp"
#include "algorithms/mpi/library/collective_call.hpp"
#include "algorithms/mpi/library/comm_topology.hpp"
#include "algorithms/mpi/library/handed_call.hpp"
#include "algorithms/mpi/library/plans.hpp"
#include "algorithms/mpi/library/settings.hpp"
#include "algorithms/neighbourhood/schedules.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {

class InFlight;

/// Why a call is left to the MPI beneath. one_site: all ranks are in one site, and no plan is asked for. no_relays:
/// some ranks have no route to each other, and none of the communicator could relay, nor do forwarders.
/// group_among_threads: see leave_to_mpi() in comm_attributes.hpp. not_ready: the communicator's state could not be
/// made. no_comm: the MPI has no private communicator for it. asked_for: a setting says so. plan: the plan that was
/// asked for cannot serve the call. no_gain: among these neighbours no plan is quicker than the MPI. sizes_unknown:
/// relays would have to know the sizes of blocks between other ranks.
enum class PassThroughReason : std::uint8_t {
  intercommunicator,
  one_site,
  no_relays,
  group_among_threads,
  not_ready,
  no_comm,
  asked_for,
  plan,
  no_gain,
  sizes_unknown
};

/// A few words: `intercommunicator`.
constexpr std::string_view text(PassThroughReason reason) {
  constexpr std::array<std::string_view, 10> texts = {"intercommunicator",
                                                      "one site",
                                                      "ranks without a route, and none that relays",
                                                      "made of a group, among threads",
                                                      "its communicator could not be made ready",
                                                      "no communicator is left beside its own",
                                                      "asked for",
                                                      "the plan does not serve",
                                                      "nothing to gain among these neighbours",
                                                      "relays would not know the sizes"};
  return texts[static_cast<std::size_t>(reason)];
}

/// A prepared call.
struct PreparedCall {
  Signature signature;
  std::uint64_t hash = 0;
  std::uint64_t used = 0;  ///< the state's number of calls at the last use
  Plan plan = {};
  std::optional<NeighbourAlgorithm> neighbours = {};  ///< in place of the plan, among neighbours
  std::optional<PassThroughReason> left = {};         ///< among neighbours: why the MPI beneath serves the call
  double predicted_s = -1;         ///< by replay, for the nearest size for which plans are chosen; negative: not known
  std::string refusal = {};        ///< why the plan cannot serve the call; empty when it does
  int refusal_code = MPI_SUCCESS;  ///< the code whose MPI_Error_string() is the refusal
  std::unique_ptr<Executor> executor = nullptr;
  /// Where the plan hands a level to the MPI: what blocking calls use in place of `executor`.
  std::unique_ptr<HandedCall> handed = nullptr;
  /// Among neighbours, where relays have to learn the sizes of blocks first: the exchange of these, and the executor
  /// for the sizes that were learnt last. Blocking calls use them in place of `executor`.
  struct LearntSizes {
    std::unique_ptr<Executor> exchange, executor;
    std::vector<std::int64_t> sizes;
  };
  std::optional<LearntSizes> learnt = {};
  bool logged = false;  ///< the drop-in has written it into its log
};

/// The counts of their blocks that ranks tell each other before a call of gatherv, scatterv, alltoallv or alltoallw.
struct CountExchange {
  std::vector<std::int64_t> own;                  ///< what this rank tells
  std::vector<std::int64_t> by_rank;              ///< what it knows of what the others tell
  Signature signature;                            ///< with the counts that have been told
  std::uint64_t call_number = 0;                  ///< of the tags of the call after it
  std::unique_ptr<PreparedCall> ready = nullptr;  ///< that call, when the counts are known

  Arguments arguments(int first_tag) {
    return {.input = own.data(), .output = signature.counts.data(), .datatype = MPI_INT64_T, .first_tag = first_tag};
  }
};

/// The plan in words, or the algorithm among neighbours; `blocks`: of a blocking call. Other calls hand no level to the
/// MPI: a tree stands in its place.
std::string plan_text(const PreparedCall& ready, bool blocks);

struct CallDecision {
  int error = MPI_SUCCESS;  ///< the error class of this rank's arguments
  std::optional<PassThroughReason> pass_through_reason = {};
  PreparedCall* ready = nullptr;  ///< valid until the next decide(); with PassThroughReason::plan it holds the refusal
  std::uint64_t number = 0;       ///< number of the call, for its tags
  /// Of a started call: its request begins with this, on the tags of `number`, and prepares the call then.
  std::shared_ptr<CountExchange> exchange = nullptr;
};

class CommState {
 public:
  /// Collective over `comm`, an intracommunicator; the same result, or the same BadInput, on all ranks. Throws
  /// MpiError. `in_flight` are this process's calls in progress on any communicator; it must outlive the state.
  CommState(MPI_Comm comm, std::shared_ptr<InFlight> in_flight);
  /// The same with given settings and a topology of `comm`'s size, the same on all ranks, and optionally a placed
  /// network and a decision table; the files of the settings are not read.
  CommState(MPI_Comm comm, std::shared_ptr<InFlight> in_flight, Settings settings, Topology topology,
            std::optional<PlacedNetwork> placed = std::nullopt, std::shared_ptr<const DecisionTable> table = nullptr);
  /// The same with plans for this topology, which other communicators may share.
  CommState(MPI_Comm comm, std::shared_ptr<InFlight> in_flight, Topology topology, std::shared_ptr<Plans> plans);
  ~CommState();
  CommState(const CommState&) = delete;
  CommState& operator=(const CommState&) = delete;

  int rank() const { return rank_; }
  int size() const { return topology_.size(); }
  const Topology& topology() const { return topology_; }
  const std::shared_ptr<InFlight>& in_flight() const { return in_flight_; }

  /// Why all calls of this kind are left to the MPI beneath; no value if they are not. Quicker than decide(), which is
  /// then not needed.
  std::optional<PassThroughReason> left_to_mpi(const CollectiveCall& call) const {
    if (call.among_neighbours) return neighbours_left_to_mpi(call.collective);
    return call.large ? std::nullopt : left_to_mpi_[static_cast<std::size_t>(call.collective)];
  }
  /// Whether all calls are left to it, except the large forms.
  bool leaves_all_to_mpi() const;

  /// The neighbours of the communicator's ranks, if it has a topology of MPI and they have been set. `must_serve`: the
  /// MPI beneath does not know them, so that no call may be left to it.
  const std::shared_ptr<const Neighbourhood>& neighbours() const { return neighbours_; }
  /// Collective over `comm`; throws MpiError.
  void set_neighbours(MPI_Comm comm, std::shared_ptr<const Neighbourhood> neighbours, bool must_serve);

  /// Prepares the call if necessary; among neighbours these have to be set. Throws MpiError.
  CallDecision decide(const CollectiveCall& call);

  /// Runs a call that is served, and returns when this rank's part is done; other calls in progress advance meanwhile.
  /// Throws MpiError.
  void run(const CollectiveCall& call, const CallDecision& decision);

  /// A new executor for a call that is served, and the first of its tags.
  struct OwnExecutor {
    std::unique_ptr<Executor> executor;
    int first_tag = 0;
  };
  OwnExecutor new_executor(const CallDecision& decision);
  /// The same when a call's counts have been told. Other threads may be in other members. Throws MpiError of
  /// MPI_ERR_TRUNCATE where two ranks give a block two sizes.
  OwnExecutor new_executor_with_counts(CountExchange& exchange);
  /// The same for a persistent call, with tags that no other call gets. Collective; throws MpiError.
  OwnExecutor new_persistent_executor(const CallDecision& decision);
  /// The tags of calls that are not persistent.
  TagTurns& tags() { return *tags_; }

 private:
  void find_what_is_left_to_mpi();
  /// Makes the private communicator if there is none yet. Collective; false on all ranks where that cannot be.
  bool make_comm(MPI_Comm of);
  bool lacks_relays() const;
  void set_plans(MPI_Comm comm, std::shared_ptr<Plans> plans);
  /// Whether all ranks tell each other the counts of their blocks before this call of gatherv, scatterv, alltoallv or
  /// alltoallw: if others relay, if the plan that is asked for passes on blocks, or if that is quicker. The last shows
  /// at the second blocking call of a collective, and again at the fourth, eighth ...: then they tell them in any case.
  /// The same on all ranks. Does not look at counts and datatypes, which may be wrong.
  bool tells_counts(const CollectiveCall& call);
  /// Collective. Returns MPI_SUCCESS, or MPI_ERR_TRUNCATE where two ranks give a block two sizes.
  int tell_counts(const CollectiveCall& call, Signature& signature);
  CountExchange exchange_of(const Signature& signature);
  Executor& executor_of(const CountExchange& exchange);
  bool agree(const CountExchange& exchange) const;
  PreparedCall& ready_for(const Signature& signature);
  void make_ready(PreparedCall& ready);
  void make_ready_among_neighbours(PreparedCall& ready);
  std::unique_ptr<Executor> executor_of(const PreparedCall& ready, Program program) const;
  /// Exchanges the sizes of blocks with the relays. Returns the executor for them.
  Executor& learn_sizes(PreparedCall& ready, int first_tag);
  NeighbourProblem neighbour_problem(const Signature& signature) const;
  /// Returns when the executor has run; other calls in progress advance meanwhile.
  void run_with_others(Executor& executor, const Arguments& arguments);
  std::optional<PassThroughReason> neighbours_left_to_mpi(Collective collective) const;
  /// Whether the operator takes elements of the datatype.
  bool takes(MPI_Op op, MPI_Datatype datatype);

  std::shared_ptr<InFlight> in_flight_;
  int rank_ = 0;
  Topology topology_;
  std::shared_ptr<Plans> plans_;
  std::mutex preparing_;  // of comms_ and what is prepared: another thread may prepare a started call
  std::array<std::optional<PassThroughReason>, collective_count> left_to_mpi_ = {};
  std::shared_ptr<const Neighbourhood> neighbours_;
  bool must_serve_neighbours_ = false;
  bool has_no_comm_ = false;  // there is no private communicator to be had

  // Private communicators: none before the first call that is served; several if persistent calls need more tags than
  // one has.
  std::vector<MPI_Comm> comms_;
  GroupComms group_comms_;
  std::optional<TagTurns> tags_;
  std::int64_t persistent_calls_ = 0;
  std::uint64_t calls_ = 0;

  Signature asked_;                                                    // memory for the current call
  std::map<std::int64_t, std::unique_ptr<Executor>> count_exchanges_;  // by counts of a rank
  /// The calls of a collective that could gain by all counts, and whether the last one that told them did.
  struct CallsOfAnySizes {
    std::uint64_t number = 0;
    bool gain = false;
  };
  CallsOfAnySizes& calls_like(const CollectiveCall& call);
  std::map<std::pair<Collective, int>, CallsOfAnySizes> of_any_sizes_;  // by outermost group of the root, too
  std::vector<std::unique_ptr<PreparedCall>> ready_;
  std::size_t latest_ = 0;                                    // the entry used last, which a loop uses again
  std::vector<std::pair<MPI_Op, MPI_Datatype>> known_pairs_;  // pairs in which the operator takes the datatype
  Staging staging_;
};

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
