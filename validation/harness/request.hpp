// A request to a source: points on a placed network.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "algorithms/collective/algorithm.hpp"
#include "algorithms/network/placed_network.hpp"
#include "algorithms/replay/replay.hpp"
#include "algorithms/tuning/select.hpp"
#include "emulator/protocol/options.hpp"
#include "sim/simulate.hpp"
#include "validation/records/record.hpp"

namespace isthmus {

/// A plan as a user writes it.
/// - `multilevel`, an algorithm alone: all its parameters are chosen.
/// - `multilevel:levels=linear/chain`: parameters not named have their defaults (kielmann's segment and degrees have
///   none, and are chosen).
/// - `segment=auto`: the best segment is chosen.
struct PlanRequest {
  Collective collective = Collective::broadcast;
  bool automatic = false;  ///< the plan is chosen for each problem (algorithms/tuning/select.hpp)
  Plan plan;               ///< unless automatic
  Open open = Open::nothing;
  bool one_of_all = false;  ///< named by `/all`: skipped for problems that it cannot serve
  std::string text;         ///< without the collective: `kielmann`, `binomial:segment=auto`, `auto`

  /// With the collective: `broadcast/kielmann`.
  std::string name() const;
};

/// Reads `broadcast/binomial:segment=auto`; `broadcast` and `broadcast/auto` are the automatic choice. Throws BadInput
/// with the near matches.
PlanRequest parse_plan_request(std::string_view text);

/// The same, and `broadcast/all`: every algorithm of the collective.
std::vector<PlanRequest> parse_plan_requests(std::string_view text);

/// The text, without the collective, that parse_plan_request() reads as exactly this plan: `binomial:segment=none`,
/// since `binomial` alone would have its segment chosen.
std::string request_text(const Plan& plan);

/// One point: a plan with all parameters chosen, and the problem.
struct RequestedPoint {
  Problem problem;
  Plan plan;
  std::string requested;  ///< the plan as asked for
  /// What the replay on the request's network says, if the choice has asked it.
  std::optional<ReplayTotals> replayed = {};
};

/// Chooses the open parameters by model, and checks the plan. Throws BadInput when it cannot serve the problem.
RequestedPoint completed(const PlacedNetwork& placed, const PlanRequest& plan, const Problem& problem);

/// Bounds that were computed before; copies of a request share them.
class KnownBounds {
 public:
  /// What no schedule can beat on the network, however the conditions change its links. An emulation has links of the
  /// platform's rates and latencies, but the processors of its substrate: its bound leaves the platform's overheads and
  /// classes out. Throws as lower_bound().
  double of(const PlacedNetwork& placed, const Conditions& conditions, Source source, const Problem& problem);

 private:
  using Question = std::tuple<std::string, std::string, bool, Collective, std::int64_t, int>;
  std::mutex mutex_;
  std::map<Question, double> seconds_;
};

/// Points on one placed network; sources answer them one after the other.
struct RunRequest {
  std::string platform_file;  ///< what the network was read from: SMPI reads it again
  PlacedNetwork placed;
  std::vector<std::string> set_links = {};  ///< how its links differ from the file's (platforms/link_settings.hpp)
  std::vector<RequestedPoint> points = {};
  int repetitions = 1;                 ///< of what is run (smpi, emulated)
  double confidence = 0;               ///< see Job
  int warm_up = 1;                     ///< repetitions before those that count, under a real MPI
  Queueing queueing = Queueing::fifo;  ///< of links under SMPI
  EmulationOptions emulation = {};     ///< its conditions and its timeout hold for SMPI too
  std::shared_ptr<KnownBounds> bounds = std::make_shared<KnownBounds>();
  Checkpoint checkpoint = {};                             ///< called now and then by long work of the models
  std::function<void(const std::string&)> progress = {};  ///< told what a long run does at the moment, in a few words
};

/// Adds a point from completed(), and throws as that does.
void add_point(RunRequest& request, const PlanRequest& plan, const Problem& problem);

}  // namespace isthmus
